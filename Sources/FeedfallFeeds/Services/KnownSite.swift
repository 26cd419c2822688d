import FeedfallText

/// Converts addresses copied from the browser to requests, for the sites of the services.
public enum KnownSite {
  private static func meaning(of page: WebAddress, count: Int?) -> PageMeaning? {
    Site.all.firstNonNil { $0.isHere(page) ? $0.meaning(of: page, count: count) : nil }
  }

  /// Returns the request for the first page of videos of an address, which is a page copied from the browser or an
  /// address of the site's API; nil for an unknown site or an address without videos.
  ///
  /// - Parameter count: the requested number of videos per page; nil for the default of the site.
  public static func request(for address: WebAddress, count: Int? = nil) -> WebAddress? {
    meaning(of: address, count: count)?.list
  }

  /// The reason why the videos of a page of a known site cannot be requested; nil for other addresses.
  public static func refusal(of address: WebAddress) -> FeedFailure? { meaning(of: address, count: nil)?.refusal }

  /// Returns the list that a page shows, if the page identifies its software, as Invidious does; nil for other pages.
  public static func meaning(ofPage body: [UInt8], at address: WebAddress) -> PageMeaning? {
    isInvidious(body) ? Service.invidious.site?.meaning(of: address) : YouTubeSite.meaning(ofPage: body, at: address)
  }

  /// Whether the head of a page names Invidious as its search.
  private static func isInvidious(_ body: [UInt8]) -> Bool {
    HTMLTags(Array(body.prefix(65_536))).contains {
      $0.name == "link" && $0["rel"]?.lowercased() == "search" && $0["title"] == "Invidious"
    }
  }

  /// Returns the address of the file behind a share link; nil for other addresses.
  public static func file(ofPage address: WebAddress) -> WebAddress? {
    Site.shares.firstNonNil { $0.isHere(address) ? $0.meaning(of: address)?.list : nil }
  }

  /// Whether yt-dlp may find the videos of a page whose list is refused.
  public static func mayNeedYtDlp(_ page: WebAddress) -> Bool {
    Site.all.contains { $0.mayNeedYtDlp && $0.isHere(page) && $0.meaning(of: page)?.list != nil }
  }

  /// Whether only yt-dlp finds the videos of an address.
  public static func needsYtDlp(_ address: WebAddress) -> Bool { YouTubeSite.needsYtDlp(address) }

  /// Whether an address is the page of a video on YouTube.
  public static func isYouTubeVideo(_ page: WebAddress) -> Bool { YouTubeSite.video(on: page) != nil }

  /// Whether an address alone shows that it is one of videos: of a known site or of PeerTube, of a file or of a feed.
  /// A link is judged by its target.
  public static func hasVideos(at link: WebAddress) -> Bool {
    let address = WebAddress(TypedAddress.expanded(link.text)) ?? link
    if MediaAddress.web(address).isMediaFile { return true }
    // A share may be of any file.
    let isOfSite = request(for: address) != nil && file(ofPage: address) == nil
    return isOfSite || YouTubeSite.hasVideos(at: address) || PeerTubeEndpoint(address: address)?.isCertain == true
      || isFeedName(address.pathSegments.last?.lowercased() ?? "")
  }

  private static func isFeedName(_ name: String) -> Bool {
    ["feed", "rss"].contains(name) || [".rss", ".atom", ".xml"].contains(where: name.hasSuffix)
  }

  /// Whether the site of a feed sometimes reports it missing by mistake, which YouTube does.
  public static func failsAtTimes(_ feed: WebAddress) -> Bool {
    feed.host == "www.youtube.com" && feed.path == "/feeds/videos.xml"
  }

  /// The page with the videos of a feed that fails at times, which yt-dlp can read; nil for other feeds.
  public static func page(ofFeed feed: WebAddress) -> WebAddress? {
    failsAtTimes(feed) ? YouTubeSite.page(ofFeed: feed) : nil
  }
}

extension KnownSite {
  /// The minimum length of an ID that only PeerTube has. Very old instances have numbers, like other sites.
  private static let minimumPeerTubeIDLength = 20

  /// Whether an address of `search(for:_:onServerOf:videos:)` searches one channel only.
  public static func searchesChannel(_ search: WebAddress) -> Bool {
    YouTubeSite.channel(search) != nil || search.pathSegments.contains { $0 == "channel" || $0 == "channels" }
  }

  /// Returns the address of the videos that a server finds; nil for a server without a known search.
  ///
  /// - Parameters:
  ///   - kind: the kind of lists to find in place of videos, on servers that can.
  ///   - videos: some videos of the source, by which servers of PeerTube, Invidious and Piped are recognized.
  public static func search(
    for words: String, _ kind: ListLink.Kind? = nil, onServerOf source: WebAddress, videos: [Video]
  ) -> WebAddress? {
    let words = PercentCoding.encode(words)
    if let channel = YouTubeSite.channel(source) { return WebAddress("\(channel.text)/search?query=\(words)") }
    let pages = videos.flatMap { [$0.detailsURL, $0.pageURL].compactMap(\.self) }.filter { $0.origin == source.origin }
    let isKnownInvidious = Site.invidious.isHere(source)
    // The pages of an unknown instance would only lead to its API.
    if kind == nil, isKnownInvidious || pages.contains(where: isInvidious),
      let channel = Site.invidiousChannel(of: source) ?? Site.invidiousChannel(named: source, videos)
    {
      let list = isKnownInvidious ? "channel" : "api/v1/channels"
      return WebAddress("\(source.origin)/\(list)/\(channel.text)/search?q=\(words)")
    }
    let peerTube = "\(source.origin)/api/v1/search/\(PeerTubeEndpoint.found(kind))?search=\(words)"
    if let kind, isKnownInvidious {
      return WebAddress("\(source.origin)/search?q=\(words)&type=\(kind.rawValue)")
    }
    if kind != nil, source.host == "sepiasearch.org" { return WebAddress(peerTube) }
    let known = Site.all.firstNonNil { $0.isHere(source) ? $0.search : nil }
    if let known { return WebAddress((known.hasPrefix("/") ? source.origin : "") + known + words) }
    let hasYouTube = Site.piped.isHere(source) || videos.contains { $0.youTubeID != nil }
    if hasYouTube, let server = Site.pipedServer(of: source) {
      return WebAddress("\(server)/search?q=\(words)&filter=\(kind?.rawValue ?? "video")s")
    }
    if PeerTubeEndpoint(address: source)?.isCertain == true || pages.contains(where: isPeerTube) {
      return WebAddress(peerTube)
    }
    guard pages.contains(where: isInvidious) else { return nil }
    return WebAddress("\(source.origin)/api/v1/search?type=\(kind?.rawValue ?? "video")&q=\(words)")
  }

  /// Returns the address of one of the own lists of a channel; nil for other addresses.
  ///
  /// - Parameter videos: some videos of the channel, by which PeerTube is recognized: other sites have `/c/NAME`, too.
  public static func address(
    of list: ChannelList, ofChannel address: WebAddress, videos: [Video] = []
  ) -> WebAddress? {
    if let channel = YouTubeSite.channel(address)?.text ?? Site.invidiousChannelPage(of: address) {
      return WebAddress("\(channel)/\(list.path)")
    }
    let isOfPeerTube =
      PeerTubeEndpoint(address: address)?.isCertain == true
      || videos.contains { [$0.detailsURL, $0.pageURL].compactMap(\.self).contains(where: isPeerTube) }
    guard isOfPeerTube, request(for: address) == nil else { return nil }
    return PeerTubeEndpoint.address(of: list, ofOwner: address)
  }

  static func isPeerTube(_ video: WebAddress) -> Bool {
    PeerTubeEndpoint(address: video)?.isSingleVideo == true
      && video.pathSegments.last?.utf8.count ?? 0 >= minimumPeerTubeIDLength
  }

  static func isInvidious(_ video: WebAddress) -> Bool {
    video.path.hasPrefix("/api/v1/videos/") && YouTubeSite.VideoID(video.pathSegments.last) != nil
  }
}

/// The lists that a channel of YouTube has. PeerTube has all but Shorts.
public enum ChannelList: String, CaseIterable, Sendable {
  case videos, shorts, live, playlists

  fileprivate var path: String { self == .live ? "streams" : rawValue }
}
