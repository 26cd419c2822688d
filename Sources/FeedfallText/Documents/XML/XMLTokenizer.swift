/// Splits a document into tags and texts in linear time; it never fails. Of a document type declaration, only internal
/// text entities are read; nothing external is opened.
package struct XMLTokenizer {
  package enum Token: Equatable {
    /// `<name attributes>`, without the brackets.
    case start(name: Range<Int>, attributes: Range<Int>, isEmpty: Bool)
    case end(name: Range<Int>)
    case text(Range<Int>)
    case characterData(Range<Int>)
  }

  package let bytes: [UInt8]
  private(set) var position = 0
  private var entities = XMLText.Entities()
  /// The size of the texts that have replaced declared entities, in bytes.
  package private(set) var expandedByteCount = 0
  private var doubleQuotes = ByteFinder("\"")
  private var singleQuotes = ByteFinder("'")
  // A search that failed once is not repeated, or the time would be quadratic.
  private var isSubsetBroken = false
  private var hasNoInstructionEnd = false

  /// The maximum of `expandedByteCount`; further references stay as they are.
  private static let maximumExpandedByteCount = 64 * 1_024

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package mutating func next() -> Token? {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else { return text() }
      switch bytes[safe: position + 1] {
      case .slash: return endTag()
      case UInt8(ascii: "?"): skipInstruction()
      case UInt8(ascii: "!"): if let data = declaration() { return data }
      case let byte? where Self.isNameStart(byte): return startTag()
      default: return text()
      }
    }
    return nil
  }

  static func isNameStart(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte >= 0x80 || byte == UInt8(ascii: "_") || byte == .colon
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  // MARK: - Texts

  /// Reads up to the next tag; a `<` before a blank or a digit is plain text.
  private mutating func text() -> Token {
    let start = position
    position += 1
    while let open = bytes.firstIndex(of: UInt8(ascii: "<"), in: position..<bytes.count) {
      if let next = bytes[safe: open + 1],
        Self.isNameStart(next) || next == .slash || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
      {
        position = open
        return .text(start..<open)
      }
      position = open + 1
    }
    position = bytes.count
    return .text(start..<position)
  }

  private mutating func declaration() -> Token? {
    if bytes[position...].starts(with: "<!--".utf8) {
      skip(past: "-->", from: position + 4)
      return nil
    }
    if bytes[position...].starts(with: "<![CDATA[".utf8) {
      let start = position + 9
      let end = place(of: "]]>", from: start)
      position = min(end + 3, bytes.count)
      return .characterData(start..<end)
    }
    readDocumentType()
    return nil
  }

  /// Returns the declared entities to decode a text or the attributes in a range, and counts their replacement once.
  package mutating func declaredEntities(for range: Range<Int>) -> XMLText.Entities {
    if entities.isEmpty { return entities }
    expandedByteCount += entities.byteCount(in: bytes, range)
    if expandedByteCount > Self.maximumExpandedByteCount { entities = XMLText.Entities() }
    return entities
  }

  /// Reads `<!DOCTYPE name "…" [ … ]>`; an unclosed one ends at the first `>`.
  private mutating func readDocumentType() {
    var index = position + 2
    var isInSubset = false
    while !isSubsetBroken, index < bytes.count {
      switch bytes[index] {
      case .openBracket: isInSubset = true
      case .closeBracket: isInSubset = false
      case UInt8(ascii: ">") where !isInSubset:
        position = index + 1
        return
      case UInt8(ascii: "<") where !isInSubset:
        position = index
        return
      case UInt8(ascii: "<"):
        index = endOfDeclaration(at: index)
        continue
      default: break
      }
      index += 1
    }
    isSubsetBroken = true
    skip(past: ">", from: position + 2)
  }

  /// Reads a comment or the declaration of an entity in the internal subset, and returns the index after it. Of any
  /// other declaration, skips only the first byte.
  private mutating func endOfDeclaration(at start: Int) -> Int {
    if bytes[start...].starts(with: "<!--".utf8) { return place(of: "-->", from: start + 4) }
    guard bytes[start...].starts(with: "<!ENTITY".utf8) else { return start + 1 }
    var index = start + 8
    func skip(while isSkipped: (UInt8) -> Bool) -> Range<Int> {
      let first = index
      while index < bytes.count, isSkipped(bytes[index]) { index += 1 }
      return first..<index
    }
    _ = skip(while: Self.isBlank)
    let name = skip { !Self.isBlank($0) && $0 != UInt8(ascii: ">") }
    _ = skip(while: Self.isBlank)
    // Parameter entities and external entities have no quote here.
    guard let quote = bytes[safe: index], quote == .quote || quote == UInt8(ascii: "'"),
      let end = bytes.firstIndex(of: quote, in: (index + 1)..<bytes.count)
    else { return index }
    entities.declare(bytes[name], bytes[(index + 1)..<end])
    return end + 1
  }

  /// Skips `<?…?>`; an unclosed one ends at the first `>`.
  private mutating func skipInstruction() {
    if !hasNoInstructionEnd {
      let end = place(of: "?>", from: position + 2)
      if end < bytes.count {
        position = end + 2
        return
      }
      hasNoInstructionEnd = true
    }
    skip(past: ">", from: position + 2)
  }

  private mutating func skip(past mark: String, from start: Int) {
    position = min(place(of: mark, from: start) + mark.utf8.count, bytes.count)
  }

  private func place(of mark: String, from start: Int) -> Int {
    bytes.firstIndex(of: mark, from: start) ?? bytes.count
  }

  // MARK: - Tags

  private mutating func endTag() -> Token? {
    let start = position + 2
    var index = start
    while index < bytes.count, bytes[index] != UInt8(ascii: ">"), bytes[index] != UInt8(ascii: "<") { index += 1 }
    position = index < bytes.count && bytes[index] == UInt8(ascii: ">") ? index + 1 : index
    return .end(name: start..<nameEnd(from: start, limit: index))
  }

  private mutating func startTag() -> Token? {
    let start = position + 1
    let end = nameEnd(from: start, limit: bytes.count)
    var index = end
    var isValueNext = false
    while index < bytes.count {
      let byte = bytes[index]
      // Elsewhere a quotation mark is a typing error.
      let isQuote = isValueNext && (byte == .quote || byte == UInt8(ascii: "'"))
      isValueNext = byte == UInt8(ascii: "=") || (isValueNext && Self.isBlank(byte))
      switch byte {
      case UInt8(ascii: ">"):
        position = index + 1
        let isEmpty = bytes[index - 1] == .slash
        return .start(name: start..<end, attributes: end..<max(end, isEmpty ? index - 1 : index), isEmpty: isEmpty)
      case UInt8(ascii: "<"):
        // The tag is unclosed.
        position = index
        return .start(name: start..<end, attributes: end..<index, isEmpty: false)
      case .quote where isQuote: index = (doubleQuotes.next(in: bytes, from: index + 1) ?? index) + 1
      case UInt8(ascii: "'") where isQuote: index = (singleQuotes.next(in: bytes, from: index + 1) ?? index) + 1
      default: index += 1
      }
    }
    position = bytes.count
    return .start(name: start..<end, attributes: end..<bytes.count, isEmpty: false)
  }

  private func nameEnd(from start: Int, limit: Int) -> Int {
    var index = start
    while index < limit, !Self.isBlank(bytes[index]) {
      switch bytes[index] {
      case UInt8(ascii: ">"), UInt8(ascii: "<"), .slash, UInt8(ascii: "="), .quote: return index
      default: index += 1
      }
    }
    return index
  }
}

package enum XMLText {
  /// Decodes the entities of a text once; unknown entities stay as they are.
  package static func decoded(_ text: ArraySlice<UInt8>) -> String {
    text.contains(UInt8(ascii: "&")) ? decoded(Array(text), 0..<text.count) : String(decoding: text, as: UTF8.self)
  }

  static func decoded(_ bytes: [UInt8], _ range: Range<Int>, _ declared: XMLText.Entities = XMLText.Entities())
    -> String
  {
    bytes.firstIndex(of: UInt8(ascii: "&"), in: range) == nil
      ? String(decoding: bytes[range], as: UTF8.self)
      : String(decoding: decodedBytes(bytes, range, declared), as: UTF8.self)
  }

  static func decodedBytes(
    _ bytes: [UInt8], _ range: Range<Int>, _ declared: XMLText.Entities, decodesNames: Bool = true
  ) -> [UInt8] {
    guard var index = bytes.firstIndex(of: UInt8(ascii: "&"), in: range) else { return Array(bytes[range]) }
    var result = Array(bytes[range.lowerBound..<index])
    result.reserveCapacity(range.count)
    while index < range.upperBound {
      if !declared.isEmpty, let entity = declared.reference(in: bytes, at: index), entity.end <= range.upperBound {
        result += entity.text
        index = entity.end
      } else if decodesNames || bytes[safe: index + 1] == UInt8(ascii: "#"),
        let entity = HTMLEntity(in: bytes, at: index), entity.end <= range.upperBound
      {
        result.append(contentsOf: UTF8.encode(entity.scalar) ?? UTF8.encodedReplacementCharacter)
        index = entity.end
      } else {
        result.append(bytes[index])
        index += 1
      }
      let end = bytes.firstIndex(of: UInt8(ascii: "&"), in: index..<range.upperBound) ?? range.upperBound
      result += bytes[index..<end]
      index = end
    }
    return result
  }

  /// Parses the attributes of a tag, at most 64: `name="value"`, `name='value'`, `name=value` or `name`.
  package static func attributes(
    _ bytes: [UInt8], _ range: Range<Int>, _ declared: XMLText.Entities = XMLText.Entities()
  ) -> [(name: ArraySlice<UInt8>, value: String)] {
    var found: [(name: ArraySlice<UInt8>, value: String)] = []
    var index = range.lowerBound
    func skipBlanks() {
      while index < range.upperBound, XMLTokenizer.isBlank(bytes[index]) { index += 1 }
    }
    while found.count < 64 {
      while index < range.upperBound, XMLTokenizer.isBlank(bytes[index]) || isMark(bytes[index]) { index += 1 }
      let start = index
      while index < range.upperBound, !XMLTokenizer.isBlank(bytes[index]), !isMark(bytes[index]) { index += 1 }
      guard index > start else { return found }
      let name = bytes[start..<index]
      skipBlanks()
      guard index < range.upperBound, bytes[index] == UInt8(ascii: "=") else {
        found.append((name, ""))
        continue
      }
      index += 1
      skipBlanks()
      let value = self.value(bytes, from: index, limit: range.upperBound)
      found.append((name, decoded(bytes, value.range, declared)))
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
      let end = bytes.firstIndex(of: quote, in: (start + 1)..<limit) ?? limit
      return ((start + 1)..<end, min(end + 1, limit))
    }
    let end = bytes[start..<limit].firstIndex(where: XMLTokenizer.isBlank) ?? limit
    return (start..<end, end)
  }

  /// The internal text entities that a document declares (XML 1.0, 4.2.1). In the text of an entity, references stay as
  /// they are unless HTML defines them, and tags are text.
  package struct Entities: Sendable {
    private var entities: [(name: [UInt8], text: [UInt8])] = []

    private static let maximumCount = 64
    private static let maximumByteCount = 1_024
    private static let longestName = 64
    /// The entities that every document has. Declarations of them are ignored.
    private static let predefined = ["amp", "lt", "gt", "quot", "apos"].map { Array($0.utf8) }

    package init() {}

    package var isEmpty: Bool { entities.isEmpty }

    mutating func declare(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
      guard entities.count < Self.maximumCount, value.count <= Self.maximumByteCount,
        (1...Self.longestName).contains(name.count), !Self.predefined.contains(where: { $0.elementsEqual(name) }),
        text(named: name) == nil
      else { return }
      // Numeric references, such as `&#38;`, are decoded before those of the text (XML 1.0, 4.4.5).
      let text = XMLText.decodedBytes(Array(value), 0..<value.count, XMLText.Entities(), decodesNames: false)
      entities.append((Array(name), XMLText.decodedBytes(text, text.indices, XMLText.Entities())))
    }

    func reference(in bytes: [UInt8], at start: Int) -> (text: [UInt8], end: Int)? {
      var end = start + 1
      while end < bytes.count, end - start <= Self.longestName, bytes[end] != UInt8(ascii: ";") { end += 1 }
      guard bytes[safe: end] == UInt8(ascii: ";") else { return nil }
      return text(named: bytes[(start + 1)..<end]).map { ($0, end + 1) }
    }

    /// The size of the texts that replace the references in a range, in bytes.
    func byteCount(in bytes: [UInt8], _ range: Range<Int>) -> Int {
      var count = 0
      var index = range.lowerBound
      while index < range.upperBound, let mark = bytes.firstIndex(of: UInt8(ascii: "&"), in: index..<range.upperBound) {
        let reference = reference(in: bytes, at: mark)
        count += reference?.text.count ?? 0
        index = reference?.end ?? mark + 1
      }
      return count
    }

    private func text(named name: ArraySlice<UInt8>) -> [UInt8]? {
      entities.first { $0.name.count == name.count && $0.name.elementsEqual(name) }?.text
    }
  }
}
