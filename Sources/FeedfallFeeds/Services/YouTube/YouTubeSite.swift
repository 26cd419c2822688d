import FeedfallText

/// YouTube, whose Atom feeds contain the newest 15 videos of a channel or a playlist.
///
/// Recognizes `/channel/ID`, `/user/NAME`, `/playlist?list=ID` and `/watch?…&list=ID`.
enum YouTubeSite: Site {
  static func request(for address: WebAddress, count: Int?) -> WebAddress? {
    guard ["youtube.com", "www.youtube.com", "m.youtube.com"].contains(address.host) else { return nil }
    let segments = address.pathSegments
    switch segments.first {
    case "feeds": return address
    case "channel" where segments.count >= 2: return feed("channel_id", segments[1])
    case "user" where segments.count >= 2: return feed("user", segments[1])
    case "playlist", "watch":
      return address.queryValue("list").flatMap { isPersonal($0) ? nil : feed("playlist_id", $0) }
    default: return nil
    }
  }

  /// Whether the list is a mix or belongs to the logged-in user; such lists have no feeds.
  private static func isPersonal(_ list: String) -> Bool {
    ["WL", "LL", "LM"].contains(list) || list.hasPrefix("RD") || list.hasPrefix("UL")
  }

  private static func feed(_ name: String, _ value: String) -> WebAddress? {
    guard !value.isEmpty else { return nil }
    return WebAddress("https://www.youtube.com/feeds/videos.xml?\(name)=\(PercentCoding.encode(value))")
  }
}
