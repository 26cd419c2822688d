import FeedfallText

/// Finds the list of items in a JSON document that arrives in pieces, and where each item begins and ends.
///
/// It looks at every byte once, keeps its place between pieces, and needs no memory but the open brackets.
/// What lies inside an item is only balanced here; the envelope round the list is read as JSON, since the
/// place of the list and a few facts (`total`, `end`, `title`) are told by its names.
struct JSONItemFinder {
  /// Where the list was found.
  enum Place: Equatable {
    /// The document is a list.
    case document
    /// `{"data": […]}`
    case data
    /// `{"data": {"info_list": […]}}`
    case infoList
    /// `{"videos": […]}`
    case videos
    /// `{"items": […]}`
    case items
  }

  enum Step: Equatable {
    case item(Range<Int>)
    /// A value in the list that is no object, or one that is too large to be an item.
    case unusable
    case needsMore
    case documentEnded
    case fault(Fault)
  }

  enum Fault: Error, Equatable {
    case notJSON
    case malformed
    case tooDeep
  }

  static let maximumDepth = 512
  static let maximumItemByteCount = 4 << 20

  private(set) var place: Place?
  private(set) var facts = JSONFacts()
  /// Whether all of the list has gone by.
  private(set) var isListEnded = false

  /// How far the bytes have been read.
  private(set) var position = 0
  private var envelope = JSONEnvelope()
  private var phase = Phase.envelope
  private var open: [UInt8] = []
  private var itemStart: Int?
  private var inString = false
  private var escaped = false
  private var fault: Fault?

  private enum Phase {
    case envelope
    /// Between the items of the list.
    case list
    /// In an item that is an object or a list.
    case item
    /// In an item that is neither.
    case scalar
    case ended
  }

  /// The place before which no byte is needed any more.
  var firstNeeded: Int { itemStart ?? position }

  /// Whether the document has begun and not ended.
  var isInDocument: Bool { envelope.depth > 0 }

  /// Tells that so many bytes before `firstNeeded` were taken away.
  mutating func dropFirst(_ count: Int) {
    position -= count
    itemStart = itemStart.map { $0 - count }
  }

  /// Reads on to the end of the next item.
  mutating func next(in document: [UInt8]) -> Step {
    if let fault { return .fault(fault) }
    let bytes = document.span
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
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch try envelope.take(byte, facts: &facts, looksForList: place == nil) {
      case .goesOn: continue
      case .list(let found):
        place = found
        phase = .list
      case .ended: phase = .ended
      }
      return
    }
  }

  private mutating func readBetweenItems(_ bytes: Span<UInt8>) throws(Fault) {
    let byte = bytes[position]
    switch byte {
    case .closeBracket:
      position += 1
      isListEnded = true
      phase = envelope.closeList() ? .ended : .envelope
    case .openBrace, .openBracket:
      itemStart = position
      phase = .item
    case .closeBrace, .colon:
      throw .malformed
    case .comma:
      position += 1
    default:
      if !byte.isJSONWhiteSpace { phase = .scalar } else { position += 1 }
    }
  }

  /// Nil at the end of the bytes.
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
    // The bytes of an item that is too large aren't kept, but its end is still looked for.
    if let start = itemStart, index - start > Self.maximumItemByteCount { itemStart = nil }
    return nil
  }

  private mutating func endItem(at end: Int, isObject: Bool) -> Step {
    defer { itemStart = nil }
    phase = .list
    guard isObject, let start = itemStart, end - start <= Self.maximumItemByteCount else { return .unusable }
    return .item(start..<end)
  }

  /// Steps over the next byte that is in no string and isn't a quote; nil at the end of the bytes.
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

  /// Whether the value ended within the bytes.
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
