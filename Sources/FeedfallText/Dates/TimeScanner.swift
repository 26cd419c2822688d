/// Parses dates, times and durations. Each production of their grammars is a function.
package struct TimeScanner {
  let bytes: [UInt8]
  var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a text without its surrounding blanks; nil if it is empty or has more bytes than `limit`.
  init?(_ text: String, limit: Int) {
    var text = text
    let part: [UInt8]? = text.withUTF8 { bytes in
      guard let start = bytes.firstIndex(where: { $0 > 0x20 }), let end = bytes.lastIndex(where: { $0 > 0x20 }),
        end - start < limit
      else { return nil }
      return Array(bytes[start...end])
    }
    guard let part else { return nil }
    bytes = part.contains { $0 >= 0x80 } ? part.withASCIIMarks : part
  }

  var isAtEnd: Bool { index == bytes.count }
  var next: UInt8? { bytes[safe: index] }
  /// The byte after the next one.
  var second: UInt8? { bytes[safe: index + 1] }
  var nextIsDigit: Bool { next?.isASCIIDigit ?? false }
  var nextIsLetter: Bool { next.map(Self.isLetter) ?? false }

  static func isLetter(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte >= 0x80 }

  mutating func consume(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    index += 1
    return true
  }

  mutating func consume(any marks: StaticString) -> Bool {
    guard let next, UnsafeBufferPointer(start: marks.utf8Start, count: marks.utf8CodeUnitCount).contains(next) else {
      return false
    }
    index += 1
    return true
  }

  mutating func consume(word text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  /// Consumes the name of a unit in Chinese, Japanese or Korean, with the blanks before it.
  mutating func consume(named names: String...) -> Bool {
    var rest = self
    rest.skipBlanks()
    guard let next = rest.next, next >= 0x80, names.contains(where: { rest.consume(word: $0) }) else { return false }
    self = rest
    return true
  }

  /// Returns whether there were any.
  @discardableResult mutating func skipBlanks() -> Bool {
    let start = index
    while let next, next <= 0x20 { index += 1 }
    return index > start
  }

  /// Skips a remark in brackets, to the end if they are not closed.
  mutating func skipBrackets() {
    var depth = 0
    while let next {
      index += 1
      if next == UInt8(ascii: "(") || next == .openBracket { depth += 1 }
      if next == UInt8(ascii: ")") || next == .closeBracket { depth -= 1 }
      if depth == 0 { return }
    }
  }

  var digitCount: Int { bytes[index...].prefix { $0.isASCIIDigit }.count }

  mutating func number() -> (value: Int, digits: Int)? {
    let count = digitCount
    guard (1...18).contains(count), let value = number(of: count) else { return nil }
    return (value, count)
  }

  /// Parses a number of `count` digits; more digits may follow.
  mutating func number(of count: Int) -> Int? {
    let digits = bytes[index...].prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
    index += count
    return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  mutating func part(upTo maximum: Int) -> Int? {
    guard let number = number(), number.digits <= 2, number.value <= maximum else { return nil }
    return number.value
  }

  mutating func word() -> [UInt8] {
    let letters = bytes[index...].prefix(while: Self.isLetter)
    index += letters.count
    guard letters.contains(where: { $0 >= 0x80 }) else { return letters.map(\.lowercased) }
    return Array(String(decoding: letters, as: UTF8.self).lowercased().utf8)
  }
}

extension [UInt8] {
  /// With ASCII digits, blanks and marks in place of those of other scripts, without invisible characters.
  fileprivate var withASCIIMarks: [UInt8] {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: self, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0..<0x80: text.append(scalar)
      case 0x200B...0x200F, 0xFEFF: continue
      case 0x2010...0x2015, 0x2212, 0xFF0D: text.append("-")
      case 0xFF01...0xFF5E: text.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
      case 0x3001, 0xB7, 0x2022: text.append(",")
      default:
        if scalar.properties.isWhitespace {
          text.append(" ")
        } else if scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue {
          text.append(Unicode.Scalar(0x30 + UInt8(value)))
        } else {
          text.append(scalar)
        }
      }
    }
    return Array(String(text).utf8)
  }
}
