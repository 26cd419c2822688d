import FeedfallText

/// A site whose web addresses determine the request for their videos.
protocol Site: SendableMetatype {
  /// Returns the request for the first page of videos of an address, which is a page copied from the browser or an address
  /// of the site's API; nil for another site or an address without videos.
  ///
  /// `count` is the requested number of videos per page; nil for the default of the site.
  static func request(for address: WebAddress, count: Int?) -> WebAddress?
  /// The reason why the videos of a page of the site cannot be requested; nil for other addresses.
  static func refusal(of address: WebAddress) -> FeedFailure?
  /// Whether only yt-dlp finds the videos of an address.
  static func needsYtDlp(_ address: WebAddress) -> Bool
}

extension Site {
  static func refusal(of address: WebAddress) -> FeedFailure? { nil }
  static func needsYtDlp(_ address: WebAddress) -> Bool { false }
}

/// Converts addresses copied from the browser to requests, for the sites in its table.
public enum KnownSite {
  private static let sites: [any Site.Type] = [
    YouTubeSite.self, YouTubeProxySite.self, MediaCCCSite.self, CommonsSite.self, ArchiveSite.self, VimeoSite.self,
    OdyseeSite.self,
    BitChuteSite.self, MediathekViewSite.self, SharedFileSite.self,
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

  /// The cookies of requests to an address; nil for none.
  public static func cookie(for address: WebAddress) -> String? { YouTubeSite.cookie(for: address) }

  /// Whether an address is a list of YouTube's Shorts or streams.
  public static func isShortsTab(_ address: WebAddress) -> Bool { YouTubeSite.isShortsTab(address) }

  /// Returns the address of the file behind a share link; nil for other addresses.
  public static func file(ofPage address: WebAddress) -> WebAddress? {
    SharedFileSite.request(for: address, count: nil)
  }

  /// Whether yt-dlp may find the videos of a page whose feed is refused.
  public static func mayNeedYtDlp(_ address: WebAddress) -> Bool {
    BitChuteSite.request(for: address, count: nil) != nil
  }

  /// Returns another address with the videos of a request, for a server that refuses it; nil if there is none.
  public static func alternative(to request: WebAddress) -> WebAddress? { YouTubeProxySite.alternative(to: request) }

  /// Returns the feed of a channel of YouTube without its Shorts and streams; other addresses unchanged.
  public static func withoutShorts(_ feed: WebAddress) -> WebAddress { YouTubeSite.withoutShorts(feed) }

  /// Whether only yt-dlp finds the videos of an address.
  public static func needsYtDlp(_ address: WebAddress) -> Bool { sites.contains { $0.needsYtDlp(address) } }

  /// Whether the site of a feed sometimes reports it missing by mistake, which YouTube does.
  public static func failsAtTimes(_ feed: WebAddress) -> Bool {
    feed.host == "www.youtube.com" && feed.path == "/feeds/videos.xml"
  }
}
