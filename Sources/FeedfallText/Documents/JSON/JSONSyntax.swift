/// Finds the ends of values in JSON and unescapes strings (RFC 8259), in linear time and without recursion.
package enum JSONSyntax {
  @inline(__always)
  package static func skipWhiteSpace(_ bytes: [UInt8], _ start: Int) -> Int {
    var index = start
    while index < bytes.count, bytes[index].isJSONWhiteSpace { index += 1 }
    return index
  }

  /// The index after the string that begins at `start`; nil if it does not end before `limit`.
  @inline(__always)
  package static func endOfString(_ bytes: [UInt8], from start: Int, limit: Int) -> Int? {
    var index = start + 1
    while index < limit {
      let byte = bytes[index]
      if byte == .quote { return index + 1 }
      index += byte == .backslash ? 2 : 1
    }
    return nil
  }

  package static func endOfValue(_ bytes: [UInt8], from start: Int, limit: Int) -> Int? {
    guard start < limit else { return nil }
    switch bytes[start] {
    case .quote: return endOfString(bytes, from: start, limit: limit)
    case .openBrace, .openBracket: return endOfContainer(bytes, from: start, limit: limit)
    default:
      var index = start
      while index < limit, isLiteral(bytes[index]) { index += 1 }
      return index > start ? index : nil
    }
  }

  @inlinable package static func isLiteral(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: ".")
  }

  private static func endOfContainer(_ bytes: [UInt8], from start: Int, limit: Int) -> Int? {
    var depth = 0
    var index = start
    while index < limit {
      switch bytes[index] {
      case .quote:
        guard let end = endOfString(bytes, from: index, limit: limit) else { return nil }
        index = end
        continue
      case .openBrace, .openBracket: depth += 1
      case .closeBrace, .closeBracket:
        depth -= 1
        if depth == 0 { return index + 1 }
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Unescapes the text between the quotes of a string; an invalid escape becomes U+FFFD.
  static func unescaped(_ content: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var index = content.startIndex
    while index < content.endIndex {
      guard content[index] == .backslash else {
        result.append(content[index])
        index += 1
        continue
      }
      guard index + 1 < content.endIndex else { break }
      if content[index + 1] == UInt8(ascii: "u") {
        index = appendCodePoint(content, at: index, to: &result)
      } else {
        result += simpleEscape(content[index + 1])
        index += 2
      }
    }
    return text(result[...])
  }

  /// Returns a text in UTF-8. Invalid bytes are read as windows-1252.
  static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    // A byte that is not UTF-8 becomes three. `String(validating:)` costs more than all the rest of a short text.
    return text.utf8.count == bytes.count
      ? text : String(decoding: TextEncoding.UTF8Repair.repaired(bytes), as: UTF8.self)
  }

  private static func simpleEscape(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case .quote, .backslash, .slash: [byte]
    case UInt8(ascii: "n"): [0x0A]
    case UInt8(ascii: "t"): [0x09]
    case UInt8(ascii: "r"): [0x0D]
    case UInt8(ascii: "b"): [0x08]
    case UInt8(ascii: "f"): [0x0C]
    default: [0xEF, 0xBF, 0xBD]
    }
  }

  private static func appendCodePoint(_ content: ArraySlice<UInt8>, at start: Int, to result: inout [UInt8])
    -> Int
  {
    guard let unit = codeUnit(content, at: start) else {
      result += [0xEF, 0xBF, 0xBD]
      return start + 2
    }
    var end = start + 6
    var scalar = Unicode.Scalar(UInt32(unit))
    if UTF16.isLeadSurrogate(unit), let trail = codeUnit(content, at: end), UTF16.isTrailSurrogate(trail) {
      scalar = Unicode.Scalar(0x10000 + (UInt32(unit) & 0x3FF) << 10 + UInt32(trail) & 0x3FF)
      end += 6
    }
    result += Array(String(scalar ?? "\u{FFFD}").utf8)
    return end
  }

  private static func codeUnit(_ content: ArraySlice<UInt8>, at start: Int) -> UInt16? {
    guard start + 6 <= content.endIndex, content[start] == .backslash, content[start + 1] == UInt8(ascii: "u")
    else { return nil }
    var value: UInt16 = 0
    for byte in content[(start + 2)..<(start + 6)] {
      guard let digit = byte.hexDigitValue else { return nil }
      value = value << 4 | UInt16(digit)
    }
    return value
  }
}
