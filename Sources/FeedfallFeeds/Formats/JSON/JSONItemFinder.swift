import FeedfallDocuments
import FeedfallText

/// Finds the list of items in a JSON document that arrives in pieces, and the range of each item.
///
/// It reads every byte once and stores only the open brackets. Inside items only brackets are matched; the envelope around
/// the list is parsed, because its names determine the place of the list and a few facts (`total`, `end`, `title`).
struct JSONItemFinder {
  /// The place of the list in the document.
  enum Place {
    /// `[…]`
    case document
    /// `{"data": […]}`
    case data
    /// `{"items": […]}`, under the name that belongs to a format.
    case named(any JSONListFormat.Type)
  }

  enum Step: Equatable {
    case item(Range<Int>)
    /// A value in the list that is no object, or too large.
    case unusable
    case needsMore
    case documentEnded
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

  private(set) var place: Place?
  private(set) var facts = JSONFacts()
  /// The index of the next byte to read.
  private(set) var position = 0
  private var envelope = JSONEnvelope()
  private var phase = Phase.envelope
  private var droppedCount = 0
  private var open: [UInt8] = []
  private var itemStart: Int?
  private var inString = false
  private var escaped = false
  private var fault: Fault?
  /// The work so far: a node is an item, or a name or value around the list.
  private(set) var work = WorkBudget()

  private enum Phase {
    case envelope
    /// Between two items of the list.
    case list
    /// In an object or list.
    case item
    /// In any other item.
    case scalar
    case ended
  }

  /// The index of the first byte that is still needed.
  var firstNeeded: Int { itemStart ?? position }

  /// Whether the document has started and not ended.
  var isInDocument: Bool { envelope.depth > 0 }

  /// Adjusts all indices after the first `count` bytes have been discarded.
  mutating func dropFirst(_ count: Int) {
    position -= count
    droppedCount += count
    itemStart = itemStart.map { $0 - count }
  }

  /// Reads to the end of the next item.
  mutating func next(in document: [UInt8]) -> Step {
    if let fault { return .fault(fault) }
    let bytes = document.span
    work.documentByteCount = droppedCount + bytes.count
    do throws(Fault) {
      while position < bytes.count {
        switch phase {
        case .envelope: try readEnvelope(bytes)
        case .list: try readBetweenItems(bytes)
        case .item: if let step = try readItem(bytes) { return step }
        case .scalar: if readScalar(bytes) { return .unusable }
        case .ended: return .documentEnded
        }
      }
      return phase == .ended ? .documentEnded : .needsMore
    } catch {
      fault = error
      return .fault(error)
    }
  }

  private mutating func readEnvelope(_ bytes: Span<UInt8>) throws(Fault) {
    var tokenCount = envelope.tokenCount
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch try envelope.consume(byte, facts: &facts, looksForList: place == nil) {
      case .needsMore:
        if envelope.tokenCount > tokenCount { try spendNode() }
        tokenCount = envelope.tokenCount
        continue
      case .list(let found):
        place = found
        phase = .list
      case .ended: phase = .ended
      }
      return
    }
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
      phase = envelope.closeList() ? .ended : .envelope
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

  /// Returns nil at the end of the bytes.
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
    // An item that is too large is not buffered; only its end is searched.
    if let start = itemStart, index - start > Self.maximumItemByteCount { itemStart = nil }
    return nil
  }

  private mutating func endItem(at end: Int, isObject: Bool) -> Step {
    defer { itemStart = nil }
    phase = .list
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

  /// Returns whether the value ends within the bytes.
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
