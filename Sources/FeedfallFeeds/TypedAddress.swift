import FeedfallText

/// Texts that stand for an address: short forms such as `@handle`, and links that lead to another address.
public enum TypedAddress {
  /// A start and the lengths of the texts with it, in bytes, which are IDs of YouTube.
  private struct IDForm: Sendable {
    let start: String
    let counts: Set<Int>
    let page: String
    /// Whether the start is not a part of the ID.
    var dropsStart = false
  }

  private static let channel = "https://www.youtube.com/@"
  private static let list = "https://www.youtube.com/playlist?list="

  /// Channels, playlists, uploads, favorites, albums and lists of YouTube Music. Mixes, which depend on the viewer, have
  /// no short form.
  private static let idForms = [
    IDForm(start: "yt:", counts: [14], page: "https://www.youtube.com/watch?v=", dropsStart: true),
    IDForm(start: "UC", counts: [24], page: "https://www.youtube.com/channel/"),
    IDForm(start: "PL", counts: [18, 34], page: list), IDForm(start: "UU", counts: [24, 26], page: list),
    IDForm(start: "FL", counts: [24], page: list), IDForm(start: "OLAK5uy_", counts: [41], page: list),
    IDForm(start: "RDCLAK5uy_", counts: [43], page: list),
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
      let id = form.dropsStart ? text.dropFirst(form.start.count) : text[...]
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
