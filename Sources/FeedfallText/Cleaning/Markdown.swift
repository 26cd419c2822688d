/// Converts Markdown to plain text, which is not cleaned yet, in O(n). Removes the marks of headings, emphasis and
/// pictures, and decodes entities; a link becomes `text (address)`. Tags of HTML, addresses and code stay as they are.
/// Marks of emphasis are removed in pairs around words, as in CommonMark 0.31, 6.2, but never within a word and only if
/// both runs have the same length.
struct Markdown {
  private static let longestRun = 3

  private let bytes: [UInt8]
  private var result: [UInt8] = []
  private var index = 0
  private var isLineStart = true
  private var isLineBlank = true
  /// The place in the result of the last run that may open emphasis in this paragraph, by mark and length.
  private var openings = [Int?](repeating: nil, count: 2 * longestRun)
  private var link: Link?
  private var wordEnds = ByteFinder("]")
  private var addressEnds = ByteFinder(")")

  static func text(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(where: isMark) else { return bytes }
    var markdown = Markdown(bytes)
    while markdown.index < bytes.count { markdown.readNext() }
    return markdown.result
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    result.reserveCapacity(bytes.count)
  }

  @inline(__always)
  static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "#"), UInt8(ascii: "["), UInt8(ascii: "<"),
      UInt8(ascii: "&"), UInt8(ascii: "`"):
      true
    default: false
    }
  }

  private mutating func readNext() {
    if let link, index == link.words.upperBound { return endLink(link) }
    let byte = bytes[index]
    switch byte {
    case 0x0A, 0x0D: return endLine()
    case UInt8(ascii: "*"), UInt8(ascii: "_"): readEmphasis(byte)
    case UInt8(ascii: "#") where isLineStart && skipHeading(): break
    case UInt8(ascii: "[") where link == nil && openLink(isPicture: false): break
    case UInt8(ascii: "!") where link == nil && bytes[safe: index + 1] == .openBracket && openLink(isPicture: true):
      break
    case UInt8(ascii: "`"): readCode()
    case UInt8(ascii: "<") where readBracketedAddress(): break
    case UInt8(ascii: "&"): readEntity()
    case .colon where Markup.AddressFinder.isStart(bytes, index): copy(to: endOfAddress())
    case .space: copy(to: index + 1)
    default: copy(to: endOfWords)
    }
    isLineStart = false
    isLineBlank = isLineBlank && byte == .space
  }

  private var limit: Int { link?.words.upperBound ?? bytes.count }

  private mutating func copy(to end: Int) {
    result += bytes[index..<end]
    index = end
  }

  private var endOfWords: Int {
    var end = index + 1
    while end < limit, bytes[end] != .colon, bytes[end] != UInt8(ascii: "!"), bytes[end] >= .space,
      !Self.isMark(bytes[end])
    { end += 1 }
    return end
  }

  private mutating func endLine() {
    if isLineBlank { for slot in openings.indices { openings[slot] = nil } }
    (isLineStart, isLineBlank) = (true, true)
    copy(to: index + 1)
  }

  private mutating func skipHeading() -> Bool {
    let length = bytes[index...].prefix(7).prefix { $0 == UInt8(ascii: "#") }.count
    guard length <= 6, bytes[safe: index + length] == .space else { return false }
    index += length + 1
    return true
  }

  private mutating func readEntity() {
    guard let entity = HTMLEntity(in: bytes, at: index) else { return copy(to: index + 1) }
    result.append(contentsOf: UTF8.encode(entity.scalar) ?? UTF8.encodedReplacementCharacter)
    index = entity.end
  }

  // MARK: - Emphasis

  private mutating func readEmphasis(_ mark: UInt8) {
    let end = index + length(ofRun: mark, at: index)
    let length = end - index
    defer { copy(to: end) }
    guard length <= Self.longestRun else { return }
    let slot = (mark == UInt8(ascii: "*") ? 0 : Self.longestRun) + length - 1
    if canClose(mark, end), let opening = openings[slot] {
      // These are removed later, by the cleaning.
      for place in opening..<(opening + length) { result[place] = 0 }
      openings[slot] = nil
      index = end
    } else if canOpen(mark, end) {
      openings[slot] = result.count
    }
  }

  private func length(ofRun mark: UInt8, at start: Int) -> Int {
    var end = start
    while end < bytes.count, bytes[end] == mark { end += 1 }
    return end - start
  }

  private func canOpen(_ mark: UInt8, _ end: Int) -> Bool {
    guard let next = bytes[safe: end], next > .space else { return false }
    guard let last = bytes[safe: index - 1], last > .space else { return true }
    return "([{\"'*_~>-".utf8.contains(last) || last >= 0x80 && mark == UInt8(ascii: "*")
  }

  private func canClose(_ mark: UInt8, _ end: Int) -> Bool {
    guard let last = bytes[safe: index - 1], last > .space else { return false }
    guard let next = bytes[safe: end], next > .space else { return true }
    if next >= 0x80 { return mark == UInt8(ascii: "*") }
    // `__init__.py`
    let isWordNext = bytes[safe: end + 1].map { $0.isASCIILetter || $0.isASCIIDigit || $0 == .slash } ?? false
    return ")]}\"'*_~<-".utf8.contains(next) || ".,;:!?".utf8.contains(next) && !isWordNext
  }

  // MARK: - Code and addresses

  /// Copies code with its backticks. A run without a second one of the same length is text.
  private mutating func readCode() {
    let mark = UInt8(ascii: "`")
    let length = length(ofRun: mark, at: index)
    var place = index + length
    // Linear, because the search fails only for the last run of each length.
    while length <= Self.longestRun, let next = bytes.firstIndex(of: mark, in: place..<limit) {
      let other = self.length(ofRun: mark, at: next)
      place = next + other
      if other == length { return copy(to: place) }
    }
    copy(to: index + length)
  }

  private mutating func readBracketedAddress() -> Bool {
    let scheme = bytes[(index + 1)...].prefix(12).prefix(while: \.isASCIILetter)
    guard !scheme.isEmpty, scheme.endIndex < bytes.count, Markup.AddressFinder.isStart(bytes, scheme.endIndex) else {
      return false
    }
    var end = scheme.endIndex
    while end < limit, !Markup.AddressFinder.isEnd(bytes[end]) { end += 1 }
    guard end < limit, bytes[end] == UInt8(ascii: ">") else { return false }
    index += 1
    copy(to: end)
    index += 1
    return true
  }

  /// Marks around the whole address, as in `**https://…**`, are not part of it.
  private func endOfAddress() -> Int {
    var end = index
    while end < limit, !Markup.AddressFinder.isEnd(bytes[end]) { end += 1 }
    var start = index
    while start > 0, index - start < 12, bytes[start - 1].isASCIILetter { start -= 1 }
    let isEmphasized = bytes[safe: start - 1] == UInt8(ascii: "_")
    while end > index + 3,
      ".,;:!?')*".utf8.contains(bytes[end - 1]) || isEmphasized && bytes[end - 1] == UInt8(ascii: "_")
    { end -= 1 }
    return end
  }

  // MARK: - Links

  private typealias Link = (words: Range<Int>, address: Range<Int>, isPicture: Bool)

  private mutating func openLink(isPicture: Bool) -> Bool {
    let start = index + (isPicture ? 2 : 1)
    guard let close = wordEnds.next(in: bytes, from: start), bytes[safe: close + 1] == UInt8(ascii: "("),
      let last = addressEnds.next(in: bytes, from: close + 2)
    else { return false }
    link = (start..<close, (close + 2)..<last, isPicture)
    index = start
    return true
  }

  private mutating func endLink(_ link: Link) {
    self.link = nil
    if !link.isPicture, !bytes[link.words].elementsEqual(bytes[link.address]) {
      result += " (".utf8
      result += bytes[link.address]
      result.append(UInt8(ascii: ")"))
    }
    index = link.address.upperBound + 1
  }
}
