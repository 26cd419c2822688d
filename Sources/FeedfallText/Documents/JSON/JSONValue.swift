/// A JSON value in the bytes of its document, parsed on access; tolerant of wrong types. Most members are never
/// accessed: they are skipped, and an invalid one affects only itself.
package struct JSONValue {
  private let bytes: [UInt8]
  private let range: Range<Int>

  /// The maximum length of a string, in bytes; longer ones are cut.
  private static let maximumTextLength = 256 * 1_024

  /// Wraps the value in a range, without surrounding white space.
  package init(_ bytes: [UInt8], _ range: Range<Int>) { (self.bytes, self.range) = (bytes, range) }

  /// Parses a document, after white space and a byte order mark; nil if it begins with no value.
  package init?(document bytes: [UInt8]) {
    let start = JSONSyntax.skipWhiteSpace(bytes, bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    guard let end = JSONSyntax.endOfValue(bytes, from: start, limit: bytes.count) else { return nil }
    self.init(bytes, start..<end)
  }

  private var first: UInt8? { range.isEmpty ? nil : bytes[range.lowerBound] }

  package var source: ArraySlice<UInt8> { bytes[range] }

  package var isNull: Bool { range.count == 4 && bytes[range].elementsEqual("null".utf8) }

  package var object: JSONObject? { JSONObject(bytes, range) }

  package func elements(limit: Int = .max) -> [JSONValue]? {
    first == .openBracket ? values(limit: limit) { $0 } : nil
  }

  /// Of an array, or of an object's members without their names; nil for another value.
  package func values(limit: Int) -> [JSONValue]? {
    guard first == .openBrace else { return elements(limit: limit) }
    return values(limit: limit) { start in
      guard bytes[start] == .quote,
        let end = JSONSyntax.endOfString(bytes, from: start, limit: range.upperBound - 1)
      else { return nil }
      let colon = JSONSyntax.skipWhiteSpace(bytes, end)
      guard colon < range.upperBound - 1, bytes[colon] == .colon else { return nil }
      return JSONSyntax.skipWhiteSpace(bytes, colon + 1)
    }
  }

  /// - Parameter valueStart: returns the start of the value in the element that begins at an index; nil if it has none.
  private func values(limit: Int, _ valueStart: (Int) -> Int?) -> [JSONValue] {
    var values: [JSONValue] = []
    let end = range.upperBound - 1
    var index = JSONSyntax.skipWhiteSpace(bytes, range.lowerBound + 1)
    while index < end, values.count < limit, let start = valueStart(index),
      let valueEnd = JSONSyntax.endOfValue(bytes, from: start, limit: end)
    {
      values.append(JSONValue(bytes, start..<valueEnd))
      index = JSONSyntax.skipWhiteSpace(bytes, valueEnd)
      guard index < end, bytes[index] == .comma else { break }
      index = JSONSyntax.skipWhiteSpace(bytes, index + 1)
    }
    return values
  }

  package var string: String? {
    guard first == .quote, range.count >= 2 else { return nil }
    let content = bytes[(range.lowerBound + 1)..<(range.upperBound - 1)].prefix(Self.maximumTextLength)
    return content.contains(.backslash)
      ? JSONSyntax.unescaped(content) : JSONSyntax.text(content)
  }

  /// The value of a string, or the literal text of a number.
  package var text: String? {
    if let string { return string }
    guard let first, first.isASCIIDigit || first == UInt8(ascii: "-") else { return nil }
    return literal
  }

  /// The integral part of a number, or of a string that contains one.
  package var integer: Int? {
    if let plain = plainInteger { return plain }
    guard let number = numberText else { return nil }
    if let integer = Int(number) { return integer }
    guard let double, double.magnitude < 9e15 else { return nil }
    return Int(double)
  }

  /// The value of up to 18 digits, which is the usual case.
  private var plainInteger: Int? {
    guard (1...18).contains(range.count) else { return nil }
    var value = 0
    for byte in bytes[range] {
      guard byte.isASCIIDigit else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return value
  }

  /// A finite number, or a string that contains one.
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

  /// A short value that is no string, array or object.
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
      text = string.utf8.contains(.space) ? string.filter { $0 != " " } : string
    }
    guard let first = text.utf8.first, first.isASCIIDigit || "+-.".utf8.contains(first), !text.contains("x")
    else { return nil }
    return text
  }
}

package struct JSONObject {
  private let bytes: [UInt8]
  private var members: [(key: Range<Int>, value: Range<Int>)] = []
  /// The members whose names contain escapes, with the unescaped names.
  private var escaped: [(index: Int, name: [UInt8])] = []

  private static let maximumMemberCount = 512

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
      members.append((key, index..<end))
      index = JSONSyntax.skipWhiteSpace(bytes, end)
      if index >= limit { break }
      guard bytes[index] == .comma else { return nil }
      index = JSONSyntax.skipWhiteSpace(bytes, index + 1)
    }
    for (index, member) in members.enumerated() where bytes[member.key].contains(.backslash) {
      escaped.append((index, Array(JSONSyntax.unescaped(bytes[member.key]).utf8)))
    }
  }

  package var isEmpty: Bool { members.isEmpty }
  package var names: [String] { members.map { JSONSyntax.unescaped(bytes[$0.key]) } }

  package var all: [(name: String, value: JSONValue)] {
    members.map { (JSONSyntax.unescaped(bytes[$0.key]), JSONValue(bytes, $0.value)) }
  }

  package var texts: [(name: String, value: String)] {
    members.compactMap { member in
      JSONValue(bytes, member.value).text.map { (JSONSyntax.unescaped(bytes[member.key]), $0) }
    }
  }

  /// The members with other names than these, as they are written.
  package func members(except names: Set<String>) -> [ArraySlice<UInt8>] {
    members.filter { !names.contains(JSONSyntax.unescaped(bytes[$0.key])) }
      .map { bytes[($0.key.lowerBound - 1)..<$0.value.upperBound] }
  }

  /// The value of the first member with this name; nil if it is null.
  package subscript(_ name: StaticString) -> JSONValue? {
    value(of: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  package subscript(_ name: [UInt8]) -> JSONValue? { name.withUnsafeBufferPointer(value) }

  private func value(of wanted: UnsafeBufferPointer<UInt8>) -> JSONValue? {
    var found = members.firstIndex { isKey($0.key, wanted) }
    if !escaped.isEmpty, let other = escaped.first(where: { $0.name.elementsEqual(wanted) }) {
      found = min(other.index, found ?? .max)
    }
    guard let index = found else { return nil }
    let value = JSONValue(bytes, members[index].value)
    return value.isNull ? nil : value
  }

  private func isKey(_ key: Range<Int>, _ wanted: UnsafeBufferPointer<UInt8>) -> Bool {
    guard key.count == wanted.count else { return false }
    var index = 0
    while index < wanted.count, bytes[key.lowerBound + index] == wanted[index] { index += 1 }
    return index == wanted.count
  }

  /// A time in RFC 3339; nil also for the placeholders of an unknown time.
  package func time(_ name: StaticString) -> UnixTime? {
    self[name]?.string.flatMap { UnixTime(rfc3339: $0) }.flatMap { $0.isPlaceholder ? nil : $0 }
  }

  package func line(_ name: StaticString, as kind: TextKind = .plain, limit: Int = 200) -> String? {
    self[name]?.text.map { cleanedLine($0, as: kind, limit: limit) }.nonEmpty
  }

  package func paragraphs(_ name: StaticString, as kind: TextKind = .plain) -> String? {
    self[name]?.string.map { cleanedText($0, as: kind) }.nonEmpty
  }

  package func address(_ name: StaticString, base: WebAddress?) -> WebAddress? {
    self[name]?.string.flatMap { WebAddress(reference: $0, base: base) }
  }

  package func texts(_ name: StaticString, limit: Int = 64) -> [String] {
    guard let value = self[name] else { return [] }
    return value.text.map { [$0] } ?? (value.elements(limit: limit) ?? []).compactMap(\.text)
  }

  package func count(_ name: StaticString) -> Int? { self[name]?.integer.flatMap { $0 >= 0 ? $0 : nil } }

  package func objects(_ name: StaticString, limit: Int = .max) -> [JSONObject] {
    (self[name]?.elements(limit: limit) ?? []).compactMap(\.object)
  }

  package init?(document bytes: [UInt8]) {
    guard let object = JSONValue(document: bytes)?.object else { return nil }
    self = object
  }
}

extension UnixTime {
  /// The least number that counts as milliseconds; as seconds it would be the year 5138.
  private static let leastMilliseconds = 100_000_000_000
  /// The start of the year 1000.
  private static let leastSeconds = -30_610_224_000

  /// Parses RFC 3339, Unix seconds or Unix milliseconds. The numbers 0 and -1 mean an unknown time.
  package init?(_ value: JSONValue) {
    if let number = value.integer {
      guard number != 0, number != -1, number.magnitude < Self.leastMilliseconds * 1_000 else { return nil }
      let seconds = number.magnitude >= Self.leastMilliseconds ? number / 1_000 : number
      guard seconds >= Self.leastSeconds else { return nil }
      self.init(seconds: seconds)
    } else if let text = value.string, let time = UnixTime(rfc3339: text) {
      self = time
    } else {
      return nil
    }
  }

  /// Within a day of 1970 or before the year 1000, as the zero times of databases are in any time zone.
  fileprivate var isPlaceholder: Bool { abs(seconds) <= 86_400 || seconds < Self.leastSeconds }
}

package enum ProblemDetails {
  /// The reason in the body of an error: problem details (RFC 9457), the usual names of other JSON, or a short plain
  /// text; cleaned, at most 200 characters.
  package static func summary(_ body: [UInt8]) -> String? {
    if let object = JSONObject(document: body) { return complaint(in: object) ?? line(object["title"]) }
    guard !HTMLPage.isStarted(by: body), body.count <= 1_000, let first = DocumentText.firstMark(body),
      first.isASCIILetter || first >= 0x80, !body.contains(0)
    else { return nil }
    let line = body.prefix { $0 != 0x0A }
    return cleanedLine(String(decoding: line, as: UTF8.self), limit: 200).nonEmpty
  }

  package static func complaint(in object: JSONObject) -> String? {
    let error = object["error"]?.object
    return line(object["detail"]) ?? line(object["message"]) ?? line(object["error"]) ?? line(object["msg"])
      ?? line(error?["info"]) ?? line(error?["message"])
  }

  private static func line(_ value: JSONValue?) -> String? {
    value?.string.map { cleanedLine($0, as: .html, limit: 200) }.nonEmpty
  }
}
