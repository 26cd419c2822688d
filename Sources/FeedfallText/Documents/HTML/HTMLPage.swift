package enum HTMLPage {
  /// Regardless of the content type: the first element is one of HTML, and it does not wrap or precede a feed.
  package static func isStarted(by body: [UInt8]) -> Bool {
    hasElement(body) && !wrapsFeed(body) && LateXML.start(in: body) == nil
  }

  /// Whether an element of Atom stands near the start of a document in XHTML.
  package static func wrapsFeed(_ body: [UInt8]) -> Bool {
    let start = Array(body.prefix(8_192))
    guard let feed = start.firstIndex(of: "<feed", from: 0), hasElement(start),
      let tag = HTMLTag(in: start, at: feed), tag.name == "feed"
    else { return false }
    return tag["xmlns"]?.lowercased().hasPrefix("http://www.w3.org/2005/atom") == true
  }

  /// The tags of `html`, `head` and `body` are optional.
  private static let firstElements: Set<String> = [
    "html", "head", "body", "base", "link", "meta", "noscript", "script", "style", "template", "title", "a", "article",
    "center", "div", "font", "form", "frameset", "h1", "h2", "h3", "header", "hr", "iframe", "img", "main", "nav", "p",
    "pre", "section", "span", "table", "ul",
  ]

  private static func hasElement(_ body: [UInt8]) -> Bool {
    guard DocumentText.firstMark(body) == UInt8(ascii: "<") else { return false }
    let start = Array(body.prefix(8_192))
    var tokens = XMLTokenizer(start)
    while let token = tokens.next() {
      guard case .start(let name, _, _) = token else { continue }
      let local = String(decoding: start[name].map(\.lowercased), as: UTF8.self)
      return firstElements.contains(local)
    }
    return start.firstIndex(of: "<!doctype html", from: 0) != nil
  }

  package static func title(of body: [UInt8]) -> String? {
    let start = Array(body.prefix(65_536))
    guard let tag = start.firstIndex(of: "<title", from: 0),
      let open = start[tag...].firstIndex(of: UInt8(ascii: ">")),
      let close = start.firstIndex(of: "</title", from: open)
    else { return nil }
    return cleanedLine(String(decoding: start[(open + 1)..<close], as: UTF8.self), as: .html, limit: 80)
      .nonEmpty
  }

  package enum Embedded { case media, picture }

  /// Much faster than parsing the tags. If `isEscaped`, they begin with an entity such as `&lt;`.
  package static func mayHave(
    _ wanted: Embedded, _ bytes: [UInt8], in range: Range<Int>, isEscaped: Bool = false
  ) -> Bool {
    let mark = UInt8(ascii: isEscaped ? "&" : "<")
    var index = range.lowerBound
    while let open = bytes.firstIndex(of: mark, in: index..<range.upperBound) {
      index = open + 1
      var name = index
      if isEscaped {
        let end = min(open + longestEntity, range.upperBound)
        while name < end, bytes[name] != UInt8(ascii: ";") { name += 1 }
        name += 1
      }
      guard name + 3 <= range.upperBound else { continue }
      let first = bytes[name].lowercased
      switch wanted {
      case .media:
        if first == UInt8(ascii: "v") || first == UInt8(ascii: "a"), bytes[name + 2].lowercased == UInt8(ascii: "d"),
          name + 5 <= range.upperBound, bytes[name + 4].lowercased == UInt8(ascii: "o")
        {
          return true
        }
      case .picture:
        if first == UInt8(ascii: "i"), bytes[name + 1].lowercased == UInt8(ascii: "m"),
          bytes[name + 2].lowercased == UInt8(ascii: "g")
        {
          return true
        }
      }
    }
    return false
  }

  /// The longest entity for `<`, in bytes.
  private static let longestEntity = 8
}

/// A comment is one tag, and so is a script or style with its content.
package struct HTMLTag {
  /// The name in lower case; empty for a comment, a closing tag or a declaration.
  package private(set) var name = ""
  private var attributes: [(name: String, value: String)] = []
  package private(set) var end: Int

  /// The value of an attribute, with its entities decoded.
  package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

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
    if name == "script" || name == "style" { end = page.firstIndex(of: "</\(name)", from: end) ?? page.count }
  }

  private struct Reader {
    let page: [UInt8]
    var index: Int

    private static let longestValue = 8_192
    private static let mostAttributes = 64
    var attributeCount = 0

    private var byte: UInt8? { page[safe: index] }

    mutating func skipTag() -> Int {
      while let byte, byte != UInt8(ascii: ">") { index += 1 }
      return min(index + 1, page.count)
    }

    mutating func word() -> String {
      let start = index
      while let byte, !byte.isWhiteSpace, !"=/>".utf8.contains(byte) { index += 1 }
      return String(decoding: page[start..<index].prefix(100).map(\.lowercased), as: UTF8.self)
    }

    /// Parses the next attribute; nil at the end of the tag, which is skipped.
    mutating func attribute() -> (name: String, value: String)? {
      while let byte, byte.isWhiteSpace || byte == .slash { index += 1 }
      guard let byte, byte != UInt8(ascii: ">"), attributeCount < Self.mostAttributes else {
        index = skipTag()
        return nil
      }
      attributeCount += 1
      if byte == UInt8(ascii: "=") { index += 1 }
      let name = word()
      while let byte = self.byte, byte.isWhiteSpace { index += 1 }
      guard self.byte == UInt8(ascii: "=") else { return (name, "") }
      index += 1
      while let byte = self.byte, byte.isWhiteSpace { index += 1 }
      return (name, value())
    }

    private mutating func value() -> String {
      let quote = byte.flatMap { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") ? $0 : nil }
      if quote != nil { index += 1 }
      let start = index
      while let byte, byte != quote, quote != nil || !(byte.isWhiteSpace || byte == UInt8(ascii: ">")) { index += 1 }
      defer { if quote != nil { index = min(index + 1, page.count) } }
      return XMLText.decoded(page, start..<min(index, start + Self.longestValue))
    }
  }
}
