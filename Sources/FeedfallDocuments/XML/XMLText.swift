import FeedfallText

/// Texts and attributes inside tags.
package enum XMLText {
  /// The text with its entities decoded once; an `&` that begins none that is known stays.
  static func decoded(_ bytes: [UInt8], _ range: Range<Int>) -> String {
    guard var index = bytes[range].firstIndex(of: UInt8(ascii: "&")) else {
      return String(decoding: bytes[range], as: UTF8.self)
    }
    var result = Array(bytes[range.lowerBound..<index])
    result.reserveCapacity(range.count)
    while index < range.upperBound {
      if bytes[index] == UInt8(ascii: "&"), let entity = HTMLEntity(in: bytes, at: index),
        entity.end <= range.upperBound
      {
        result.append(contentsOf: UTF8.encode(entity.scalar) ?? UTF8.encodedReplacementCharacter)
        index = entity.end
      } else {
        let end = bytes[(index + 1)..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) ?? range.upperBound
        result += bytes[index..<end]
        index = end
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The attributes of a tag: `name="value"`, `name='value'`, `name=value` or `name`; at most 64.
  package static func attributes(_ bytes: [UInt8], _ range: Range<Int>) -> [(name: [UInt8], value: String)] {
    var found: [(name: [UInt8], value: String)] = []
    var index = range.lowerBound
    func skipBlanks() {
      while index < range.upperBound, XMLTokenizer.isBlank(bytes[index]) { index += 1 }
    }
    while found.count < 64 {
      while index < range.upperBound, XMLTokenizer.isBlank(bytes[index]) || isMark(bytes[index]) { index += 1 }
      let start = index
      while index < range.upperBound, !XMLTokenizer.isBlank(bytes[index]), !isMark(bytes[index]) { index += 1 }
      guard index > start else { return found }
      let name = Array(bytes[start..<index])
      skipBlanks()
      guard index < range.upperBound, bytes[index] == UInt8(ascii: "=") else {
        found.append((name, ""))
        continue
      }
      index += 1
      skipBlanks()
      let value = self.value(bytes, from: index, limit: range.upperBound)
      found.append((name, decoded(bytes, value.range)))
      index = value.end
    }
    return found
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "=") || byte == .quote || byte == UInt8(ascii: "'") || byte == .slash
  }

  private static func value(_ bytes: [UInt8], from start: Int, limit: Int) -> (range: Range<Int>, end: Int) {
    guard start < limit else { return (limit..<limit, limit) }
    let quote = bytes[start]
    if quote == .quote || quote == UInt8(ascii: "'") {
      let end = bytes[(start + 1)..<limit].firstIndex(of: quote) ?? limit
      return ((start + 1)..<end, min(end + 1, limit))
    }
    let end = bytes[start..<limit].firstIndex(where: XMLTokenizer.isBlank) ?? limit
    return (start..<end, end)
  }
}
