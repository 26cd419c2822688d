package enum Markup {
  /// Removes tags, comments, scripts and styles, and decodes entities once; blocks and `<br>` become line breaks.
  /// Addresses in the text do not change, except for entities such as `&amp;`.
  package static func textOfHTML(_ text: String) -> String {
    String(decoding: textOfHTML(Array(text.utf8)), as: UTF8.self)
  }

  /// The same for text in UTF-8, so that no `String` is created between two conversions.
  ///
  /// - Parameter isWanted: consumes the text so far; whether the rest is needed.
  static func textOfHTML(_ bytes: [UInt8], while isWanted: (inout [UInt8]) -> Bool = { _ in true }) -> [UInt8] {
    guard bytes.contains(where: isHTMLMark) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var nextCount = partByteCount
    var tagEnds = ByteFinder(">")
    var (tags, entities) = (ByteFinder("<"), ByteFinder("&"))
    var addresses = AddressFinder()
    var index = 0
    while index < bytes.count {
      if result.count >= nextCount {
        guard isWanted(&result) else { break }
        nextCount = result.count + partByteCount
      }
      if bytes[index] == UInt8(ascii: "<"), let tag = Tag(in: bytes, at: index, ends: &tagEnds) {
        for byte in tag.replacement { result.append(byte) }
        index = tag.end
      } else if bytes[index] == UInt8(ascii: "&"), let entity = entity(in: bytes, at: index, &addresses) {
        result.append(contentsOf: UTF8.encode(entity.scalar) ?? UTF8.encodedReplacementCharacter)
        index = entity.end
      } else {
        let end = min(
          tags.next(in: bytes, from: index + 1) ?? bytes.count, entities.next(in: bytes, from: index + 1) ?? bytes.count
        )
        result += bytes[index..<end]
        index = end
      }
    }
    return result
  }

  private static let partByteCount = 2_048

  private static func entity(in bytes: [UInt8], at index: Int, _ addresses: inout AddressFinder) -> HTMLEntity? {
    if let entity = HTMLEntity(in: bytes, at: index) { return entity }
    return addresses.isAddress(at: index, in: bytes) ? nil : HTMLEntity(bareIn: bytes, at: index)
  }

  @inline(__always)
  static func isHTMLMark(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") }

  private struct Tag {
    let end: Int
    /// The blank or the line breaks in its place.
    let replacement: Repeated<UInt8>

    private static func lines(_ count: Int) -> Repeated<UInt8> { repeatElement(0x0A, count: count) }

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
        replacement = Self.lines(0)
        return
      }
      let isClosing = bytes[safe: start + 1] == .slash
      let nameStart = start + (isClosing ? 2 : 1)
      guard let first = bytes[safe: nameStart], first.isASCIILetter || first == UInt8(ascii: "!"),
        let close = ends.next(in: bytes, from: nameStart)
      else { return nil }
      let letters = bytes[nameStart..<close].prefix(12).prefix { $0.isASCIILetter || $0.isASCIIDigit }
      // `<https://…>` is an address.
      guard bytes[safe: letters.endIndex] != .colon || bytes[safe: letters.endIndex + 1] != .slash else { return nil }
      let name = Self.key(of: letters)
      if !isClosing, Self.hiddenTags.contains(name) {
        let endTag = "</" + String(decoding: letters.map(\.lowercased), as: UTF8.self)
        (end, replacement) = (bytes.firstIndex(of: endTag, from: close) ?? bytes.count, Self.lines(0))
      } else if Self.blockTags.contains(name) {
        (end, replacement) = (close + 1, Self.lines(2))
      } else if Self.shiftedTags.contains(name) {
        // 10<sup>5</sup> must not become 105.
        (end, replacement) = (close + 1, repeatElement(UInt8.space, count: 1))
      } else {
        (end, replacement) = (close + 1, Self.lines(!isClosing && Self.lineTags.contains(name) ? 1 : 0))
      }
    }
  }

  /// Determines whether an index is in an address. For ascending indices, O(n) in total.
  struct AddressFinder {
    private var index = 0
    private var isInAddress = false

    mutating func isAddress(at place: Int, in bytes: [UInt8]) -> Bool {
      while index < place {
        isInAddress = !Self.isEnd(bytes[index]) && (isInAddress || Self.isStart(bytes, index))
        index += 1
      }
      return isInAddress
    }

    static func isStart(_ bytes: [UInt8], _ index: Int) -> Bool {
      bytes[index] == .colon && bytes[safe: index + 1] == .slash && bytes[safe: index + 2] == .slash
    }

    static func isEnd(_ byte: UInt8) -> Bool {
      byte <= .space || byte == .quote || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
    }
  }
}
