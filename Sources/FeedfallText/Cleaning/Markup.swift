/// Turns HTML and Markdown into plain text; what is left is not yet clean.
package enum Markup {
  /// Removes tags, comments, scripts and styles, and decodes entities once; blocks and `<br>` become line
  /// breaks.
  package static func textOfHTML(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else { return text }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var tagEnds = ByteFinder(">")
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "<"), let tag = Tag(in: bytes, at: index, ends: &tagEnds) {
        result += tag.replacement
        index = tag.end
      } else if bytes[index] == UInt8(ascii: "&"), let entity = HTMLEntity(in: bytes, at: index) {
        result += Array(String(entity.scalar).utf8)
        index = entity.end
      } else {
        let end = bytes[(index + 1)...].firstIndex { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }
        result += bytes[index..<(end ?? bytes.count)]
        index = end ?? bytes.count
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Removes the marks of headings, emphasis and pictures; a link becomes `words (address)`.
  static func textOfMarkdown(_ text: String) -> String {
    var bytes = Array(text.utf8)
    guard bytes.contains(where: isMark) else { return text }
    bytes = withoutLinks(bytes)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var atLineStart = true
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
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
      atLineStart = byte == 0x0A || byte == 0x0D
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == .openBracket || byte == UInt8(ascii: "#")
      || byte == UInt8(ascii: "_")
  }

  /// A single star that touches a word on just one side.
  private static func isEmphasis(_ bytes: [UInt8], _ index: Int) -> Bool {
    func isWord(_ byte: UInt8?) -> Bool { byte.map { $0.isASCIILetter || $0 >= 0x80 } ?? false }
    return isWord(bytes[safe: index - 1]) != isWord(bytes[safe: index + 1])
  }

  private static func withoutLinks(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var wordEnds = ByteFinder("]")
    var addressEnds = ByteFinder(")")
    var index = 0
    while index < bytes.count {
      let isPicture = bytes[index] == UInt8(ascii: "!") && bytes[safe: index + 1] == .openBracket
      if isPicture || bytes[index] == .openBracket,
        let link = MarkdownLink(
          in: bytes, at: index + (isPicture ? 1 : 0), wordEnds: &wordEnds, addressEnds: &addressEnds)
      {
        result += isPicture ? Array(bytes[link.words]) : link.plain(bytes)
        index = link.end
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

/// A tag with what stands for it in plain text.
private struct Tag {
  let end: Int
  let replacement: [UInt8]

  private static let lineTags: Set<String> = ["br", "li", "tr", "dt", "dd"]
  private static let blockTags: Set<String> = [
    "p", "div", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "blockquote", "pre", "hr", "section",
    "article",
  ]

  /// A comment, script or style that isn't closed reaches to the end, as in a browser.
  init?(in bytes: [UInt8], at start: Int, ends: inout ByteFinder) {
    if bytes[start...].starts(with: "<!--".utf8) {
      end = bytes.firstIndex(of: "-->", from: start + 4).map { $0 + 3 } ?? bytes.count
      replacement = []
      return
    }
    let isClosing = bytes[safe: start + 1] == .slash
    let nameStart = start + (isClosing ? 2 : 1)
    guard let first = bytes[safe: nameStart], first.isASCIILetter || first == UInt8(ascii: "!"),
      let close = ends.next(in: bytes, from: nameStart)
    else { return nil }
    let letters = bytes[nameStart..<close].prefix(12).prefix { $0.isASCIILetter || $0.isASCIIDigit }
    let name = String(decoding: letters.map(\.lowercased), as: UTF8.self)
    if !isClosing, name == "script" || name == "style" {
      (end, replacement) = (bytes.firstIndex(of: "</\(name)", from: close) ?? bytes.count, [])
    } else if Self.blockTags.contains(name) {
      (end, replacement) = (close + 1, Array("\n\n".utf8))
    } else if name == "sup" || name == "sub" {
      // 10<sup>5</sup> is not 105.
      (end, replacement) = (close + 1, [.space])
    } else {
      (end, replacement) = (close + 1, Self.lineTags.contains(name) && !isClosing ? [0x0A] : [])
    }
  }
}

/// A Markdown link `[words](address)`.
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
