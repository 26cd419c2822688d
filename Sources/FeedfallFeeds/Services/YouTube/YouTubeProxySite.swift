import FeedfallText

/// Web frontends of YouTube with an API (`routing.cr` of iv-org/invidious, `ServerLauncher.java` of
/// TeamPiped/Piped-Backend). The API of Piped is on another host than its pages.
///
/// | page of Invidious | request | parameters |
/// |---|---|---|
/// | `/channel/ID`, `…/shorts`, `…/streams` | `channels/ID/videos`, `…/shorts`, `…/streams` | `sort_by`, `continuation` |
/// | `/channel/ID/search?q=` | `channels/ID/search` | `q`, `page` |
/// | `/playlist?list=ID` | `playlists/ID`, or `mixes/ID` | `page` |
/// | `/mix?list=ID` | `mixes/ID` | |
/// | `/watch?v=ID`, `/shorts/ID`, `/embed/ID` … | `videos/ID` | |
/// | `/search?q=`, `/results?search_query=` | `search` | those of the filters, `page` |
/// | `/hashtag/TAG` | `hashtag/TAG` | `page` |
/// | `/`, `/feed/popular`, `/feed/trending` | `popular`, `trending` | `type`, `region` |
///
/// | page of Piped | request | parameters |
/// |---|---|---|
/// | `/channel/ID`, `/channel/ID/videos` | `channel/ID` | |
/// | `/playlist?list=ID` | `playlists/ID` | |
/// | `/results?search_query=` | `search` | `filter` |
/// | `/watch?v=ID`, `/shorts/ID`, `/embed/ID` … | `streams/ID` | |
enum YouTubeProxySite: Site {
  /// The public instances in docs.invidious.io/instances.
  private static let invidiousHosts: Set<String> = [
    "inv.nadeko.net", "invidious.nerdvpn.de", "yewtu.be", "invidious.f5.si", "inv.perditum.com", "iv.melmac.space",
  ]
  /// The hosts of the API by those of the pages (docs.piped.video/docs/public-instances).
  private static let pipedHosts = [
    "piped.video": "pipedapi.kavin.rocks", "piped.kavin.rocks": "pipedapi.kavin.rocks",
    "piped.adminforge.de": "pipedapi.adminforge.de", "piped.yt": "api.piped.yt",
    "piped.private.coffee": "api.piped.private.coffee",
  ]

  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    meaning(of: address)?.list
  }

  static func refusal(of address: WebAddress) -> FeedFailure? { meaning(of: address)?.refusal }

  private static func meaning(of address: WebAddress) -> PageMeaning? {
    if let host = pipedHosts[address.host] { return piped(address, at: "https://\(host)") }
    return invidiousHosts.contains(address.host) ? invidious(address) : nil
  }

  static func isPublicInvidious(_ host: String) -> Bool { invidiousHosts.contains(host) }

  /// Returns the list that a page of Invidious shows; nil for another page, or one without videos.
  static func meaning(ofPage body: [UInt8], at address: WebAddress) -> PageMeaning? {
    isInvidious(body) ? invidious(address) : nil
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

  private static func invidious(_ address: WebAddress) -> PageMeaning? {
    let segments = address.pathSegments
    func list(_ path: String?, passing names: [String] = []) -> PageMeaning? {
      path.flatMap { .list(address.origin + "/api/v1", $0, passing: names, of: address) }
    }
    switch segments.first {
    case "channel" where segments.count >= 2: return channel(segments, list)
    case "playlist", "mix":
      let id = address.queryValue("list").flatMap(id)
      let isMix = segments[0] == "mix" || id?.hasPrefix("RD") == true
      return list(id.map { (isMix ? "mixes/" : "playlists/") + $0 }, passing: isMix ? [] : ["page"])
    case "search", "results": return search(address, list)
    case "hashtag" where segments.count == 2:
      return list("hashtag/" + PercentCoding.encodeSegment(segments[1]), passing: ["page", "region"])
    case nil, "popular": return list("popular")
    case "feed" where segments.count == 2 && ["popular", "trending"].contains(segments[1]):
      return list(segments[1], passing: segments[1] == "trending" ? ["type", "region"] : [])
    default: return list(video(segments, address).map { "videos/" + $0.text })
    }
  }

  private static func channel(
    _ segments: [String], _ list: (_ path: String?, _ passing: [String]) -> PageMeaning?
  ) -> PageMeaning? {
    let id = id(segments[1])
    switch segments.dropFirst(2).first {
    case "shorts", "streams": return list(id.map { "channels/\($0)/\(segments[2])" }, ["sort_by", "continuation"])
    case "search": return list(id.map { "channels/\($0)/search" }, ["q", "page"])
    case "playlists", "podcasts", "releases", "courses":
      return .refused(listOf: segments[2], advice: "use the address of one of them")
    case "channels": return .refused(listOf: "channels", advice: "use the address of one of them")
    case "community", "posts": return .refused(listOf: "posts", advice: "use the address of the channel")
    // It redirects to the current broadcast.
    case "live": return nil
    // Invidious shows the videos for any other name.
    default: return list(id.map { "channels/\($0)/videos" }, ["sort_by", "continuation"])
    }
  }

  private static func search(
    _ address: WebAddress, _ list: (_ path: String?, _ passing: [String]) -> PageMeaning?
  ) -> PageMeaning? {
    guard let words = (address.queryValue("q") ?? address.queryValue("search_query")).nonEmpty else { return nil }
    let type = address.queryValue("type")?.lowercased() ?? ""
    if ["channel", "playlist"].contains(type) {
      return .refused(listOf: type + "s", advice: "search without type=\(type)")
    }
    let kind = ["movie", "show"].contains(type) ? type : "video"
    // The filters of YouTube are one parameter, which overrides those of Invidious.
    let filters =
      address.queryValue("sp").nonEmpty == nil ? ["date", "duration", "features", "sort", "channel"] : ["sp"]
    return list("search?type=\(kind)&q=\(PercentCoding.encode(words))", filters + ["page", "region"])
  }

  private static func video(_ segments: [String], _ address: WebAddress) -> YouTubeSite.VideoID? {
    guard let first = segments.first, ["watch", "w", "v", "e", "embed", "shorts", "live"].contains(first) else {
      return nil
    }
    return YouTubeSite.VideoID(segments.count == 2 ? segments[1] : address.queryValue("v"))
  }

  private static func piped(_ address: WebAddress, at base: String) -> PageMeaning? {
    let segments = address.pathSegments
    func list(_ path: String?) -> PageMeaning? { path.flatMap { .list(base, $0, of: address) } }
    switch segments.first {
    case "channel" where segments.count >= 2:
      guard [nil, "videos"].contains(segments.dropFirst(2).first) else {
        return .refused(
          "the API of Piped lists only the videos of a channel", advice: "use the address of the channel")
      }
      return list(id(segments[1]).map { "channel/\($0)" })
    case "playlist": return list(address.queryValue("list").flatMap(id).map { "playlists/\($0)" })
    case "results", "search":
      let words = (address.queryValue("search_query") ?? address.queryValue("q")).nonEmpty
      let filter = address.queryValue("filter").nonEmpty ?? "videos"
      guard ["all", "videos", "music_songs", "music_videos"].contains(filter) else {
        return .refused(
          listOf: String(filter.split(separator: "_").last ?? "others"), advice: "search with filter=videos")
      }
      return list(words.map { "search?q=\(PercentCoding.encode($0))&filter=\(filter)" })
    default: return list(video(segments, address).map { "streams/" + $0.text })
    }
  }

  fileprivate static func id(_ text: String) -> String? {
    let isValid = text.utf8.allSatisfy(\.isOfYouTubeID)
    return isValid && (2...64).contains(text.utf8.count) ? text : nil
  }
}

extension KnownSite {
  /// Returns another address with the videos of a request, for a server that refuses it: the RSS of a channel or a
  /// playlist for a request to Invidious, which may have disabled its API. Nil if there is none. Other lists of a
  /// channel, other orders and later pages have no RSS.
  public static func alternative(to request: WebAddress) -> WebAddress? {
    let segments = request.pathSegments
    guard segments.count >= 4, segments.starts(with: ["api", "v1"]), let id = YouTubeProxySite.id(segments[3]),
      [nil, "videos", "latest"].contains(segments.dropFirst(4).first), request.queryValue("page") == nil,
      request.queryValue("continuation") == nil, [nil, "newest"].contains(request.queryValue("sort_by"))
    else { return nil }
    let list = ["channels": "channel", "playlists": "playlist"][segments[2]]
    return list.flatMap { WebAddress("\(request.origin)/feed/\($0)/\(id)") }
  }
}

extension YouTubeProxySite {
  private static let maximumPage = 1_000

  /// Invidious counts the pages of searches and playlists and sends a token for those of channels. Piped sends a token
  /// for a path of its own.
  static func page(after address: WebAddress, _ facts: JSONItemFinder.Facts) -> WebAddress? {
    let segments = address.pathSegments
    let next =
      segments.starts(with: ["api", "v1"])
      ? invidiousPage(segments, address, facts) : pipedPage(segments, address, facts)
    return next.flatMap { WebAddress($0.text) }
  }

  private static func invidiousPage(
    _ segments: [String], _ address: WebAddress, _ facts: JSONItemFinder.Facts
  ) -> WebAddress? {
    if let token = facts.continuation { return address.setting(query: "continuation", to: token) }
    let page = address.queryValue("page").map { Int($0) ?? maximumPage } ?? 1
    let isCounted = ["search", "playlists", "hashtag"].contains(segments.dropFirst(2).first)
    guard isCounted || segments.last == "search", (1..<maximumPage).contains(page) else { return nil }
    return address.setting(query: "page", to: String(page + 1))
  }

  private static func pipedPage(
    _ segments: [String], _ address: WebAddress, _ facts: JSONItemFinder.Facts
  ) -> WebAddress? {
    // Searches write the text `null` after their last page.
    guard let token = facts.nextPage, token != "null" else { return nil }
    let path = segments.first == "nextpage" ? address.path : "/nextpage" + address.path
    let query = address.query.map { "?" + $0 } ?? ""
    return WebAddress(address.origin + path + query)?.setting(query: "nextpage", to: token)
  }
}
