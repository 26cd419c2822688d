/// Sites whose web addresses tell where their feeds are, so that what a person copies from the browser is understood.
public enum KnownSite {
  /// The feed that belongs to a page's address; nil where the site is not known or the page has none.
  ///
  /// | page | feed |
  /// |---|---|
  /// | `youtube.com/channel/ID`, `/user/NAME`, `/playlist?list=ID`, `/watch?…&list=ID` | YouTube's own Atom |
  public static func feedAddress(for page: WebAddress) -> WebAddress? {
    switch page.host.lowercased() {
    case "youtube.com", "www.youtube.com", "m.youtube.com": youTube(page)
    default: nil
    }
  }

  /// Whether a feed is one of those that their site says now and then are not there, for no reason: YouTube's.
  public static func failsAtTimes(_ feed: WebAddress) -> Bool {
    feed.host == "www.youtube.com" && feed.path == "/feeds/videos.xml"
  }

  private static func youTube(_ page: WebAddress) -> WebAddress? {
    let segments = page.pathSegments
    switch segments.first {
    case "channel" where segments.count >= 2: return youTubeFeed("channel_id", segments[1])
    case "user" where segments.count >= 2: return youTubeFeed("user", segments[1])
    case "playlist", "watch": return page.queryValue("list").flatMap { youTubeFeed("playlist_id", $0) }
    default: return nil
    }
  }

  private static func youTubeFeed(_ name: String, _ value: String) -> WebAddress? {
    guard !value.isEmpty else { return nil }
    return WebAddress("https://www.youtube.com/feeds/videos.xml?\(name)=\(PercentCoding.encode(value))")
  }
}
