/// A character reference such as `&amp;`, `&#233;` or `&#xE9;`.
package struct HTMLEntity {
  package let scalar: Unicode.Scalar
  package let end: Int

  package init?(in bytes: [UInt8], at start: Int) {
    guard
      let found = Self.usual(bytes, start + 1) ?? Self.decimal(bytes, start + 1) ?? Self.hexadecimal(bytes, start + 1)
        ?? Self.named(bytes, start + 1)
    else { return nil }
    (scalar, end) = found
  }

  /// Parses the longest legacy name at `start`, which needs no semicolon in the text of HTML (html.spec.whatwg.org,
  /// 13.2.5.73); nil if there is none, and before `=`, because `&copy=2` is part of an address.
  init?(bareIn bytes: [UInt8], at start: Int) {
    let letters = Self.name(bytes, start + 1)
    // A name of two characters may begin with one of these.
    if bytes[safe: letters.upperBound] == UInt8(ascii: ";"), Self.scalar(named: bytes[letters]) != nil {
      return nil
    }
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

  private static func decimal(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, end: Int)? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "#") else { return nil }
    var value: UInt32 = 0
    var index = start + 1
    while index < min(start + 8, bytes.count), bytes[index].isASCIIDigit {
      value = value * 10 + UInt32(bytes[index] - 0x30)
      index += 1
    }
    return character(value, bytes, from: start + 1, to: index)
  }

  private static func hexadecimal(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, end: Int)? {
    guard bytes[safe: start] == UInt8(ascii: "#"), bytes[safe: start + 1]?.lowercased == UInt8(ascii: "x") else {
      return nil
    }
    var value: UInt32 = 0
    var index = start + 2
    while index < min(start + 10, bytes.count), let digit = bytes[index].hexDigitValue {
      value = value << 4 | UInt32(digit)
      index += 1
    }
    return character(value, bytes, from: start + 2, to: index)
  }

  private static func character(
    _ value: UInt32, _ bytes: [UInt8], from start: Int, to end: Int
  ) -> (Unicode.Scalar, end: Int)? {
    guard end > start, bytes[safe: end] == UInt8(ascii: ";") else { return nil }
    guard (0x80...0x9F).contains(value) else { return Unicode.Scalar(value).map { ($0, end + 1) } }
    // HTML reads the C1 numbers as windows-1252.
    let scalar = TextEncoding.Windows1252.upper[Int(value - 0x80)]
    return (scalar.value < 0xA0 ? "\u{FFFD}" : scalar, end + 1)
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
