// Inlinable, because the readers of documents in other modules use these for each byte.

extension UInt8 {
  @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
  @inlinable package static var backslash: UInt8 { UInt8(ascii: "\\") }
  @inlinable package static var openBrace: UInt8 { UInt8(ascii: "{") }
  @inlinable package static var closeBrace: UInt8 { UInt8(ascii: "}") }
  @inlinable package static var openBracket: UInt8 { UInt8(ascii: "[") }
  @inlinable package static var closeBracket: UInt8 { UInt8(ascii: "]") }
  @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
  @inlinable package static var colon: UInt8 { UInt8(ascii: ":") }
  @inlinable package static var slash: UInt8 { UInt8(ascii: "/") }
  @inlinable package static var percent: UInt8 { UInt8(ascii: "%") }
  @inlinable package static var space: UInt8 { UInt8(ascii: " ") }

  @inlinable package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
  @inlinable package var isASCIIUpper: Bool { self >= 0x41 && self <= 0x5A }
  @inlinable package var isASCIILetter: Bool { lowercased >= 0x61 && lowercased <= 0x7A }
  @inlinable package var lowercased: UInt8 { isASCIIUpper ? self | 0x20 : self }

  @inlinable package var isWhiteSpace: Bool { self == 0x20 || self >= 0x09 && self <= 0x0D }
  /// The four characters that JSON allows between its tokens (RFC 8259, 2).
  @inlinable package var isJSONWhiteSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  @inlinable package var hexDigitValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The index of the first occurrence of a byte between two indices; eight bytes are compared at a time.
  package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = range.lowerBound
    while index + 8 <= range.upperBound {
      let word = UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
      // The lowest bit that is set belongs to the first equal byte (Hacker's Delight, 6-1).
      let difference = word ^ (ones &* UInt64(byte))
      let equal = (difference &- ones) & ~difference & (ones << 7)
      if equal != 0 { return index + equal.trailingZeroBitCount / 8 }
      index += 8
    }
    return (index..<range.upperBound).first { self[$0] == byte }
  }

  /// Whether both have the same bytes; eight are compared at a time.
  @inlinable package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    // Copies of a long text share its memory.
    if baseAddress == other.baseAddress { return true }
    var index = 0
    while index + 8 <= count {
      let left = loadUnaligned(fromByteOffset: index, as: UInt64.self)
      guard left == other.loadUnaligned(fromByteOffset: index, as: UInt64.self) else { return false }
      index += 8
    }
    while index < count {
      guard self[index] == other[index] else { return false }
      index += 1
    }
    return true
  }
}

extension String {
  /// Several times as fast as `utf8.contains`.
  package func contains(ascii byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable {
      UnsafeRawBufferPointer($0).firstIndex(of: byte, in: 0..<$0.count) != nil
    } ?? utf8.contains(byte)
  }

  /// The text in quotation marks, as a string of JSON.
  package var quoted: String {
    guard utf8.contains(where: { $0 == .quote || $0 == .backslash || $0 < 0x20 }) else { return "\"\(self)\"" }
    // By scalars: a quote with a combining mark is another character.
    return unicodeScalars.reduce(into: "\"") { result, scalar in
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\u{0}"..<" ": result += "\\u" + scalar.value.hexadecimal(digitCount: 4)
      default: result.unicodeScalars.append(scalar)
      }
    } + "\""
  }

  /// The text with the marks of XML and HTML as character references.
  package var escapedMarkup: String {
    unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  package var nonEmpty: String? { isEmpty ? nil : self }

  /// Whether both have the same bytes; `==` ignores Unicode normalization.
  package func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable {
        UnsafeRawBufferPointer(left).hasSameBytes(as: UnsafeRawBufferPointer($0))
      }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension [UInt8] {
  @inlinable package subscript(safe index: Int) -> UInt8? { indices.contains(index) ? self[index] : nil }

  /// The first bytes of a text in UTF-8, copied as a block.
  package init(first byteCount: Int, of text: String) {
    var text = text
    self = text.withUTF8 { Array(UnsafeBufferPointer(rebasing: $0.prefix(byteCount))) }
  }

  package func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
    withUnsafeBytes { $0.firstIndex(of: byte, in: range) }
  }

  /// The index of the first occurrence of this ASCII text, in any case.
  package func firstIndex(of text: String, from start: Int) -> Int? {
    let wanted = Array(text.utf8)
    var rest = Swift.min(start, count)..<count
    while let found = wanted[0].isASCIILetter
      ? self[rest].firstIndex(where: { $0.lowercased == wanted[0] }) : firstIndex(of: wanted[0], in: rest)
    {
      if wanted.indices.allSatisfy({ self[safe: found + $0]?.lowercased == wanted[$0] }) { return found }
      rest = found + 1..<count
    }
    return nil
  }

  package func contains(sequence: String.UTF8View) -> Bool {
    let wanted = Array(sequence)
    guard wanted.count <= count else { return false }
    return (0...(count - wanted.count)).contains { self[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }

  package func trimmingBlanks() -> [UInt8] {
    guard let start = firstIndex(where: { !$0.isWhiteSpace }), let end = lastIndex(where: { !$0.isWhiteSpace })
    else { return [] }
    return start == startIndex && end == endIndex - 1 ? self : Array(self[start...end])
  }
}

/// Finds the next occurrence of a byte and remembers it, so that asking at every index of a text is O(n) in all.
package struct ByteFinder: Sendable {
  private let byte: UInt8
  private var found = -1

  package init(_ byte: Unicode.Scalar) { self.byte = UInt8(ascii: byte) }

  package mutating func next(in bytes: [UInt8], from start: Int) -> Int? {
    if found < start {
      found =
        bytes.indices.contains(start) ? bytes.firstIndex(of: byte, in: start..<bytes.count) ?? bytes.count : bytes.count
    }
    return found < bytes.count ? found : nil
  }
}

extension String? {
  package var nonEmpty: String? { flatMap(\.nonEmpty) }
}

extension Sequence {
  /// Computes the value once; `lazy.compactMap(_:).first` computes it twice.
  @inlinable package func firstNonNil<Value>(_ transform: (Element) throws -> Value?) rethrows -> Value? {
    for element in self {
      if let value = try transform(element) { return value }
    }
    return nil
  }
}

extension ArraySlice<UInt8> {
  /// By the values of the numbers in the names: `2.mp4` is before `10.mp4`.
  package func precedesNaturally(_ other: ArraySlice<UInt8>) -> Bool {
    var (rest, others) = (self, other)
    while let first = rest.first, let second = others.first {
      guard first.isASCIIDigit, second.isASCIIDigit else {
        guard first == second else { return first < second }
        (rest, others) = (rest.dropFirst(), others.dropFirst())
        continue
      }
      let (number, otherNumber) = (rest.removeNumber(), others.removeNumber())
      if number.count != otherNumber.count { return number.count < otherNumber.count }
      if !number.elementsEqual(otherNumber) { return number.lexicographicallyPrecedes(otherNumber) }
    }
    return rest.isEmpty && others.isEmpty ? lexicographicallyPrecedes(other) : rest.isEmpty
  }

  private mutating func removeNumber() -> ArraySlice<UInt8> {
    let digits = prefix { $0.isASCIIDigit }
    self = dropFirst(digits.count)
    return digits.drop { $0 == UInt8(ascii: "0") }
  }
}

extension FixedWidthInteger where Self: UnsignedInteger {
  package func hexadecimal(digitCount: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, digitCount - digits.utf8.count)) + digits
  }
}

/// Splits the output of a program into lines, each of which ends with a newline or a carriage return.
package struct LineSplitter: Sendable {
  private let maximumLength: Int
  private var line: [UInt8] = []

  /// - Parameter maximumLength: in bytes; the rest of a longer line is ignored.
  package init(maximumLength: Int) { self.maximumLength = maximumLength }

  package mutating func lines(in output: some Sequence<UInt8>) -> [[UInt8]] {
    var lines: [[UInt8]] = []
    for byte in output {
      if byte == 0x0A || byte == 0x0D {
        lines.append(line)
        line = []
      } else if line.count < maximumLength {
        line.append(byte)
      }
    }
    return lines
  }
}

/// A text that is compared by its bytes. `String` ignores Unicode normalization, so that two IDs of a feed could be
/// equal.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  // The hash may stay that of the text: equal bytes have equal hashes.
  package static func == (left: ExactText, right: ExactText) -> Bool { left.text.hasSameBytes(as: right.text) }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
