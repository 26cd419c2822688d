import FeedfallText

/// A tag of an HTML page with its attributes. Comments, and what stands in scripts and styles, count as one tag.
package struct HTMLTag {
  /// In lower case; empty for a comment, a closing tag or a declaration.
  package private(set) var name = ""
  private var attributes: [(name: String, value: String)] = []
  /// Where the page goes on behind it.
  package private(set) var end: Int

  /// An attribute's value with its entities decoded; nil where the tag has no such attribute.
  package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// Reads the tag that begins with the `<` at `start`; nil when none does.
  package init?(in page: [UInt8], at start: Int) {
    if page[start...].starts(with: "<!--".utf8) {
      end = page.firstIndex(of: "-->", from: start + 4).map { $0 + 3 } ?? page.count
      return
    }
    guard let first = page[safe: start + 1], first.isASCIILetter || "/!?".utf8.contains(first) else { return nil }
    var reader = Reader(page: page, index: start + 1)
    guard first.isASCIILetter else {
      end = reader.skipTag()
      return
    }
    name = reader.word()
    while let attribute = reader.attribute() { attributes.append(attribute) }
    end = reader.index
    if name == "script" || name == "style" {
      end = page.firstIndex(of: "</\(name)", from: end) ?? page.count
    }
  }

  private struct Reader {
    let page: [UInt8]
    var index: Int

    private static let longestValue = 8_192
    private static let mostAttributes = 64
    private var attributeCount = 0

    init(page: [UInt8], index: Int) {
      self.page = page
      self.index = index
    }

    private var byte: UInt8? { page[safe: index] }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Leaves out everything up to the tag's end.
    mutating func skipTag() -> Int {
      while let byte, byte != UInt8(ascii: ">") { index += 1 }
      return min(index + 1, page.count)
    }

    /// Letters up to a blank, an equals sign or the tag's end, in lower case.
    mutating func word() -> String {
      let start = index
      while let byte, !isBlank(byte), !"=/>".utf8.contains(byte) { index += 1 }
      return String(decoding: page[start..<index].prefix(100).map(\.lowercased), as: UTF8.self)
    }

    /// The next attribute; at the tag's end nil, and the index lies behind it.
    mutating func attribute() -> (name: String, value: String)? {
      while let byte, isBlank(byte) || byte == .slash { index += 1 }
      guard let byte, byte != UInt8(ascii: ">"), attributeCount < Self.mostAttributes else {
        index = skipTag()
        return nil
      }
      attributeCount += 1
      if byte == UInt8(ascii: "=") { index += 1 }
      let name = word()
      while let byte = self.byte, isBlank(byte) { index += 1 }
      guard self.byte == UInt8(ascii: "=") else { return (name, "") }
      index += 1
      while let byte = self.byte, isBlank(byte) { index += 1 }
      return (name, value())
    }

    private mutating func value() -> String {
      let quote = byte.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") ? $0 : nil }
      if quote != nil { index += 1 }
      let start = index
      while let byte, byte != quote, quote != nil || !(isBlank(byte) || byte == UInt8(ascii: ">")) { index += 1 }
      let value = String(decoding: page[start..<min(index, start + Self.longestValue)], as: UTF8.self)
      if quote != nil { index = min(index + 1, page.count) }
      return value.utf8.contains(UInt8(ascii: "&")) ? Markup.textOfHTML(value) : value
    }
  }
}
