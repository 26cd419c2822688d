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
  /// - Complexity: O(n · m) in the worst case; usually 32 positions are rejected at once by the first and the last byte.
  func contains(_ needle: [UInt8], in range: Range<Int>) -> Bool {
    guard let first = needle.first, let last = needle.last else { return true }
    let tail = needle.count - 1
    let end = range.upperBound - tail
    return withUnsafeBufferPointer { bytes in
      guard end - range.lowerBound >= Self.blockLength else {
        return range.lowerBound < end && Self.matches(needle, bytes, range.lowerBound..<end)
      }
      var position = range.lowerBound
      while position < end {
        // The last block overlaps the one before.
        position = Swift.min(position, end - Self.blockLength)
        var isCandidate: UInt8 = 0
        for index in position..<position &+ Self.blockLength {
          isCandidate |= (bytes[index] ^ first) | (bytes[index &+ tail] ^ last) == 0 ? 1 : 0
        }
        if isCandidate != 0, Self.matches(needle, bytes, position..<position + Self.blockLength) { return true }
        position += Self.blockLength
      }
      return false
    }
  }

  private static let blockLength = 32

  /// Returns whether the needle begins at one of the positions.
  private static func matches(
    _ needle: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, _ positions: Range<Int>
  ) -> Bool {
    positions.contains { position in
      bytes[position] == needle[0] && needle.indices.allSatisfy { bytes[position + $0] == needle[$0] }
    }
  }
}
