import FeedfallText

/// The endpoint of PeerTube's REST API for an address copied from the browser.
public struct PeerTubeEndpoint: Equatable, Sendable {
  /// Whether only PeerTube has addresses of this form, so that its API is requested at once. Other addresses, such as
  /// `https://host/`, are requested unchanged first.
  public let isCertain: Bool
  /// Whether the endpoint is a single video; then `start` and `count` are ignored.
  public let isSingleVideo: Bool
  private let base: WebAddress
  /// The endpoint to request if this one does not exist: `/@name` is an account or a channel.
  private var channelBase: WebAddress?

  /// The endpoint to request if this one does not exist; nil if there is none.
  public var alternative: PeerTubeEndpoint? { channelBase.map { PeerTubeEndpoint(base: $0) } }

  private init(base: WebAddress) {
    self.base = base
    isCertain = false
    isSingleVideo = false
  }

  /// The maximum count of videos in an answer.
  public static let maximumCount = 100

  /// Recognizes `/`, `/videos/trending`, `/c/NAME`, `/a/NAME`, `/@NAME`, `/w/p/ID`, `/w/ID`,
  /// `/videos/watch/UUID`, `/search?search=` and similar forms, and addresses of the API; nil for others.
  public init?(address: WebAddress) {
    let segments = address.pathSegments
    let match =
      Self.api(segments, address) ?? Self.list(segments, address) ?? Self.owner(segments, address)
      ?? Self.watch(segments, address)
    guard let match else { return nil }
    self = match
  }

  /// All videos of the instance at the host of an address.
  public init(instanceOf address: WebAddress) {
    self.init(address, "videos", query: "sort=-publishedAt", isCertain: false)
  }

  /// Returns the request for `count` videos (1…100) after the first `start`.
  public func address(start: Int, count: Int) -> WebAddress {
    guard !isSingleVideo else { return base }
    return base.setting(query: "start", to: String(max(0, start)))
      .setting(query: "count", to: String(min(max(1, count), Self.maximumCount)))
  }

  /// The request that identifies a PeerTube instance; see `FeedDecoder.isPeerTubeConfig`.
  public var configAddress: WebAddress { WebAddress(unchecked: base.origin + "/api/v1/config") }

  private init(
    _ address: WebAddress, _ path: String, query: String? = nil, isCertain: Bool, isSingleVideo: Bool = false
  ) {
    (self.isCertain, self.isSingleVideo) = (isCertain, isSingleVideo)
    let query = query.map { "?" + $0 } ?? ""
    base = WebAddress(unchecked: "\(address.origin)/api/v1/\(path)\(query)")
  }

  private static func api(_ segments: [String], _ address: WebAddress) -> PeerTubeEndpoint? {
    guard segments.count >= 3, segments[0] == "api", segments[1] == "v1" else { return nil }
    let rest = segments.dropFirst(2).map(PercentCoding.encode)
    let isList: Bool
    switch rest.count {
    case 1 where rest[0] == "videos": isList = true
    case 2 where rest == ["search", "videos"]: isList = true
    case 2 where rest[0] == "videos" && isVideoID(segments[3]): isList = false
    case 3 where ["video-channels", "accounts", "video-playlists"].contains(rest[0]) && rest[2] == "videos":
      isList = true
    default: return nil
    }
    return PeerTubeEndpoint(
      address, rest.joined(separator: "/"), query: address.query, isCertain: true, isSingleVideo: !isList)
  }

  private static func list(_ segments: [String], _ address: WebAddress) -> PeerTubeEndpoint? {
    if segments == ["search"] {
      let query = searching(address)
      return query.isEmpty
        ? nil : PeerTubeEndpoint(address, "search/videos", query: query, isCertain: isSepiaSearch(address))
    }
    if segments.isEmpty || segments == ["videos"] || segments == ["home"] {
      if isSepiaSearch(address) {
        return PeerTubeEndpoint(address, "search/videos", query: "sort=-publishedAt", isCertain: true)
      }
      return PeerTubeEndpoint(address, "videos", query: "sort=-publishedAt", isCertain: false)
    }
    guard segments.count == 2, segments[0] == "videos" else { return nil }
    let query: String
    switch segments[1] {
    case "trending": query = "sort=-trending"
    case "recently-added", "overview": query = "sort=-publishedAt"
    case "most-liked": query = "sort=-likes"
    case "local": query = "sort=-publishedAt&isLocal=true"
    case "browse": query = browsing(address)
    default: return nil
    }
    return PeerTubeEndpoint(address, "videos", query: query, isCertain: true)
  }

  private static func browsing(_ address: WebAddress) -> String {
    let filters = filtering(address)
    return address.queryValue("sort").nonEmpty == nil
      ? [filters, "sort=-publishedAt"].compactMap(\.self).joined(separator: "&") : filters ?? ""
  }

  /// The filters of a list of videos (`video-filters.model.ts`) as parameters of the API; nil if there are none.
  private static func filtering(_ address: WebAddress) -> String? {
    let known = ["sort", "search", "isLive", "categoryOneOf", "languageOneOf", "tagsOneOf", "nsfw"]
    var items = address.queryItems.filter { known.contains($0.name) && !$0.value.isEmpty }
    if let live = address.queryValue("live"), ["true", "false"].contains(live) { items.append(("isLive", live)) }
    if address.queryValue("scope") == "local" { items.append(("isLocal", "true")) }
    return items.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&").nonEmpty
  }

  /// The query of the search page, as far as the API has the same names; lists lose their brackets.
  private static func searching(_ address: WebAddress) -> String {
    let known = [
      "search", "sort", "nsfw", "isLive", "host", "categoryOneOf", "licenceOneOf", "languageOneOf", "tagsOneOf",
      "tagsAllOf", "durationMin", "durationMax", "startDate", "endDate", "boostLanguages",
    ]
    let items = address.queryItems.map { (name: String($0.name.prefix { $0 != "[" }), value: $0.value) }
      .filter { known.contains($0.name) && !$0.value.isEmpty }
    let isSearch = items.contains { $0.name == "search" || $0.name.hasPrefix("tags") }
    return isSearch ? items.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&") : ""
  }

  private static func isSepiaSearch(_ address: WebAddress) -> Bool { address.host == "sepiasearch.org" }

  /// Channels and accounts. Other sites have `/c/` and `/a/` too.
  private static func owner(_ segments: [String], _ address: WebAddress) -> PeerTubeEndpoint? {
    // A list of playlists is not a list of videos.
    let pages = ["videos", "about", "video-channels"]
    let filters = filtering(address)
    func list(of owners: String, _ name: String, isCertain: Bool = false) -> PeerTubeEndpoint {
      PeerTubeEndpoint(
        address, "\(owners)/\(PercentCoding.encode(name))/videos", query: filters, isCertain: isCertain)
    }
    if let first = segments.first, first.hasPrefix("@"), isHandle(String(first.dropFirst())),
      segments.count == 1 || (segments.count == 2 && pages.contains(segments[1]))
    {
      let name = String(first.dropFirst())
      var endpoint = list(of: "accounts", name)
      endpoint.channelBase = list(of: "video-channels", name).base
      return endpoint
    }
    guard segments.count == 2 || (segments.count == 3 && pages.contains(segments[2])), isHandle(segments[1]) else {
      return nil
    }
    return switch segments[0] {
    case "c": list(of: "video-channels", segments[1])
    case "video-channels": list(of: "video-channels", segments[1], isCertain: true)
    case "a", "accounts": list(of: "accounts", segments[1], isCertain: segments.last == "video-channels")
    default: nil
    }
  }

  private static func watch(_ segments: [String], _ address: WebAddress) -> PeerTubeEndpoint? {
    guard let id = segments.last, isVideoID(id) else { return nil }
    switch Array(segments.dropLast()) {
    case ["w", "p"], ["videos", "watch", "playlist"], ["video-playlists", "embed"]:
      return PeerTubeEndpoint(address, "video-playlists/\(id)/videos", isCertain: true)
    case ["w"], ["videos", "watch"], ["videos", "embed"]:
      return PeerTubeEndpoint(address, "videos/\(id)", isCertain: true, isSingleVideo: true)
    default: return nil
    }
  }

  private static func isHandle(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._:@".utf8.contains($0) }
  }

  /// Whether the text is a UUID, its short form of 22 letters and digits, or the number of a very old instance.
  private static func isVideoID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    if bytes.count == 36 { return bytes.allSatisfy { $0.hexDigitValue != nil || $0 == UInt8(ascii: "-") } }
    if (20...24).contains(bytes.count) { return bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit } }
    return (1...9).contains(bytes.count) && bytes.allSatisfy(\.isASCIIDigit)
  }
}
