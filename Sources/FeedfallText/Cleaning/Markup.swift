/// Converts HTML and Markdown to plain text, which is not cleaned yet.
package enum Markup {
  /// Removes tags, comments, scripts and styles, and decodes entities once; blocks and `<br>` become line breaks.
  package static func textOfHTML(_ text: String) -> String {
    String(decoding: textOfHTML(Array(text.utf8)), as: UTF8.self)
  }

  /// The same for text in UTF-8, so that no `String` is created between two conversions.
  static func textOfHTML(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: isHTMLMark) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var tagEnds = ByteFinder(">")
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<"), let tag = Tag(in: bytes, at: index, ends: &tagEnds) {
        tag.appendReplacement(to: &result)
        index = tag.end
      } else if bytes[index] == UInt8(ascii: "&"), let entity = HTMLEntity(in: bytes, at: index) {
        result.append(contentsOf: UTF8.encode(entity.scalar) ?? UTF8.encodedReplacementCharacter)
        index = entity.end
      } else {
        var end = index + 1
        while end < bytes.count, !isHTMLMark(bytes[end]) { end += 1 }
        result += bytes[index..<end]
        index = end
      }
    }
    return result
  }

  @inline(__always)
  private static func isHTMLMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") }

  /// Removes the marks of headings, emphasis and pictures; a link becomes `text (address)`.
  static func textOfMarkdown(_ text: [UInt8]) -> [UInt8] {
    guard text.contains(where: isMark) else { return text }
    let bytes = withoutLinks(text)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var atLineStart = true
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard isEmphasisMark(byte) else {
        var end = index + 1
        while end < bytes.count, !isEmphasisMark(bytes[end]) { end += 1 }
        result += bytes[index..<end]
        atLineStart = bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D
        index = end
        continue
      }
      let run = bytes[index...].prefix { $0 == byte }.count
      if atLineStart, byte == UInt8(ascii: "#"), run <= 6, bytes[safe: index + run] == .space {
        index += run + 1
      } else if byte == UInt8(ascii: "*") || byte == UInt8(ascii: "_"), run == 2 || run == 3 {
        index += run
      } else if byte == UInt8(ascii: "*"), run == 1, isEmphasis(bytes, index) {
        index += 1
      } else {
        result += bytes[index..<(index + run)]
        index += run
      }
      atLineStart = false
    }
    return result
  }

  private static func isMark(_ byte: UInt8) -> Bool { isEmphasisMark(byte) || byte == .openBracket }

  @inline(__always)
  private static func isEmphasisMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "#") || byte == UInt8(ascii: "_")
  }

  /// Whether a single star touches a word on only one side.
  private static func isEmphasis(_ bytes: [UInt8], _ index: Int) -> Bool {
    func isWord(_ byte: UInt8?) -> Bool { byte.map { $0.isASCIILetter || $0 >= 0x80 } ?? false }
    return isWord(bytes[safe: index - 1]) != isWord(bytes[safe: index + 1])
  }

  private static func withoutLinks(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(.openBracket) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var wordEnds = ByteFinder("]")
    var addressEnds = ByteFinder(")")
    var index = 0
    while let open = bytes.firstIndex(of: .openBracket, in: index..<bytes.count) {
      let isPicture = open > index && bytes[open - 1] == UInt8(ascii: "!")
      if let link = MarkdownLink(in: bytes, at: open, wordEnds: &wordEnds, addressEnds: &addressEnds) {
        result += bytes[index..<(isPicture ? open - 1 : open)]
        result += isPicture ? Array(bytes[link.words]) : link.plain(bytes)
        index = link.end
      } else {
        result += bytes[index...open]
        index = open + 1
      }
    }
    return result + bytes[index...]
  }
}

/// A tag and its replacement in plain text.
private struct Tag {
  private enum Replacement {
    case nothing
    case blank
    case line
    case paragraph
  }

  let end: Int
  private let replacement: Replacement

  private static let lineTags = ["br", "li", "tr", "dt", "dd"].map { key(of: Array($0.utf8)[...]) }
  private static let blockTags = [
    "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote", "pre", "hr", "section",
    "article",
  ].map { key(of: Array($0.utf8)[...]) }
  private static let shiftedTags = ["sup", "sub"].map { key(of: Array($0.utf8)[...]) }
  private static let hiddenTags = ["script", "style"].map { key(of: Array($0.utf8)[...]) }

  /// The first seven letters of a name in lower case, and the count of all: no two known names have the same.
  private static func key(of name: ArraySlice<UInt8>) -> UInt64 {
    name.prefix(7).reduce(UInt64(name.count)) { $0 << 8 | UInt64($1.lowercased) }
  }

  /// An unclosed comment, script or style extends to the end, as in a browser.
  init?(in bytes: [UInt8], at start: Int, ends: inout ByteFinder) {
    if bytes[safe: start + 1] == UInt8(ascii: "!"), bytes[start...].starts(with: "<!--".utf8) {
      end = bytes.firstIndex(of: "-->", from: start + 4).map { $0 + 3 } ?? bytes.count
      replacement = .nothing
      return
    }
    let isClosing = bytes[safe: start + 1] == .slash
    let nameStart = start + (isClosing ? 2 : 1)
    guard let first = bytes[safe: nameStart], first.isASCIILetter || first == UInt8(ascii: "!"),
      let close = ends.next(in: bytes, from: nameStart)
    else { return nil }
    let letters = bytes[nameStart..<close].prefix(12).prefix { $0.isASCIILetter || $0.isASCIIDigit }
    let name = Self.key(of: letters)
    if !isClosing, Self.hiddenTags.contains(name) {
      let endTag = "</" + String(decoding: letters.map(\.lowercased), as: UTF8.self)
      (end, replacement) = (bytes.firstIndex(of: endTag, from: close) ?? bytes.count, .nothing)
    } else if Self.blockTags.contains(name) {
      (end, replacement) = (close + 1, .paragraph)
    } else if Self.shiftedTags.contains(name) {
      // 10<sup>5</sup> must not become 105.
      (end, replacement) = (close + 1, .blank)
    } else {
      (end, replacement) = (close + 1, !isClosing && Self.lineTags.contains(name) ? .line : .nothing)
    }
  }

  func appendReplacement(to result: inout [UInt8]) {
    switch replacement {
    case .nothing: break
    case .blank: result.append(.space)
    case .line: result.append(0x0A)
    case .paragraph:
      result.append(0x0A)
      result.append(0x0A)
    }
  }
}

/// A Markdown link `[text](address)`.
private struct MarkdownLink {
  let words: Range<Int>
  let address: Range<Int>
  let end: Int

  init?(in bytes: [UInt8], at start: Int, wordEnds: inout ByteFinder, addressEnds: inout ByteFinder) {
    guard let close = wordEnds.next(in: bytes, from: start + 1), bytes[safe: close + 1] == UInt8(ascii: "("),
      let last = addressEnds.next(in: bytes, from: close + 2)
    else { return nil }
    words = (start + 1)..<close
    address = (close + 2)..<last
    end = last + 1
  }

  func plain(_ bytes: [UInt8]) -> [UInt8] {
    if bytes[words].elementsEqual(bytes[address]) { return Array(bytes[address]) }
    return bytes[words] + Array(" (".utf8) + bytes[address] + Array(")".utf8)
  }
}

/// A character reference such as `&amp;`, `&#233;` or `&#xE9;`.
package struct HTMLEntity {
  package let scalar: Unicode.Scalar
  package let end: Int

  /// Parses the entity that begins at `start`; nil if it is unknown.
  package init?(in bytes: [UInt8], at start: Int) {
    if let (scalar, end) = Self.usual(bytes, start + 1) ?? Self.decimal(bytes, start + 1) {
      (self.scalar, self.end) = (scalar, end)
      return
    }
    let body = bytes[(start + 1)...].prefix(12)
    guard let semicolon = body.firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = String(decoding: bytes[(start + 1)..<semicolon], as: UTF8.self)
    guard let scalar = name.hasPrefix("#") ? Self.numeric(name.dropFirst()) : Self.named(name) else {
      return nil
    }
    self.scalar = scalar
    end = semicolon + 1
  }

  /// Returns the entity of a character that markup itself uses, which are most.
  private static func usual(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, end: Int)? {
    guard start + 2 < bytes.count else { return nil }
    switch (bytes[start], bytes[start + 1], bytes[start + 2]) {
    case (UInt8(ascii: "l"), UInt8(ascii: "t"), UInt8(ascii: ";")): return ("<", start + 3)
    case (UInt8(ascii: "g"), UInt8(ascii: "t"), UInt8(ascii: ";")): return (">", start + 3)
    case (UInt8(ascii: "a"), UInt8(ascii: "m"), UInt8(ascii: "p")) where bytes[safe: start + 3] == UInt8(ascii: ";"):
      return ("&", start + 4)
    default: return nil
    }
  }

  /// Parses `#39;` and its like without a `String`: up to seven digits of a character that is not a control.
  private static func decimal(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, end: Int)? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "#") else { return nil }
    var value: UInt32 = 0
    var index = start + 1
    while index < min(start + 8, bytes.count), bytes[index].isASCIIDigit {
      value = value * 10 + UInt32(bytes[index] - 0x30)
      index += 1
    }
    guard bytes[safe: index] == UInt8(ascii: ";"), value > 0x9F || (0x20..<0x7F).contains(value) else { return nil }
    return Unicode.Scalar(value).map { ($0, index + 1) }
  }

  private static func numeric(_ text: Substring) -> Unicode.Scalar? {
    let isHex = text.first == "x" || text.first == "X"
    guard let value = UInt32(isHex ? text.dropFirst() : text, radix: isHex ? 16 : 10) else { return nil }
    // HTML reads the C1 numbers as windows-1252.
    if (0x80...0x9F).contains(value) { return windows1252[Int(value - 0x80)] }
    return Unicode.Scalar(value)
  }

  private static func named(_ name: String) -> Unicode.Scalar? {
    latin1[name] ?? others[name]
  }

  private static let windows1252 = Array(
    "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)

  /// The names of U+00A0 to U+00FF in order (HTML 4, 24.2.1).
  private static let latin1 = [String: Unicode.Scalar](
    uniqueKeysWithValues:
      zip(latin1Names.split(separator: " ").map(String.init), (0xA0...0xFF).map { Unicode.Scalar(UInt8($0)) })
  )

  private static let latin1Names = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro \
    para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil \
    Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave \
    Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml \
    igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute \
    thorn yuml
    """

  private static let others: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "ndash": "–", "mdash": "—", "lsquo": "‘",
    "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "hellip": "…", "bull": "•",
    "trade": "™",
    "euro": "€", "lsaquo": "‹", "rsaquo": "›", "dagger": "†", "Dagger": "‡", "permil": "‰", "prime": "′",
    "Prime": "″", "larr": "←", "uarr": "↑", "rarr": "→", "darr": "↓", "minus": "−", "infin": "∞",
    "hearts": "♥",
    "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ", "fnof": "ƒ", "ensp": " ",
    "emsp": " ",
    "thinsp": " ", "AMP": "&", "LT": "<", "GT": ">", "QUOT": "\"",
  ]
}
