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
  public var alternative: PeerTubeEndpoint? { channelBase.map { PeerTubeEndpoint($0, isCertain: false) } }

  private init(_ base: WebAddress, isCertain: Bool, isSingleVideo: Bool = false) {
    (self.base, self.isCertain, self.isSingleVideo) = (base, isCertain, isSingleVideo)
  }

  /// The maximum count of videos in an answer.
  public static let maximumCount = 100

  /// Returns nil for a page without videos.
  public init?(address: WebAddress) {
    let path = address.pathSegments
    for row in Self.rows {
      guard let values = row.form.values(in: path), values.allSatisfy({ Self.isValid($0.value, for: $0.key) }) else {
        continue
      }
      guard let query = row.query(address) else { return nil }
      func request(_ list: String) -> WebAddress? {
        PageForm.expanded(list) { values[String($0)] }.flatMap {
          let mark = address.relatedID == nil ? "" : "#" + (address.fragment ?? "")
          return WebAddress("\(address.origin)/api/v1/\($0)" + (query.isEmpty ? "" : "?" + query) + mark)
        }
      }
      // A search index has no other list.
      let isIndex = address.host == "sepiasearch.org" && ["videos", "search/videos"].contains(row.list)
      guard let base = request(isIndex ? "search/videos" : row.list) else { return nil }
      self.init(base, isCertain: row.isCertain || isIndex, isSingleVideo: row.list == "videos/{video}")
      channelBase = row.other.flatMap(request)
      return
    }
    return nil
  }

  /// Returns a list of the channel or the account of which an address is a page; nil for other pages, and for Shorts,
  /// which PeerTube does not have.
  static func address(of list: ChannelList, ofOwner page: WebAddress) -> WebAddress? {
    let path = page.pathSegments.drop { ["api", "v1"].contains($0) }
    let owners = [
      "c": "video-channels", "video-channels": "video-channels", "a": "accounts", "accounts": "accounts",
    ]
    guard let owner = path.first.flatMap({ owners[$0] }), let name = path.dropFirst().first,
      isValid(name, for: "name")
    else { return nil }
    let end: String? =
      switch list {
      case .videos: "videos"
      case .live: "videos?live=true"
      case .playlists: "video-playlists"
      case .shorts: nil
      }
    return end.flatMap { WebAddress("\(page.origin)/\(owner)/\(PercentCoding.encodeSegment(name))/\($0)") }
  }

  /// The list of the API that finds lists of a kind; nil stands for videos.
  static func found(_ kind: ListLink.Kind?) -> String {
    switch kind {
    case .channel: "video-channels"
    case .playlist: "video-playlists"
    case .podcast, .folder, nil: "videos"
    }
  }

  /// All videos of the instance at the host of an address.
  public init(instanceOf address: WebAddress) {
    self.init(WebAddress(unchecked: address.origin + "/api/v1/videos?" + Self.newest), isCertain: false)
  }

  /// Returns the request for `count` videos (1…100) after the first `start`.
  public func address(start: Int, count: Int) -> WebAddress {
    guard !isSingleVideo else { return base }
    return base.setting(query: "start", to: String(max(0, start)))
      .setting(query: "count", to: String(min(max(1, count), Self.maximumCount)))
  }

  /// The request that identifies a PeerTube instance; see `FeedDecoder.isPeerTubeConfig`.
  public var configAddress: WebAddress { WebAddress(unchecked: base.origin + "/api/v1/config") }
}

extension PeerTubeEndpoint {
  /// A form of pages, and its list in the API.
  private struct Row: Sendable {
    let form: PageForm
    let list: String
    /// The list of another owner with the same name.
    var other: String?
    var isCertain = false
    /// Returns nil for a page without videos.
    var query: @Sendable (WebAddress) -> String? = filters
  }

  private static let newest = "sort=-publishedAt"
  private static let (ofAccount, ofChannel) = ("accounts/{name}/videos", "video-channels/{name}/videos")

  private static let rows = [
    Row(form: "/api/v1/videos", list: "videos", isCertain: true) { $0.query ?? "" },
    Row(form: "/api/v1/{list:video-channels|video-playlists}", list: "{list}", isCertain: true) { $0.query ?? "" },
    Row(form: "/api/v1/search/{found:videos|video-channels|video-playlists}", list: "search/{found}", isCertain: true) {
      $0.query ?? ""
    },
    Row(form: "/api/v1/videos/{video}", list: "videos/{video}", isCertain: true) { $0.query ?? "" },
    Row(
      form:
        "/api/v1/{owners:video-channels|accounts|video-playlists}/{owner}/{list:videos|video-channels|video-playlists}",
      list: "{owners}/{owner}/{list}", isCertain: true
    ) { $0.query ?? "" },
    Row(form: "/search", list: "search/videos", query: searching),
    Row(form: "/", list: "videos") { _ in newest }, Row(form: "/videos|home", list: "videos") { _ in newest },
    Row(form: "/videos/trending", list: "videos", isCertain: true) { _ in "sort=-trending" },
    Row(form: "/videos/recently-added|overview", list: "videos", isCertain: true) { _ in newest },
    Row(form: "/videos/most-liked", list: "videos", isCertain: true) { _ in "sort=-likes" },
    Row(form: "/videos/local", list: "videos", isCertain: true) { _ in newest + "&isLocal=true" },
    Row(form: "/videos/browse", list: "videos", isCertain: true) { page in
      let filters = filters(page) ?? ""
      return page.queryValue("sort").nonEmpty != nil ? filters : filters.isEmpty ? newest : filters + "&" + newest
    },
    Row(form: "/@{name}", list: ofAccount, other: ofChannel),
    Row(form: "/@{name}/videos|about", list: ofAccount, other: ofChannel),
    Row(form: "/@{name}/video-channels", list: "accounts/{name}/video-channels") { _ in "" },
    // Other sites have `/c/` and `/a/` too.
    Row(form: "/c/{name}", list: ofChannel), Row(form: "/c/{name}/videos|about|video-channels", list: ofChannel),
    Row(form: "/video-channels/{name}", list: ofChannel, isCertain: true),
    Row(form: "/video-channels/{name}/videos|about|video-channels", list: ofChannel, isCertain: true),
    Row(
      form: "/c|video-channels/{name}/video-playlists", list: "video-channels/{name}/video-playlists", isCertain: true
    ) { _ in "" },
    Row(form: "/a|accounts/{name}", list: ofAccount), Row(form: "/a|accounts/{name}/videos|about", list: ofAccount),
    Row(
      form: "/a|accounts/{name}/{list:video-channels|video-playlists}", list: "accounts/{name}/{list}", isCertain: true
    ) { _ in "" },
    Row(form: "/w/p/{video}", list: "video-playlists/{video}/videos", isCertain: true) { _ in "" },
    Row(form: "/videos/watch/playlist/{video}", list: "video-playlists/{video}/videos", isCertain: true) { _ in "" },
    Row(form: "/video-playlists/embed/{video}", list: "video-playlists/{video}/videos", isCertain: true) { _ in "" },
    Row(form: "/w/{video}", list: "videos/{video}", isCertain: true) { _ in "" },
    Row(form: "/videos/watch|embed/{video}", list: "videos/{video}", isCertain: true) { _ in "" },
  ]

  /// The filters of a list of videos (`video-filters.model.ts`) as parameters of the API.
  @Sendable private static func filters(_ page: WebAddress) -> String? {
    let known = ["sort", "search", "isLive", "categoryOneOf", "languageOneOf", "tagsOneOf", "nsfw"]
    var items = page.queryItems.filter { known.contains($0.name) && !$0.value.isEmpty }
    if let live = page.queryValue("live"), ["true", "false"].contains(live) { items.append(("isLive", live)) }
    if page.queryValue("scope") == "local" { items.append(("isLocal", "true")) }
    return text(items)
  }

  /// The query of the search page, as far as the API has the same names; lists lose their brackets.
  @Sendable private static func searching(_ page: WebAddress) -> String? {
    let known = [
      "search", "sort", "nsfw", "isLive", "host", "categoryOneOf", "licenceOneOf", "languageOneOf", "tagsOneOf",
      "tagsAllOf", "durationMin", "durationMax", "startDate", "endDate", "boostLanguages",
    ]
    let items = page.queryItems.map { (name: String($0.name.prefix { $0 != "[" }), value: $0.value) }
      .filter { known.contains($0.name) && !$0.value.isEmpty }
    return items.contains { $0.name == "search" || $0.name.hasPrefix("tags") } ? text(items) : nil
  }

  private static func text(_ items: [(name: String, value: String)]) -> String {
    items.map { "\($0.name)=\(PercentCoding.encode($0.value))" }.joined(separator: "&")
  }

  private static func isValid(_ text: String, for name: String) -> Bool {
    let bytes = Array(text.utf8)
    switch name {
    case "name":
      return (1...200).contains(bytes.count) && text != "." && text != ".."
        && bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._:@".utf8.contains($0) }
    case "video":
      // A UUID, its short form of 22 letters and digits, or the number of a very old instance.
      if bytes.count == 36 { return bytes.allSatisfy { $0.hexDigitValue != nil || $0 == UInt8(ascii: "-") } }
      if (20...24).contains(bytes.count) { return bytes.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit } }
      return (1...9).contains(bytes.count) && bytes.allSatisfy(\.isASCIIDigit)
    default: return true
    }
  }
}
