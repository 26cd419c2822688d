/// A character reference such as `&amp;`, `&#233;` or `&#xE9;`.
package struct HTMLEntity {
  package let scalar: Unicode.Scalar
  package let end: Int

  package init?(in bytes: [UInt8], at start: Int) {
    guard let found = Self.usual(bytes, start + 1) ?? Self.numeric(bytes, start + 1) ?? Self.named(bytes, start + 1)
    else { return nil }
    (scalar, end) = found
  }

  /// Parses the longest legacy name at `start`, which needs no semicolon in the text of HTML (html.spec.whatwg.org,
  /// 13.2.5.73); nil if there is none, and before `=`, because `&copy=2` is part of an address.
  init?(bareIn bytes: [UInt8], at start: Int) {
    let letters = Self.name(bytes, start + 1)
    // A name of two characters may begin with one of these.
    if bytes[safe: letters.upperBound] == UInt8(ascii: ";"), Self.scalar(named: bytes[letters]) != nil { return nil }
    for length in Self.legacyLengths.reversed() where length <= letters.count {
      let end = letters.lowerBound + length
      if let scalar = Self.scalar(named: bytes[letters.lowerBound..<end], isLegacy: true) {
        if bytes[safe: end] == UInt8(ascii: "=") { return nil }
        (self.scalar, self.end) = (scalar, end)
        return
      }
    }
    return nil
  }

  /// Returns the entity if it is one of the most frequent ones, without a search.
  private static func usual(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, end: Int)? {
    guard start + 2 < bytes.count else { return nil }
    switch (bytes[start], bytes[start + 1], bytes[start + 2]) {
    case (UInt8(ascii: "l"), UInt8(ascii: "t"), UInt8(ascii: ";")): return ("<", start + 3)
    case (UInt8(ascii: "g"), UInt8(ascii: "t"), UInt8(ascii: ";")): return (">", start + 3)
    case (UInt8(ascii: "a"), UInt8(ascii: "m"), UInt8(ascii: "p")) where bytes[safe: start + 3] == UInt8(ascii: ";"):
      return ("&", start + 4)
    case (UInt8(ascii: "q"), UInt8(ascii: "u"), UInt8(ascii: "o")) where bytes[start...].starts(with: "quot;".utf8):
      return ("\"", start + 5)
    case (UInt8(ascii: "n"), UInt8(ascii: "b"), UInt8(ascii: "s")) where bytes[start...].starts(with: "nbsp;".utf8):
      return ("\u{A0}", start + 5)
    default: return nil
    }
  }

  /// Parses up to seven decimal or eight hexadecimal digits, as in `#39;` and `#x27;`.
  private static func numeric(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, end: Int)? {
    guard bytes[safe: start] == UInt8(ascii: "#") else { return nil }
    let isHexadecimal = bytes[safe: start + 1]?.lowercased == UInt8(ascii: "x")
    let digits = bytes[(start + (isHexadecimal ? 2 : 1))...].prefix(isHexadecimal ? 8 : 7)
      .prefix { isHexadecimal ? $0.hexDigitValue != nil : $0.isASCIIDigit }
    guard bytes[safe: digits.endIndex] == UInt8(ascii: ";"),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10)
    else { return nil }
    let end = digits.endIndex + 1
    guard (0x80...0x9F).contains(value) else { return Unicode.Scalar(value).map { ($0, end) } }
    // HTML reads the C1 numbers as windows-1252.
    let scalar = TextEncoding.Windows1252.upper[Int(value - 0x80)]
    return (scalar.value < 0xA0 ? "\u{FFFD}" : scalar, end)
  }

  private static let longestName = 31
  private static let legacyLengths = 2...6

  private static func named(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, end: Int)? {
    let letters = name(bytes, start)
    guard bytes[safe: letters.upperBound] == UInt8(ascii: ";"),
      let scalar = Self.scalar(named: bytes[letters]), scalar.value != 0
    else { return nil }
    return (scalar, letters.upperBound + 1)
  }

  private static func name(_ bytes: [UInt8], _ start: Int) -> Range<Int> {
    var end = start
    while end < bytes.count, end - start <= longestName, bytes[end].isASCIILetter || bytes[end].isASCIIDigit {
      end += 1
    }
    return start..<end
  }
}
