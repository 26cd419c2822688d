/// A case-insensitive search in titles.
struct TitleSearch: Equatable, Sendable {
  private let characters: [String]
  /// The needle's bytes if all are ASCII: finding them is many times as fast as finding characters.
  private let bytes: [UInt8]?

  /// Returns nil for an empty needle.
  init?(_ needle: String) {
    guard !needle.isEmpty else { return nil }
    characters = needle.map { $0.lowercased() }
    let bytes = characters.flatMap(\.utf8)
    self.bytes = bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
  }

  /// The first match.
  func match(in text: String) -> Range<String.Index>? {
    if let bytes { return match(of: bytes, in: text) }
    if text.utf8Span.isKnownASCII { return nil }
    var start = text.startIndex
    while start < text.endIndex {
      if let end = end(in: text, from: start) { return start..<end }
      start = text.index(after: start)
    }
    return nil
  }

  private func end(in text: String, from start: String.Index) -> String.Index? {
    var position = start
    for character in characters {
      guard position < text.endIndex, text[position].lowercased() == character else { return nil }
      position = text.index(after: position)
    }
    return position
  }

  private func match(of wanted: [UInt8], in text: String) -> Range<String.Index>? {
    let span = text.utf8Span.span
    guard span.count >= wanted.count else { return nil }
    for start in 0...span.count - wanted.count
    where wanted.indices.allSatisfy({ Self.lowercased(span[start + $0]) == wanted[$0] }) {
      let lower = text.utf8.index(text.startIndex, offsetBy: start)
      // A combining accent after the last letter would make it another character.
      if let upper = end(in: text, from: lower) { return lower..<upper }
    }
    return nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
