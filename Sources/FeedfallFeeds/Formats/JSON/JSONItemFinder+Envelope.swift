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
  /// The texts and numbers around a list: of the document, and of the object that has the list.
  struct Facts {
    private struct Member {
      let name: [UInt8]
      let value: [UInt8]
      let isOfList: Bool
    }

    private var members: [Member] = []

    private static let maximumCount = 256
    /// A document that continues a list has the same ones.
    private static let lasting = ["title", "description", "icon", "language"]

    /// The first member of the document, or else of the object that has the list.
    subscript(_ name: StaticString, ofList isOfList: Bool = false) -> JSONValue? {
      let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      return members.first { $0.isOfList == isOfList && $0.name.elementsEqual(wanted) }
        .map { JSONValue($0.value, 0..<$0.value.count) }
    }

    mutating func record(_ bytes: [UInt8], name: [UInt8], in role: Envelope.Role) {
      guard members.count < Self.maximumCount else { return }
      switch role {
      case .root: members.append(Member(name: name, value: bytes, isOfList: false))
      case .data, .parent: members.append(Member(name: name, value: bytes, isOfList: true))
      case .other: break
      }
    }

    /// Drops the facts of a single document before another one that continues its list.
    mutating func beginDocument() {
      members.removeAll { member in
        member.isOfList || !Self.lasting.contains { member.name.elementsEqual($0.utf8) }
      }
    }

    private static func count(_ value: JSONValue?) -> Int? { value?.integer.flatMap { $0 >= 0 ? $0 : nil } }

    var isEnd: Bool? { (self["end"] ?? self["end", ofList: true])?.bool }
    var total: Int? { Self.count(self["total"] ?? self["total", ofList: true]) }
    /// The count of all results of a search.
    var found: Int? { Self.count(self["numFound", ofList: true]) }
    var hasNullList: Bool { (self["info_list"] ?? self["info_list", ofList: true])?.isNull == true }
    var title: String? { self["title"]?.string.map { cleanedLine($0, limit: 200) } }
    var summary: String? { self["description"]?.string.map { cleanedLine($0) }.nonEmpty }
    var icon: String? { self["icon"]?.string }
    var next: String? { self["next_url"]?.string }
    var language: String? {
      self["language"]?.string.map { cleanedLine($0, limit: Video.maximumLanguageLength) }.nonEmpty
    }
  }
}

extension UInt8 {
  /// Whether the byte may stand before a document: a byte order mark, or the mark of a sequence (RFC 7464).
  var isMarkBeforeJSON: Bool { self == 0xEF || self == 0xBB || self == 0xBF || self == 0x1E }
}
