import FeedfallText

/// A site whose web addresses determine the request for their videos.
protocol Site: SendableMetatype {
  /// Returns the request for the first page of videos of an address, which is a page copied from the browser or an
  /// address of the site's API; nil for another site or an address without videos.
  ///
  /// `count` is the requested number of videos per page; nil for the default of the site.
  static func request(for address: WebAddress, count: Int?) -> WebAddress?
  static func refusal(of address: WebAddress) -> FeedFailure?
  static func needsYtDlp(_ address: WebAddress) -> Bool
}

extension Site {
  static func refusal(of address: WebAddress) -> FeedFailure? { nil }
  static func needsYtDlp(_ address: WebAddress) -> Bool { false }
}

/// Converts addresses copied from the browser to requests, for the sites in its table.
public enum KnownSite {
  private static let sites: [any Site.Type] = [
    YouTubeSite.self, YouTubeProxySite.self, MediaCCCSite.self, CommonsSite.self, ArchiveSite.self, FeedSite.self,
    SharedFileSite.self,
  ]

  /// Returns the request for the first page of videos of an address; nil for an unknown site or an address without
  /// videos.
  public static func request(for address: WebAddress, count: Int? = nil) -> WebAddress? {
    sites.firstNonNil { $0.request(for: address, count: count) }
  }

  /// The reason why the videos of a page of a known site cannot be requested; nil for other addresses.
  public static func refusal(of address: WebAddress) -> FeedFailure? { sites.firstNonNil { $0.refusal(of: address) } }

  /// Returns the list that a page shows, if the page identifies its software, as Invidious does; nil for other pages.
  public static func meaning(ofPage body: [UInt8], at address: WebAddress) -> PageMeaning? {
    YouTubeProxySite.meaning(ofPage: body, at: address) ?? YouTubeSite.meaning(ofPage: body, at: address)
  }

  /// Returns the address of the file behind a share link; nil for other addresses.
  public static func file(ofPage address: WebAddress) -> WebAddress? {
    SharedFileSite.request(for: address, count: nil)
  }

  /// Whether yt-dlp may find the videos of a page whose feed is refused.
  public static func mayNeedYtDlp(_ address: WebAddress) -> Bool { FeedSite.isBitChuteChannel(address) }

  /// Whether only yt-dlp finds the videos of an address.
  public static func needsYtDlp(_ address: WebAddress) -> Bool { sites.contains { $0.needsYtDlp(address) } }

  /// Whether the site of a feed sometimes reports it missing by mistake, which YouTube does.
  public static func failsAtTimes(_ feed: WebAddress) -> Bool {
    feed.host == "www.youtube.com" && feed.path == "/feeds/videos.xml"
  }
}

extension KnownSite {
  /// The minimum length of an ID that only PeerTube has. Very old instances have numbers, like other sites.
  private static let minimumPeerTubeIDLength = 20

  /// Returns the address of the videos that a server finds; nil for a server without a known search.
  ///
  /// - Parameter videos: some videos of the source, by which servers of PeerTube and Invidious are recognized.
  public static func search(for words: String, onServerOf source: WebAddress, videos: [Video]) -> WebAddress? {
    let words = PercentCoding.encode(words)
    switch source.host {
    case "sepiasearch.org": return WebAddress("https://sepiasearch.org/search?search=\(words)")
    case "commons.wikimedia.org", "commons.m.wikimedia.org":
      return WebAddress("https://commons.wikimedia.org/w/index.php?search=\(words)")
    case "archive.org", "www.archive.org": return WebAddress("\(ArchiveSite.origin)/search?query=\(words)")
    case "media.ccc.de", "www.media.ccc.de", "api.media.ccc.de":
      return WebAddress("https://media.ccc.de/search?q=\(words)")
    default: break
    }
    let pages = videos.flatMap { [$0.detailsURL, $0.pageURL].compactMap(\.self) }.filter { $0.origin == source.origin }
    if PeerTubeEndpoint(address: source)?.isCertain == true || pages.contains(where: isPeerTube) {
      return WebAddress("\(source.origin)/api/v1/search/videos?search=\(words)")
    }
    let isInvidious = YouTubeProxySite.isPublicInvidious(source.host) || pages.contains(where: isInvidious)
    return isInvidious ? WebAddress("\(source.origin)/search?q=\(words)") : nil
  }

  private static func isPeerTube(_ video: WebAddress) -> Bool {
    guard PeerTubeEndpoint(address: video)?.isSingleVideo == true, let id = video.pathSegments.last else {
      return false
    }
    return id.utf8.count >= minimumPeerTubeIDLength
  }

  private static func isInvidious(_ video: WebAddress) -> Bool {
    video.path.hasPrefix("/api/v1/videos/") && YouTubeSite.VideoID(video.pathSegments.last) != nil
  }
}

/// The list that a page of a site shows, as a request to the API of the site.
public enum PageMeaning: Equatable, Sendable {
  case list(WebAddress)
  /// The API has no such list. Another one must not be shown in its place.
  case refused(FeedFailure)
}

extension PageMeaning {
  /// Only with those parameters of the page that the API also has. `base` has no slash at its end.
  static func list(_ base: String, _ path: String, passing names: [String] = [], of page: WebAddress) -> PageMeaning? {
    let items = names.flatMap { name in page.queryItems.filter { $0.name == name && !$0.value.isEmpty } }
    return WebAddress("\(base)/\(path)").map { .list(items.isEmpty ? $0 : $0.appending(items)) }
  }

  static func refused(_ reason: String, advice: String) -> PageMeaning {
    .refused(FeedFailure(.permanent, reason, advice: advice))
  }

  /// The page lists something else, such as playlists.
  static func refused(listOf items: String, advice: String) -> PageMeaning {
    refused("the page is a list of \(items), not of videos", advice: advice)
  }

  var list: WebAddress? { if case .list(let address) = self { address } else { nil } }

  var refusal: FeedFailure? { if case .refused(let failure) = self { failure } else { nil } }
}
