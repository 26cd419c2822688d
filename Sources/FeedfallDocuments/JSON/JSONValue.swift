import FeedfallText

/// A JSON value, read where it lies in its document and only as far as it is asked; tolerant of wrong types.
///
/// An item may have a hundred fields of which a card needs fifteen: the others are stepped over, and a bad
/// one spoils just itself.
package struct JSONValue {
  private let bytes: [UInt8]
  private let range: Range<Int>

  /// The most bytes of a string that are read.
  private static let maximumTextLength = 256 * 1_024

  /// A value that fills this range, without white space around it.
  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  private var first: UInt8? { range.isEmpty ? nil : bytes[range.lowerBound] }

  package var isNull: Bool { range.count == 4 && bytes[range].elementsEqual("null".utf8) }

  /// The members, where this is an object whose members can be told apart.
  package var object: JSONObject? { JSONObject(bytes, range) }

  /// The first values of an array, at most `limit`; nil where this is none.
  package func elements(limit: Int = 64) -> [JSONValue]? {
    guard first == .openBracket else { return nil }
    var values: [JSONValue] = []
    var index = JSONSyntax.skipWhiteSpace(bytes, range.lowerBound + 1)
    while values.count < limit, index < range.upperBound - 1 {
      guard let end = JSONSyntax.endOfValue(bytes, from: index, limit: range.upperBound - 1) else { break }
      values.append(JSONValue(bytes, index..<end))
      index = JSONSyntax.skipWhiteSpace(bytes, end)
      guard index < range.upperBound - 1, bytes[index] == .comma else { break }
      index = JSONSyntax.skipWhiteSpace(bytes, index + 1)
    }
    return values
  }

  /// The text of a string, its escapes resolved; nil where this is none.
  package var string: String? {
    guard first == .quote, range.count >= 2 else { return nil }
    let content = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)].prefix(Self.maximumTextLength)
    return content.contains(.backslash)
      ? JSONSyntax.unescaped(content) : String(decoding: content, as: UTF8.self)
  }

  /// The text of a string, or of a number as it is written.
  package var text: String? {
    if let string { return string }
    guard let first, first.isASCIIDigit || first == UInt8(ascii: "-") else { return nil }
    return literal
  }

  /// The whole part of a number, or of a string that is one.
  package var integer: Int? {
    if let plain = plainInteger { return plain }
    guard let number = numberText else { return nil }
    if let integer = Int(number) { return integer }
    guard let double, double.magnitude < 9e15 else { return nil }
    return Int(double)
  }

  /// The usual case: up to 18 digits and nothing else.
  private var plainInteger: Int? {
    guard (1...18).contains(range.count) else { return nil }
    var value = 0
    for byte in bytes[range] {
      guard byte.isASCIIDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// A finite number, or a string that is one.
  package var double: Double? {
    guard let number = numberText, let value = Double(number), value.isFinite else { return nil }
    return value
  }

  /// `true`, `1`, `"1"` or `"true"` and their opposites.
  package var bool: Bool? {
    switch literal ?? string?.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// What isn't string, array or object, where it is short.
  private var literal: String? {
    guard let first, first != .quote, first != .openBrace, first != .openBracket, range.count <= 40 else {
      return nil
    }
    return String(decoding: bytes[range], as: UTF8.self)
  }

  private var numberText: String? {
    let text: String
    if let literal {
      text = literal
    } else {
      guard range.count <= 42, let string else { return nil }
      text = string.filter { $0 != " " }
    }
    guard let first = text.utf8.first, first.isASCIIDigit || "+-.".utf8.contains(first), !text.contains("x")
    else {
      return nil
    }
    return text
  }
}

/// The members of a JSON object in place.
package struct JSONObject {
  private struct Member {
    let key: Range<Int>
    let value: Range<Int>
  }

  private let bytes: [UInt8]
  private var members: [Member] = []
  private var hasEscapedKeys = false

  private static let maximumMemberCount = 512

  /// Nil where the range holds no object or a member is not `"key": value`.
  package init?(_ bytes: [UInt8], _ range: Range<Int>) {
    guard range.count >= 2, bytes[range.lowerBound] == .openBrace else { return nil }
    self.bytes = bytes
    let limit = range.upperBound - 1
    var index = JSONSyntax.skipWhiteSpace(bytes, range.lowerBound + 1)
    guard index < limit else { return }
    members.reserveCapacity(16)
    while members.count < Self.maximumMemberCount {
      guard index < limit, bytes[index] == .quote,
        let keyEnd = JSONSyntax.endOfString(bytes, from: index, limit: limit)
      else { return nil }
      let key = (index + 1)..<(keyEnd - 1)
      index = JSONSyntax.skipWhiteSpace(bytes, keyEnd)
      guard index < limit, bytes[index] == .colon else { return nil }
      index = JSONSyntax.skipWhiteSpace(bytes, index + 1)
      guard let end = JSONSyntax.endOfValue(bytes, from: index, limit: limit) else { return nil }
      members.append(Member(key: key, value: index..<end))
      index = JSONSyntax.skipWhiteSpace(bytes, end)
      if index >= limit { break }
      guard bytes[index] == .comma else { return nil }
      index = JSONSyntax.skipWhiteSpace(bytes, index + 1)
    }
    hasEscapedKeys = members.contains { bytes[$0.key].contains(.backslash) }
  }

  package var isEmpty: Bool { members.isEmpty }

  /// The members that are texts or numbers, with their names.
  package var texts: [(name: String, value: String)] {
    members.compactMap { member in
      JSONValue(bytes, member.value).text.map { (JSONSyntax.unescaped(bytes[member.key]), $0) }
    }
  }

  /// The value of the first member with this name, unless it is null.
  package subscript(_ name: StaticString) -> JSONValue? {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    for member in members where isKey(member.key, wanted) {
      let value = JSONValue(bytes, member.value)
      return value.isNull ? nil : value
    }
    return nil
  }

  /// A key of escapes alone is six times as long as what it means; none that is longer is looked into, so that
  /// asking for all names of an item costs little however its keys are written.
  private func isKey(_ key: Range<Int>, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    if key.count == wanted.count {
      var index = 0
      while index < wanted.count, bytes[key.lowerBound + index] == wanted[index] { index += 1 }
      if index == wanted.count { return true }
    }
    return hasEscapedKeys && key.count <= wanted.count * 6
      && JSONSyntax.unescaped(bytes[key]).utf8.elementsEqual(wanted)
  }
}
