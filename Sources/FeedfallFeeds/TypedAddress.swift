import FeedfallText

/// Texts that stand for an address: short forms such as `@handle`, and links that lead to another address.
public enum TypedAddress {
  private static let channel = "https://www.youtube.com/@"
  private static let list = "https://www.youtube.com/playlist?list="

  /// The starts of texts that are IDs of YouTube, their lengths in bytes, and their pages: channels, playlists, uploads,
  /// favorites, albums and lists of YouTube Music. Mixes, which depend on the viewer, have no short form.
  private static let idForms: [(start: String, counts: Set<Int>, page: String)] = [
    ("yt:", [14], "https://www.youtube.com/watch?v="), ("UC", [24], "https://www.youtube.com/channel/"),
    ("PL", [18, 34], list), ("UU", [24, 26], list), ("FL", [24], list), ("OLAK5uy_", [41], list),
    ("RDCLAK5uy_", [43], list),
  ]

  /// The maximum number of links that lead to one another.
  private static let maximumDepth = 4

  /// Returns the address that a text stands for; other texts unchanged.
  public static func expanded(_ text: String) -> String {
    var text = text
    for _ in 0..<maximumDepth {
      guard let next = shortForm(text) ?? feed(text) ?? target(text) else { break }
      text = next
    }
    return text
  }

  private static func feed(_ text: String) -> String? {
    let address = text.withoutFeedScheme
    return address == text ? nil : address
  }

  private static func target(_ text: String) -> String? {
    WebAddress(typed: text).flatMap(KnownSite.target(ofLink:))?.text
  }

  /// Returns the address of a channel, a playlist or a video by its ID, of `@handle` on YouTube, or of `@user@host`;
  /// nil for other texts.
  public static func shortForm(_ text: String) -> String? {
    if let form = idForms.first(where: { text.hasPrefix($0.start) && $0.counts.contains(text.utf8.count) }) {
      let id = form.start == "yt:" ? text.dropFirst(form.start.count) : text[...]
      return id.utf8.allSatisfy(\.isOfYouTubeID) ? form.page + id : nil
    }
    guard text.first == "@" else { return nil }
    let parts = text.dropFirst().split(separator: "@", omittingEmptySubsequences: false).map { String($0) }
    switch parts.count {
    case 1: return isHandle(parts[0]) ? channel + PercentCoding.encodeSegment(parts[0]) : nil
    case 2: return WebFinger.address(ofUser: parts[0], onHost: parts[1])?.text
    default: return nil
    }
  }

  /// As YouTube allows it (support.google.com/youtube/answer/11585688).
  private static func isHandle(_ text: String) -> Bool {
    (3...30).contains(text.count) && text.allSatisfy { $0.isLetter || $0.isNumber || "_-.·".contains($0) }
  }
}
