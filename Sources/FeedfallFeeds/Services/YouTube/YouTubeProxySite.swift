import FeedfallDocuments
import FeedfallText

/// Web frontends of YouTube with an interface for programs.
///
/// | page of Invidious | request |
/// |---|---|
/// | `/channel/ID`, `/playlist?list=ID`, `/watch?v=ID` | the videos of the channel or the playlist; the video |
/// | `/search?q=WORDS` | the videos found |
/// | `/`, `/feed/popular`, `/feed/trending` | the list |
///
/// Of Piped, `/channel/ID` and `/playlist?list=ID`; its interface is at another host than its pages.
enum YouTubeProxySite: Site {
  /// The public instances in docs.invidious.io/instances.
  private static let invidiousHosts: Set<String> = [
    "inv.nadeko.net", "invidious.nerdvpn.de", "yewtu.be", "invidious.f5.si", "inv.perditum.com", "iv.melmac.space",
  ]
  /// The interfaces of pages (docs.piped.video/docs/public-instances).
  private static let pipedHosts = [
    "piped.video": "pipedapi.kavin.rocks", "piped.kavin.rocks": "pipedapi.kavin.rocks",
    "piped.adminforge.de": "pipedapi.adminforge.de", "piped.yt": "api.piped.yt",
    "piped.private.coffee": "api.piped.private.coffee",
  ]

  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    if let host = pipedHosts[address.host] { return piped(address).flatMap { WebAddress("https://\(host)/\($0)") } }
    return invidiousHosts.contains(address.host) ? invidious(address) : nil
  }

  static func isPublicInvidious(_ host: String) -> Bool { invidiousHosts.contains(host) }

  /// Returns the request for the videos that a page of Invidious shows; nil for another page, or one without videos.
  static func request(forPage body: [UInt8], at address: WebAddress) -> WebAddress? {
    isInvidious(body) ? invidious(address) : nil
  }

  /// Returns the RSS of a channel or a playlist for a request to Invidious, which may have disabled its interface.
  static func alternative(to request: WebAddress) -> WebAddress? {
    let segments = request.pathSegments
    guard segments.count >= 4, segments.starts(with: ["api", "v1"]), let id = id(segments[3]) else { return nil }
    let list = ["channels": "channel", "playlists": "playlist"][segments[2]]
    return list.flatMap { WebAddress("\(request.origin)/feed/\($0)/\(id)") }
  }

  /// Whether the head of a page names Invidious as its search.
  private static func isInvidious(_ body: [UInt8]) -> Bool {
    let page = Array(body.prefix(65_536))
    var index = 0
    while let open = page[index...].firstIndex(of: UInt8(ascii: "<")) {
      guard let tag = HTMLTag(in: page, at: open) else {
        index = open + 1
        continue
      }
      index = tag.end
      if tag.name == "link", tag["rel"]?.lowercased() == "search", tag["title"] == "Invidious" { return true }
    }
    return false
  }

  private static func invidious(_ address: WebAddress) -> WebAddress? {
    let segments = address.pathSegments
    let place: String?
    switch segments.first {
    case "channel" where segments.count >= 2: place = id(segments[1]).map { "channels/\($0)/videos" }
    case "playlist": place = address.queryValue("list").flatMap(id).map { "playlists/\($0)" }
    case "watch": place = YouTubeVideoID(address.queryValue("v")).map { "videos/\($0.text)" }
    case "search":
      place = (address.queryValue("q") ?? address.queryValue("search_query")).nonEmpty.map {
        "search?type=video&q=\(PercentCoding.encode($0))"
      }
    case nil, "popular": place = "popular"
    case "feed" where segments.count == 2 && ["popular", "trending"].contains(segments[1]): place = segments[1]
    default: place = nil
    }
    return place.flatMap { WebAddress("\(address.origin)/api/v1/\($0)") }
  }

  private static func piped(_ address: WebAddress) -> String? {
    let segments = address.pathSegments
    switch segments.first {
    case "channel" where segments.count >= 2: return id(segments[1]).map { "channel/\($0)" }
    case "playlist": return address.queryValue("list").flatMap(id).map { "playlists/\($0)" }
    default: return nil
    }
  }

  /// The id of a channel or a playlist; nil for other texts.
  private static func id(_ text: String) -> String? {
    let isValid = text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_".utf8.contains($0) }
    return isValid && (2...64).contains(text.utf8.count) ? text : nil
  }
}

/// The pages after an answer of Invidious or Piped.
enum YouTubeProxyPages {
  private static let maximumPage = 1_000

  /// Returns the address of the next page.
  ///
  /// Invidious counts the pages of searches and playlists and sends a token for those of channels. Piped sends a token
  /// for a path of its own.
  static func next(after address: WebAddress, _ facts: JSONFacts) -> WebAddress? {
    let segments = address.pathSegments
    let next =
      segments.starts(with: ["api", "v1"]) ? invidious(segments, address, facts) : piped(segments, address, facts)
    return next.flatMap { WebAddress($0.text) }
  }

  private static func invidious(_ segments: [String], _ address: WebAddress, _ facts: JSONFacts) -> WebAddress? {
    if let token = facts.continuation { return address.setting(query: "continuation", to: token) }
    let page = address.queryValue("page").map { Int($0) ?? maximumPage } ?? 1
    guard ["search", "playlists"].contains(segments.dropFirst(2).first), (1..<maximumPage).contains(page) else {
      return nil
    }
    return address.setting(query: "page", to: String(page + 1))
  }

  private static func piped(_ segments: [String], _ address: WebAddress, _ facts: JSONFacts) -> WebAddress? {
    guard let token = facts.nextPage else { return nil }
    let path = segments.first == "nextpage" ? address.path : "/nextpage" + address.path
    let query = address.query.map { "?" + $0 } ?? ""
    return WebAddress(address.origin + path + query)?.setting(query: "nextpage", to: token)
  }
}
