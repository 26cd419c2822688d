import FeedfallText

/// The items of the lists in JSON and the facts around them, found in one pass (RFC 8259). In items and in other values,
/// only strings and brackets are told apart.
///
/// Documents may follow each other. A list is followed by other lists. After an object without a list, each further
/// object is an item of one list (jsonlines.org, RFC 7464).
struct JSONItems {
  enum Place {
    /// `[…]`
    case document
    /// `{"data": […]}`
    case data
    /// `{"items": […]}`, under the name that belongs to a service.
    case named(Service)
  }

  enum Fault: Error {
    case notJSON
    case malformed
    case tooDeep
    case tooComplex
    /// The end is missing.
    case cut
  }

  struct Document {
    /// Nil without a list, and for items that are documents themselves.
    var place: Place?
    let areLines: Bool
    let start: Int
    /// Nil if a fault is before it.
    var end: Int?
    /// Empty for a value that is not an object, or is too large.
    var items: [Range<Int>] = []
  }

  /// The items that are documents themselves follow the first one, which is a document, in a further one.
  private(set) var documents: [Document] = []
  private(set) var facts: Facts
  private(set) var fault: Fault?
  /// Programs write `null` for an item that they could not load, even for the first one.
  private(set) var leadingNullCount = 0
  private(set) var hasOtherText = false
  private let bytes: [UInt8]
  private var index = 0
  private var open: [UInt8] = []
  /// A node is an item, or a name or value around the list.
  private(set) var work: WorkBudget

  private static let maximumDepth = 512
  private static let maximumItemByteCount = 4 << 20

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    facts = Facts(bytes)
    work = WorkBudget(documentByteCount: bytes.count)
    do throws(Fault) { try readDocuments() } catch { fault = error }
  }

  /// The one document with other values than items.
  var isOnlyDocument: Bool { documents.count == 1 }

  // MARK: - Documents

  private mutating func readDocuments() throws(Fault) {
    while let byte = nextMark() {
      let follows = documents.last.map { $0.place == nil } ?? false
      switch byte {
      case .openBrace where follows: try readLine()
      case .openBrace: try readDocument(byte)
      case .openBracket where !follows: try readDocument(byte)
      case .comma where follows: index += 1
      case UInt8(ascii: "n") where follows || documents.isEmpty: if try !readNull() { return }
      default:
        if documents.isEmpty { throw .notJSON }
        hasOtherText = true
        return
      }
    }
  }

  /// Skips white space, and before a document byte order marks and the marks of a sequence (RFC 7464).
  private mutating func nextMark() -> UInt8? {
    while index < bytes.count {
      let byte = bytes[index]
      guard byte.isJSONWhiteSpace || byte == 0xEF || byte == 0xBB || byte == 0xBF || byte == 0x1E else { return byte }
      index += 1
    }
    return nil
  }

  private mutating func readDocument(_ bracket: UInt8) throws(Fault) {
    if !documents.isEmpty {
      try spendNode()
      facts.beginDocument()
    }
    documents.append(Document(areLines: false, start: index))
    if bracket == .openBracket { try readList(.document) } else { try readMembers(of: .root) }
    documents[documents.count - 1].end = index
  }

  private mutating func readLine() throws(Fault) {
    if documents.last?.areLines != true {
      if isOnlyDocument { facts = Facts(bytes) } else { facts.beginDocument() }
      documents.append(Document(areLines: true, start: index))
    }
    try append(try readContainer())
    documents[documents.count - 1].end = index
  }

  /// Returns false for other text.
  private mutating func readNull() throws(Fault) -> Bool {
    let null = "null".utf8
    let text = bytes[index...].prefix(null.count)
    guard text.elementsEqual(null) else {
      if null.starts(with: text) { throw .cut }
      if documents.isEmpty { throw .notJSON }
      hasOtherText = true
      return false
    }
    index += null.count
    if documents.isEmpty { leadingNullCount += 1 } else { try append(index..<index) }
    return true
  }

  private mutating func append(_ item: Range<Int>) throws(Fault) {
    try spendNode()
    let isUsable = !item.isEmpty && bytes[item.lowerBound] == .openBrace && item.count <= Self.maximumItemByteCount
    documents[documents.count - 1].items.append(isUsable ? item : index..<index)
  }

  private mutating func spendNode() throws(Fault) {
    work.spend(nodes: 1)
    if work.isExceeded { throw .tooComplex }
  }

  // MARK: - The parts of a document

  private mutating func skipBlanks() throws(Fault) -> UInt8 {
    index = JSONSyntax.skipWhiteSpace(bytes, index)
    guard index < bytes.count else { throw .cut }
    return bytes[index]
  }

  private mutating func readMembers(of role: Role) throws(Fault) {
    var isSingleVideo = false
    index += 1
    while try skipBlanks() != .closeBrace {
      guard bytes[index] == .quote else { throw .malformed }
      let range = try readString()
      let name = Array(bytes[range])
      guard try skipBlanks() == .colon else { throw .malformed }
      index += 1
      switch try skipBlanks() {
      case .openBrace:
        if let inner = role.object(named: name) { try readMembers(of: inner) } else { try skipContainer() }
      case .openBracket:
        // A single video with its files; its lists contain other videos.
        isSingleVideo = isSingleVideo || role == .root && name.elementsEqual("videoStreams".utf8)
        let place = isSingleVideo ? nil : role.list(named: name)
        if let place, documents.last?.place == nil { try readList(place) } else { try skipContainer() }
      default: facts.append(range, try readScalar(), isOfList: role != .root)
      }
      switch try skipBlanks() {
      case .comma: index += 1
      case .closeBrace: break
      default: throw .malformed
      }
    }
    index += 1
  }

  private mutating func readList(_ place: Place) throws(Fault) {
    documents[documents.count - 1].place = place
    index += 1
    while case let byte = try skipBlanks(), byte != .closeBracket {
      switch byte {
      case .comma: index += 1
      case .colon, .closeBrace: throw .malformed
      case .openBrace, .openBracket: try append(try readContainer())
      default:
        try skipOtherItem()
        try append(index..<index)
      }
    }
    index += 1
  }

  /// Skips an item that is no object or list, whatever it is.
  private mutating func skipOtherItem() throws(Fault) {
    while index < bytes.count {
      switch bytes[index] {
      case .comma, .closeBracket, .closeBrace, .openBrace, .openBracket: return
      case .quote: _ = try readString()
      default: index += 1
      }
    }
    throw .cut
  }

  private mutating func readString() throws(Fault) -> Range<Int> {
    guard let end = JSONSyntax.endOfString(bytes, from: index, limit: bytes.count) else { throw .cut }
    defer { index = end }
    return index + 1..<end - 1
  }

  private mutating func readScalar() throws(Fault) -> Range<Int> {
    try spendNode()
    let start = index
    guard let end = JSONSyntax.endOfValue(bytes, from: index, limit: bytes.count) else {
      throw bytes[index] == .quote ? .cut : .malformed
    }
    index = end
    return start..<end
  }

  /// Skips a value in which each element counts as a node.
  private mutating func skipContainer() throws(Fault) {
    let value = try readContainer()
    work.spend(nodes: bytes[value].count { $0 == .comma })
    try spendNode()
  }

  private mutating func readContainer() throws(Fault) -> Range<Int> {
    // Local variables, because this reads most of the document.
    let document = bytes
    let (start, bytes) = (index, document.span)
    var index = start
    defer { self.index = index }
    open.removeAll(keepingCapacity: true)
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case .quote:
        while index < bytes.count, bytes[index] != .quote { index += bytes[index] == .backslash ? 2 : 1 }
        index += 1
      case .openBrace, .openBracket:
        open.append(byte)
        if open.count > Self.maximumDepth { throw .tooDeep }
      case .closeBrace, .closeBracket:
        guard open.popLast() == byte - 2 else { throw .malformed }
        if open.isEmpty { return start..<index }
      default: continue
      }
    }
    throw .cut
  }

  private enum Role: Equatable {
    case root
    case data
    case parent(Service)

    func object(named name: [UInt8]) -> Role? {
      guard self == .root else { return nil }
      return name.elementsEqual("data".utf8) ? .data : Service.parentNamed(name).map { .parent($0) }
    }

    func list(named name: [UInt8]) -> Place? {
      switch self {
      case .root where name.elementsEqual("data".utf8): .data
      case .root: Service.named(name).map { .named($0) }
      case .data: name.elementsEqual("info_list".utf8) ? .named(.articles) : nil
      case .parent(let service): service.list.map { name.elementsEqual($0.utf8) } == true ? .named(service) : nil
      }
    }
  }

  /// The texts and numbers around a list: of the document, and of the object that has the list.
  struct Facts {
    private struct Member {
      let name: Range<Int>
      let value: Range<Int>
      let isOfList: Bool
    }

    private let bytes: [UInt8]
    private var members: [Member] = []

    private static let maximumCount = 256
    /// A document that continues a list has the same ones.
    private static let lasting = ["title", "description", "icon", "language"]

    fileprivate init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The first member of the document, or else of the object that has the list.
    subscript(_ name: StaticString, ofList isOfList: Bool = false) -> JSONValue? {
      let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      return members.first { $0.isOfList == isOfList && bytes[$0.name].elementsEqual(wanted) }
        .map { JSONValue(bytes, $0.value) }
    }

    fileprivate mutating func append(_ name: Range<Int>, _ value: Range<Int>, isOfList: Bool) {
      guard members.count < Self.maximumCount else { return }
      members.append(Member(name: name, value: value, isOfList: isOfList))
    }

    /// Drops the facts of a single document before another one that continues its list.
    fileprivate mutating func beginDocument() {
      members.removeAll { member in
        member.isOfList || !Self.lasting.contains { bytes[member.name].elementsEqual($0.utf8) }
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
