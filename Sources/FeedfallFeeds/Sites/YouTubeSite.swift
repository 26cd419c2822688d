import FeedfallText

/// YouTube, whose own Atom holds the newest fifteen of a channel or a list.
///
/// `/channel/ID`, `/user/NAME`, `/playlist?list=ID`, `/watch?…&list=ID` are understood, but for lists that have no feed.
enum YouTubeSite: Site {
  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    guard ["youtube.com", "www.youtube.com", "m.youtube.com"].contains(address.host) else { return nil }
    let segments = address.pathSegments
    switch segments.first {
    case "feeds": return address
    case "channel" where segments.count >= 2: return feed("channel_id", segments[1])
    case "user" where segments.count >= 2: return feed("user", segments[1])
    case "playlist", "watch":
      return address.queryValue("list").flatMap { isMadeForVisitor($0) ? nil : feed("playlist_id", $0) }
    default: return nil
    }
  }

  /// Whether it is a mix, or a list of the person who is logged in: of these there are no feeds.
  private static func isMadeForVisitor(_ list: String) -> Bool {
    ["WL", "LL", "LM"].contains(list) || list.hasPrefix("RD") || list.hasPrefix("UL")
  }

  private static func feed(_ name: String, _ value: String) -> WebAddress? {
    guard !value.isEmpty else { return nil }
    return WebAddress("https://www.youtube.com/feeds/videos.xml?\(name)=\(PercentCoding.encode(value))")
  }
}
