/// Returns the UTF-8 of a text without case and diacritics: `Café` and `CAFE` become `cafe`, `Æther` becomes `aether`,
/// typographic quotation marks and dashes become those of ASCII, and line breaks become blanks.
///
/// - Complexity: O(n).
public func folded(_ text: some StringProtocol) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.appendFolded(String(text))
  return bytes
}

extension [UInt8] {
  /// Appends a folded text; of a longer one, the part that its first `limit` bytes become.
  mutating func appendFolded(_ text: String, limit: Int = .max) {
    var text = text
    let isASCII = text.utf8Span.isKnownASCII
    text.withUTF8 { source in
      let end = Swift.min(source.count, limit)
      var index = 0
      while index < end {
        let runEnd = isASCII ? end : source[index..<end].firstIndex { $0 >= 0x80 } ?? end
        appendFoldedASCII(UnsafeBufferPointer(rebasing: source[index..<runEnd]))
        index = runEnd
        while index < end, source[index] >= 0x80 { index += appendFoldedScalar(source, at: index) }
      }
    }
  }

  private mutating func appendFoldedASCII(_ source: UnsafeBufferPointer<UInt8>) {
    let start = count
    append(contentsOf: source)
    // In place, because the compiler vectorizes this loop.
    withUnsafeMutableBufferPointer { bytes in
      for index in start..<bytes.count { bytes[index] = Self.foldedASCII(bytes[index]) }
    }
  }

  static func foldedASCII(_ byte: UInt8) -> UInt8 {
    let lower = byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    return byte == 0x0A || byte == 0x0D || byte == 0x09 ? UInt8(ascii: " ") : lower
  }

  /// Appends the folded scalar that begins at an index of valid UTF-8 and returns the length of its encoding.
  private mutating func appendFoldedScalar(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let length = source[index] < 0xE0 ? 2 : source[index] < 0xF0 ? 3 : 4
    guard index + length <= source.count else { return source.count - index }
    let encoded = source[index..<index + length]
    let first = UInt32(source[index]) & (0xFF >> UInt32(length + 1))
    let value = encoded.dropFirst().reduce(first) { $0 << 6 | UInt32($1 & 0x3F) }
    if let folded = FoldingTable.shared[value] { append(contentsOf: folded) } else { append(contentsOf: encoded) }
    return length
  }
}

/// The scalars beyond ASCII that folding changes.
///
/// The Unicode names give the letters below diacritics: `LATIN SMALL LETTER E WITH ACUTE` is an `E`.
private struct FoldingTable {
  static let shared = FoldingTable()

  private var texts: [UInt32: [UInt8]] = [:]

  private static let marks: ClosedRange<UInt32> = 0x300...0x36F
  private static let letters: [ClosedRange<UInt32>] = [0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF]
  private static let wideASCII: ClosedRange<UInt32> = 0xFF01...0xFF5E
  /// The basic Greek and Cyrillic letters.
  private static let basicLetters: ClosedRange<UInt32> = 0x3B1...0x44F
  private static let special: [(Unicode.Scalar, String)] = [
    ("ß", "ss"), ("ẞ", "ss"), ("ı", "i"), ("ſ", "s"), ("ς", "σ"), ("ё", "е"), ("Ё", "е"), ("й", "и"), ("Й", "и"),
    ("ї", "і"), ("Ї", "і"), ("ў", "у"), ("Ў", "у"), ("’", "'"), ("‘", "'"), ("‚", "'"), ("“", "\""), ("”", "\""),
    ("„", "\""), ("«", "\""), ("»", "\""), ("‐", "-"), ("‑", "-"), ("–", "-"), ("—", "-"), ("\u{A0}", " "),
    ("\u{2028}", " "), ("\u{2029}", " "),
  ]

  subscript(value: UInt32) -> [UInt8]? { texts[value] }

  private init() {
    let basic = Dictionary(
      Self.basicLetters.compactMap { Unicode.Scalar($0) }.compactMap { scalar in
        scalar.properties.name.map { ($0, scalar) }
      }, uniquingKeysWith: { first, _ in first })
    for scalar in Self.letters.joined().compactMap({ Unicode.Scalar($0) }) {
      let lower = scalar.properties.lowercaseMapping
      let folded = lower.unicodeScalars.map { Self.base(of: $0, basic) }.joined()
      if folded != String(scalar) { texts[scalar.value] = Array(folded.utf8) }
    }
    for mark in Self.marks { texts[mark] = [] }
    for value in Self.wideASCII { texts[value] = [[UInt8].foldedASCII(UInt8(value - 0xFEE0))] }
    for (scalar, text) in Self.special { texts[scalar.value] = Array(text.utf8) }
  }

  /// Returns the letter without its diacritics, and a ligature as its letters.
  private static func base(of scalar: Unicode.Scalar, _ basic: [String: Unicode.Scalar]) -> String {
    guard !marks.contains(scalar.value), let name = scalar.properties.name else { return "" }
    let plain = String(name.firstRange(of: " WITH ").map { name[..<$0.lowerBound] } ?? name[...])
    if let letter = basic[plain] { return String(letter) }
    for prefix in ["LATIN SMALL LETTER ", "LATIN SMALL LIGATURE "] where plain.hasPrefix(prefix) {
      let letters = plain.dropFirst(prefix.count)
      if letters.utf8.count <= 2 { return letters.lowercased() }
    }
    return String(scalar)
  }
}

extension [UInt8] {
  /// Returns whether a range contains other bytes.
  ///
  /// - Complexity: as for a buffer.
  func contains(_ needle: [UInt8], in range: Range<Int>) -> Bool {
    withUnsafeBufferPointer { $0.contains(needle, in: range) }
  }
}

extension String {
  /// Returns whether the text contains this UTF-8. Many times as fast as finding characters.
  func contains(_ needle: [UInt8]) -> Bool {
    var text = self
    return text.withUTF8 { $0.contains(needle, in: 0..<$0.count) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns whether a range contains other bytes.
  ///
  /// - Complexity: O(n · m) in the worst case; usually eight positions are rejected at once by the first and the last
  ///   byte.
  fileprivate func contains(_ needle: [UInt8], in range: Range<Int>) -> Bool {
    guard let first = needle.first, let last = needle.last else { return true }
    let tail = needle.count - 1
    let end = range.upperBound - tail
    guard end - range.lowerBound >= 8 else {
      return range.lowerBound < end && (range.lowerBound..<end).contains { has(needle, at: $0) }
    }
    let (firsts, lasts) = (Self.ones &* UInt64(first), Self.ones &* UInt64(last))
    var position = range.lowerBound
    while position < end {
      // The last word overlaps the one before.
      position = Swift.min(position, end - 8)
      let differences = (word(at: position) ^ firsts) | (word(at: position + tail) ^ lasts)
      // The high bits of zero bytes, and of a few bytes above them.
      var candidates = (differences &- Self.ones) & ~differences & (Self.ones << 7)
      while candidates != 0 {
        if has(needle, at: position + candidates.trailingZeroBitCount / 8) { return true }
        candidates &= candidates &- 1
      }
      position += 8
    }
    return false
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }

  private func word(at position: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawBufferPointer(self).loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private func has(_ needle: [UInt8], at position: Int) -> Bool {
    var index = 0
    while index < needle.count, self[position + index] == needle[index] { index += 1 }
    return index == needle.count
  }
}
