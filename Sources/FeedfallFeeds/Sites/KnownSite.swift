import FeedfallText

/// A site whose web addresses tell what to ask it for.
protocol Site: SendableMetatype {
  /// The request for the first page of the list that an address stands for, be it a page that a person copied from the
  /// browser or a place in the site's interface for programs; nil for an address of another site, and for one that
  /// stands for no list.
  ///
  /// `count` is how many videos a page is wished to hold; nil for what the site finds usual.
  static func request(for address: WebAddress, count: Int?) -> WebAddress?
}

/// Sites whose web addresses tell where their lists are, so that what a person copies from the browser is understood.
public enum KnownSite {
  /// A new site is one that has `Site`, and a row here.
  private static let sites: [any Site.Type] = [YouTubeSite.self, MediaCCCSite.self, CommonsSite.self, ArchiveSite.self]

  /// The request for the first page of the list that an address stands for; nil where the site is not known or the
  /// address stands for no list.
  public static func request(for address: WebAddress, count: Int? = nil) -> WebAddress? {
    sites.lazy.compactMap { $0.request(for: address, count: count) }.first
  }

  /// Whether a feed is one of those that their site says now and then are not there, for no reason: YouTube's.
  public static func failsAtTimes(_ feed: WebAddress) -> Bool {
    feed.host == "www.youtube.com" && feed.path == "/feeds/videos.xml"
  }
}
