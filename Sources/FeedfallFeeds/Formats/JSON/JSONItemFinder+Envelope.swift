import FeedfallText

extension JSONItemFinder {
  /// Parses the part of a document around its list of items, byte by byte (RFC 8259).
  struct Envelope {
    enum Result {
      case needsMore
      case list(Place)
      case ended
    }

    private enum Expected {
      case document
      case value
      case valueOrEnd
      case name
      case nameOrEnd
      case colon
      case commaOrEnd
    }

    enum Role {
      case root
      case data
      /// The object around the lists of a service.
      case parent(Service)
      case other
    }

    private struct Frame {
      let isObject: Bool
      let role: Role
    }

    private enum Token {
      case none
      case string(isName: Bool)
      case literal
    }

    private var frames: [Frame] = []
    private var expected = Expected.document
    private var token = Token.none
    private var escaped = false
    private var tokenBytes: [UInt8] = []
    private var name: [UInt8] = []
    /// Whether the document is a single video with its files. Its lists then contain other videos.
    private var isSingleVideo = false
    private(set) var tokenCount = 0

    /// Longer values are cut. The token of a next page that long does not fit into an address.
    private static let maximumTokenByteCount = 8_192

    var depth: Int { frames.count }

    /// Parses the next byte; the bracket of a list of items returns `list` if `looksForList` is true.
    mutating func consume(_ byte: UInt8, facts: inout Facts, looksForList: Bool) throws(Fault)
      -> Result
    {
      switch token {
      case .string(let isName):
        consumeInString(byte, isName: isName, facts: &facts)
        return .needsMore
      case .literal:
        if JSONSyntax.isLiteral(byte) {
          appendToToken(byte)
          return .needsMore
        }
        endToken(facts: &facts)
      case .none: break
      }
      if byte.isJSONWhiteSpace { return .needsMore }
      return try consumeMark(byte, looksForList: looksForList)
    }

    /// Closes the list that was returned by `consume`; returns true if the document ends with it.
    mutating func closeList() -> Bool {
      frames.removeLast()
      expected = .commaOrEnd
      return frames.isEmpty
    }

    private mutating func consumeMark(_ byte: UInt8, looksForList: Bool) throws(Fault) -> Result {
      switch (expected, byte) {
      case (.document, _) where byte.isMarkBeforeJSON:
        return .needsMore
      case (.document, .openBrace), (.document, .openBracket), (.value, .openBrace), (.value, .openBracket),
        (.valueOrEnd, .openBrace), (.valueOrEnd, .openBracket):
        return try open(isObject: byte == .openBrace, looksForList: looksForList)
      case (.document, _):
        throw .notJSON
      case (.name, .quote), (.nameOrEnd, .quote):
        token = .string(isName: true)
      case (.value, .quote), (.valueOrEnd, .quote):
        token = .string(isName: false)
      case (.colon, .colon):
        expected = .value
      case (.commaOrEnd, .comma):
        expected = frames.last?.isObject == true ? .name : .value
      case (.nameOrEnd, .closeBrace), (.commaOrEnd, .closeBrace), (.name, .closeBrace):
        return try close(isObject: true)
      case (.valueOrEnd, .closeBracket), (.commaOrEnd, .closeBracket):
        return try close(isObject: false)
      case (.value, _) where JSONSyntax.isLiteral(byte), (.valueOrEnd, _) where JSONSyntax.isLiteral(byte):
        token = .literal
        appendToToken(byte)
      default:
        throw .malformed
      }
      return .needsMore
    }

    private mutating func open(isObject: Bool, looksForList: Bool) throws(Fault) -> Result {
      guard frames.count < maximumDepth else { throw .tooDeep }
      let (role, place) = meaning(isObject: isObject)
      if frames.count == 1, !isObject, name.elementsEqual("videoStreams".utf8) { isSingleVideo = true }
      frames.append(Frame(isObject: isObject, role: role))
      expected = isObject ? .nameOrEnd : .valueOrEnd
      if looksForList, let place { return .list(place) }
      return .needsMore
    }

    private func meaning(isObject: Bool) -> (Role, Place?) {
      guard let parent = frames.last else { return isObject ? (.root, nil) : (.other, .document) }
      guard parent.isObject else { return (.other, nil) }
      switch (parent.role, isObject) {
      case (.root, true) where name.elementsEqual("data".utf8): return (.data, nil)
      case (.root, true): return (Service.parentNamed(name).map { .parent($0) } ?? .other, nil)
      case (.root, false) where name.elementsEqual("data".utf8): return (.other, .data)
      case (.root, false) where isSingleVideo: return (.other, nil)
      case (.root, false): return (.other, Service.named(name).map { .named($0) })
      case (.data, false) where name.elementsEqual("info_list".utf8): return (.other, .named(.articles))
      case (.parent(let service), false) where service.list.map({ name.elementsEqual($0.utf8) }) == true:
        return (.other, .named(service))
      case (.data, _), (.parent, _), (.other, _): return (.other, nil)
      }
    }

    private mutating func close(isObject: Bool) throws(Fault) -> Result {
      guard let frame = frames.popLast(), frame.isObject == isObject else { throw .malformed }
      expected = .commaOrEnd
      return frames.isEmpty ? .ended : .needsMore
    }

    private mutating func consumeInString(_ byte: UInt8, isName: Bool, facts: inout Facts) {
      if escaped {
        escaped = false
        appendToToken(byte)
      } else if byte == .quote {
        endToken(facts: &facts)
      } else {
        escaped = byte == .backslash
        appendToToken(byte)
      }
    }

    private mutating func appendToToken(_ byte: UInt8) {
      if tokenBytes.count < Self.maximumTokenByteCount { tokenBytes.append(byte) }
    }

    private mutating func endToken(facts: inout Facts) {
      tokenCount += 1
      switch token {
      case .string(isName: true):
        name = tokenBytes
        expected = .colon
      case .string(isName: false):
        record([.quote] + tokenBytes + [.quote], in: &facts)
        expected = .commaOrEnd
      case .literal:
        record(tokenBytes, in: &facts)
        expected = .commaOrEnd
      case .none: break
      }
      token = .none
      tokenBytes.removeAll(keepingCapacity: true)
    }

    private func record(_ bytes: [UInt8], in facts: inout Facts) {
      guard let frame = frames.last, frame.isObject else { return }
      facts.record(bytes, name: name, in: frame.role)
    }
  }
}

extension JSONItemFinder {
  struct Facts: Equatable {
    private(set) var total: Int?
    private(set) var isEnd: Bool?
    private(set) var title: String?
    private(set) var summary: String?
    private(set) var next: String?
    /// The place of the next page in an answer of the Internet Archive.
    private(set) var cursor: String?
    /// The token of the next page in an answer of Invidious.
    private(set) var continuation: String?
    /// The token of the next page in an answer of Piped.
    private(set) var nextPage: String?
    private(set) var icon: String?
    private(set) var language: String?
    private(set) var hasNullList = false
    /// The count of all results of a search, and the place of the first one in the list.
    private(set) var found: Int?
    private(set) var start: Int?

    mutating func record(_ bytes: [UInt8], name: [UInt8], in role: Envelope.Role) {
      if case .other = role { return }
      let value = JSONValue(bytes, 0..<bytes.count)
      switch (role, String(decoding: name, as: UTF8.self)) {
      case (.root, "end"), (.data, "end"): isEnd = value.bool ?? isEnd
      case (.root, "total"), (.data, "total"): total = Self.count(value) ?? total
      case (.root, "info_list"), (.data, "info_list"): hasNullList = hasNullList || value.isNull
      case (.root, "next_url"): next = value.string
      case (.root, "cursor"): cursor = value.string
      case (.root, "continuation"): continuation = value.string.nonEmpty
      case (.root, "nextpage"): nextPage = value.string.nonEmpty
      case (.root, "icon"): icon = icon ?? value.string
      case (.root, "language"):
        language = language ?? value.string.map { cleanedLine($0, limit: Video.maximumLanguageLength) }.nonEmpty
      case (.root, "title"): title = title ?? value.string.map { cleanedLine($0, limit: 200) }
      case (.root, "description"): summary = summary ?? value.string.map { cleanedLine($0) }.nonEmpty
      case (.parent, "numFound"): found = Self.count(value)
      case (.parent, "start"): start = value.integer
      default: break
      }
    }

    private static func count(_ value: JSONValue) -> Int? { value.integer.flatMap { $0 >= 0 ? $0 : nil } }

    /// Drops the facts of a single document before another one that continues its list.
    mutating func beginDocument() {
      var next = Facts()
      (next.title, next.summary, next.icon, next.language) = (title, summary, icon, language)
      self = next
    }
  }
}

extension UInt8 {
  /// Whether the byte may stand before a document: a byte order mark, or the mark of a sequence (RFC 7464).
  var isMarkBeforeJSON: Bool { self == 0xEF || self == 0xBB || self == 0xBF || self == 0x1E }
}
