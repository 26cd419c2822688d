import FeedfallText

/// Finds the list of items in a JSON document that arrives in pieces, and the range of each item.
///
/// It reads every byte once and stores only the open brackets. Inside items only brackets are matched; the envelope
/// around the list is parsed, because its names determine the place of the list and a few facts (`total`, `end`,
/// `title`).
///
/// Documents may follow each other. A list is followed by other lists. After an object without a list, each further
/// object is an item of one list (jsonlines.org, RFC 7464).
struct JSONItemFinder {
  enum Place {
    /// `[…]`
    case document
    /// `{"data": […]}`
    case data
    /// `{"items": […]}`, under the name that belongs to a service.
    case named(Service)
  }

  enum Step: Equatable {
    case item(Range<Int>)
    /// A value in the list that is not an object, or is too large.
    case unusable
    case needsMore
    /// A document has ended. It is the last one unless `documentBegins` follows.
    case documentEnded
    case documentBegins
    /// Something else follows the last document; the rest is not read.
    case otherTextFollows
    case fault(Fault)
  }

  enum Fault: Error, Equatable {
    case notJSON
    case malformed
    case tooDeep
    case tooComplex
  }

  static let maximumDepth = 512
  static let maximumItemByteCount = 4 << 20
  /// The maximum size of a document without a list, which is buffered.
  static let maximumDocumentByteCount = 32 << 20

  private(set) var place: Place?
  private(set) var facts = Facts()
  private(set) var position = 0
  private var envelope = Envelope()
  private var phase = Phase.envelope
  private var droppedCount = 0
  private var open: [UInt8] = []
  private var itemStart: Int?
  /// The start of the current document until a list is found, or the document is too large or released.
  private var documentStart: Int?
  private var documentEnd = 0
  /// The count of documents that have begun. Objects that are items by themselves count as one document.
  private(set) var documentCount = 0
  /// The count of bytes read of a `null` between two documents.
  private var nullCount = 0
  private var inString = false
  private var escaped = false
  private var fault: Fault?
  /// The work so far: a node is an item, or a name or value around the list.
  private(set) var work = WorkBudget()

  private enum Phase {
    case envelope
    case list
    case item
    case scalar
    case documentEnd
    /// After a document that may be the last one.
    case betweenDocuments
    /// In an object that is an item by itself.
    case line
    case betweenLines
    case otherText
  }

  var firstNeeded: Int { itemStart ?? documentStart ?? position }

  var isInDocument: Bool { envelope.depth > 0 || phase == .line || nullCount > 0 }

  var readsLines: Bool { phase == .line || phase == .betweenLines }

  /// The range of the document that has ended; nil if it had a list, was too large or has been released.
  var document: Range<Int>? { documentStart.map { $0..<documentEnd } }

  var wasTooLarge: Bool { place == nil && documentStart == nil }

  mutating func releaseDocument() { documentStart = nil }

  /// Adjusts all indices after the first `count` bytes have been discarded.
  mutating func dropFirst(_ count: Int) {
    position -= count
    droppedCount += count
    itemStart = itemStart.map { $0 - count }
    documentStart = documentStart.map { $0 - count }
    documentEnd -= count
  }

  mutating func next(in document: [UInt8]) -> Step {
    if let fault { return .fault(fault) }
    let bytes = document.span
    work.documentByteCount = droppedCount + bytes.count
    do throws(Fault) {
      while position < bytes.count {
        switch phase {
        case .envelope:
          if documentCount == 0, let step = try readNull(bytes[position]) { return step }
          if nullCount == 0 { try readEnvelope(bytes) }
        case .list: try readBetweenItems(bytes)
        case .item, .line: if let step = try readItem(bytes) { return step }
        case .scalar: if readScalar(bytes) { return .unusable }
        case .documentEnd: return endDocument()
        case .betweenDocuments: if let step = try readBetweenDocuments(bytes) { return step }
        case .betweenLines: if let step = try readBetweenObjects(bytes) { return step }
        case .otherText: return .otherTextFollows
        }
      }
      return phase == .documentEnd ? endDocument() : .needsMore
    } catch {
      fault = error
      return .fault(error)
    }
  }

  private mutating func readEnvelope(_ bytes: Span<UInt8>) throws(Fault) {
    var tokenCount = envelope.tokenCount
    defer { limitDocument() }
    while position < bytes.count {
      let byte = bytes[position]
      if envelope.depth == 0, documentStart == nil {
        if byte == .openBrace || byte == .openBracket {
          documentStart = position
          documentCount += 1
        } else if documentCount == 0, byte == UInt8(ascii: "n") {
          return
        }
      }
      position += 1
      switch try envelope.consume(byte, facts: &facts, looksForList: place == nil) {
      case .needsMore:
        if envelope.tokenCount > tokenCount { try spendNode() }
        tokenCount = envelope.tokenCount
        continue
      case .list(let found):
        place = found
        documentStart = nil
        phase = .list
      case .ended: phase = .documentEnd
      }
      return
    }
  }

  /// A document that is too large is not buffered; only its list or its end is searched for.
  private mutating func limitDocument() {
    if let start = documentStart, position - start > Self.maximumDocumentByteCount { documentStart = nil }
  }

  private mutating func endDocument() -> Step {
    phase = .betweenDocuments
    documentEnd = position
    return .documentEnded
  }

  private mutating func readBetweenDocuments(_ bytes: Span<UInt8>) throws(Fault) -> Step? {
    let byte = bytes[position]
    guard place != nil else { return try readBetweenObjects(bytes) }
    switch byte {
    case _ where byte.isJSONWhiteSpace || byte.isMarkBeforeJSON: position += 1
    case .openBrace, .openBracket:
      try spendNode()
      phase = .envelope
      envelope = Envelope()
      place = nil
      facts.beginDocument()
      return .documentBegins
    default: return skipOtherText()
    }
    return nil
  }

  /// Commas are not allowed here, but occur.
  private mutating func readBetweenObjects(_ bytes: Span<UInt8>) throws(Fault) -> Step? {
    let byte = bytes[position]
    if let step = try readNull(byte) { return step }
    switch byte {
    case _ where nullCount > 0: break
    case _ where byte.isJSONWhiteSpace || byte.isMarkBeforeJSON || byte == .comma: position += 1
    case .openBrace where phase == .betweenDocuments:
      phase = .betweenLines
      if documentCount > 1 { facts.beginDocument() } else { facts = Facts() }
      return .documentBegins
    case .openBrace:
      try spendNode()
      documentStart = nil
      itemStart = position
      phase = .line
    default: return skipOtherText()
    }
    return nil
  }

  /// Reads a byte of `null`, which programs write for an item that they could not load.
  private mutating func readNull(_ byte: UInt8) throws(Fault) -> Step? {
    let null = "null".utf8
    guard byte == null[null.index(null.startIndex, offsetBy: nullCount)] else {
      if nullCount == 0 { return nil }
      if documentCount == 0 { throw .notJSON }
      return skipOtherText()
    }
    position += 1
    nullCount += 1
    guard nullCount == null.count else { return nil }
    nullCount = 0
    try spendNode()
    return .unusable
  }

  private mutating func skipOtherText() -> Step {
    nullCount = 0
    phase = .otherText
    return .otherTextFollows
  }

  private mutating func spendNode() throws(Fault) {
    work.spend(nodes: 1)
    if work.isExceeded { throw .tooComplex }
  }

  private mutating func readBetweenItems(_ bytes: Span<UInt8>) throws(Fault) {
    let byte = bytes[position]
    switch byte {
    case .closeBracket:
      position += 1
      phase = envelope.closeList() ? .documentEnd : .envelope
    case .openBrace, .openBracket:
      try spendNode()
      itemStart = position
      phase = .item
    case .closeBrace, .colon:
      throw .malformed
    case .comma:
      position += 1
    default:
      guard !byte.isJSONWhiteSpace else {
        position += 1
        return
      }
      try spendNode()
      phase = .scalar
    }
  }

  private mutating func readItem(_ bytes: Span<UInt8>) throws(Fault) -> Step? {
    var index = position
    defer { position = index }
    while let byte = nextOutsideStrings(bytes, &index) {
      switch byte {
      case .openBrace, .openBracket:
        open.append(byte)
        if open.count + envelope.depth > Self.maximumDepth { throw .tooDeep }
      case .closeBrace, .closeBracket:
        guard let opened = open.popLast(), byte == opened + 2 else { throw .malformed }
        if open.isEmpty { return endItem(at: index, isObject: opened == .openBrace) }
      default: continue
      }
    }
    if let start = itemStart, index - start > Self.maximumItemByteCount { itemStart = nil }
    return nil
  }

  private mutating func endItem(at end: Int, isObject: Bool) -> Step {
    defer { itemStart = nil }
    phase = phase == .line ? .betweenLines : .list
    guard isObject, let start = itemStart, end - start <= Self.maximumItemByteCount else { return .unusable }
    return .item(start..<end)
  }

  /// Returns the next byte outside strings that is no quote; nil at the end of the bytes.
  @inline(__always)
  private mutating func nextOutsideStrings(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt8? {
    while index < bytes.count {
      if inString {
        skipString(bytes, &index)
        continue
      }
      let byte = bytes[index]
      index += 1
      guard byte == .quote else { return byte }
      inString = true
    }
    return nil
  }

  @inline(__always)
  private mutating func skipString(_ bytes: Span<UInt8>, _ index: inout Int) {
    if escaped {
      escaped = false
      index += 1
    }
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == .quote {
        inString = false
        return
      }
      if byte == .backslash {
        guard index < bytes.count else {
          escaped = true
          return
        }
        index += 1
      }
    }
  }

  private mutating func readScalar(_ bytes: Span<UInt8>) -> Bool {
    var index = position
    defer { position = index }
    while let byte = nextOutsideStrings(bytes, &index) {
      switch byte {
      case .comma, .closeBracket, .closeBrace, .openBrace, .openBracket:
        index -= 1
        phase = .list
        return true
      default: continue
      }
    }
    return false
  }
}
