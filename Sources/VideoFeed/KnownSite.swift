/// Sites whose web addresses tell where their feeds are, so that what a person copies from the browser is understood.
public enum KnownSite {
  /// The feed that belongs to a page's address; nil where the site is not known or the page has none.
  ///
  /// | page | feed |
  /// |---|---|
  /// | `youtube.com/channel/ID`, `/playlist?list=ID`, `/user/NAME`, `/watch?…&list=ID` | YouTube's own Atom |
  /// | `media.ccc.de/`, `/c/ACRONYM`, `/search?q=WORDS` | the public JSON of media.ccc.de |
  /// | `commons.wikimedia.org/wiki/Category:NAME`, `?search=WORDS` | MediaWiki's action API |
  /// | `archive.org/details/NAME`, `/search?query=WORDS` | the Internet Archive's search |
  public static func feedAddress(for page: WebAddress) -> WebAddress? {
    switch page.host.lowercased() {
    case "youtube.com", "www.youtube.com", "m.youtube.com": youTube(page)
    case "media.ccc.de", "www.media.ccc.de": mediaCCC(page)
    case "commons.wikimedia.org", "commons.m.wikimedia.org": commons(page)
    case "archive.org", "www.archive.org": archive(page)
    default: nil
    }
  }

  private static func youTube(_ page: WebAddress) -> WebAddress? {
    let feed = "https://www.youtube.com/feeds/videos.xml?"
    let segments = page.pathSegments
    switch segments.first {
    case "channel" where segments.count >= 2: return made("\(feed)channel_id=", segments[1])
    case "user" where segments.count >= 2: return made("\(feed)user=", segments[1])
    case "playlist", "watch": return page.queryValue("list").flatMap { made("\(feed)playlist_id=", $0) }
    default: return nil
    }
  }

  private static func mediaCCC(_ page: WebAddress) -> WebAddress? {
    let api = "https://api.media.ccc.de/public/"
    let segments = page.pathSegments
    switch segments.first {
    case nil, "recent": return WebAddress(api + "events/recent")
    case "popular": return WebAddress(api + "events/popular")
    case "c" where segments.count >= 2: return made("\(api)conferences/", segments[1])
    case "search": return page.queryValue("q").flatMap { made("\(api)events/search?q=", $0) }
    default: return nil
    }
  }

  private static func commons(_ page: WebAddress) -> WebAddress? {
    let title = page.pathSegments.first == "wiki" ? page.pathSegments.dropFirst().joined(separator: "/") : nil
    let list: String
    if let words = page.queryValue("search") {
      list = "generator=search&gsrnamespace=6&gsrlimit=30&gsrsearch=filetype%3Avideo%20" + encoded(words)
    } else if let title, title.hasPrefix("Category:") {
      list = "generator=categorymembers&gcmtype=file&gcmlimit=30&gcmtitle=" + encoded(title)
    } else {
      return nil
    }
    let wanted = "prop=videoinfo&viprop=url%7Csize%7Cmime%7Cderivatives%7Cextmetadata%7Cuser%7Ctimestamp&viurlwidth=500"
    return WebAddress(
      "https://commons.wikimedia.org/w/api.php?action=query&format=json&formatversion=2&\(list)&\(wanted)")
  }

  private static func archive(_ page: WebAddress) -> WebAddress? {
    let segments = page.pathSegments
    let query: String
    switch segments.first {
    case "details" where segments.count == 2: query = "collection:\(segments[1])"
    case "search":
      guard let words = page.queryValue("query") else { return nil }
      query = words
    default: return nil
    }
    let fields = ["identifier", "title", "creator", "date", "description", "downloads"]
    let wanted = fields.map { "fl%5B%5D=\($0)" }.joined(separator: "&")
    return WebAddress(
      "https://archive.org/advancedsearch.php?q=\(encoded("(\(query)) AND mediatype:movies"))&\(wanted)"
        + "&sort%5B%5D=downloads%20desc&rows=30&page=1&output=json")
  }

  private static func made(_ start: String, _ value: String) -> WebAddress? {
    value.isEmpty ? nil : WebAddress(start + encoded(value))
  }

  private static func encoded(_ text: String) -> String { PercentCoding.encode(text) }
}
