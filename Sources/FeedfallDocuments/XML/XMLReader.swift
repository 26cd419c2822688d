import FeedfallText

/// Reads XML as it is found: names resolved, entities decoded, tags that were not closed closed where their parent
/// ends; it never fails.
package struct XMLReader {
  package enum Event {
    /// Without what is in it.
    case start(XMLElement)
    case text(String)
    case end
  }

  private struct Open {
    let name: Range<Int>
    let base: WebAddress?
    let bindingCount: Int
  }

  private var tokens: XMLTokenizer
  private var open: [Open] = []
  private var scope: XMLScope
  /// How many elements are open below the deepest level that is told.
  private var deeperCount = 0
  private var pendingEnds = 0
  private let base: WebAddress?

  /// What lies deeper is taken for the text of what holds it.
  static let maximumDepth = 128
  private static let maximumByteCount = 4 << 20
  private static let maximumElementCount = 5_000

  /// What began where it can't be; see `content`.
  package var reopened: XMLElement?

  /// Begins a text in UTF-8, whose addresses are relative to `base`.
  package init(_ bytes: [UInt8], base: WebAddress?) {
    tokens = XMLTokenizer(bytes)
    scope = XMLScope()
    self.base = base
  }

  /// The outermost element's name in lower case without its prefix; nil where there is none.
  package static func rootName(of bytes: [UInt8]) -> String? {
    var reader = XMLReader(bytes, base: nil)
    while let event = reader.next() {
      if case .start(let element) = event { return element.name }
    }
    return nil
  }

  /// How many elements are open.
  package var depth: Int { open.count - pendingEnds }

  /// Whether all bytes were read.
  var isAtEnd: Bool { tokens.position >= tokens.bytes.count && pendingEnds == 0 }

  /// Nil at the end, where elements may be open still.
  package mutating func next() -> Event? {
    if pendingEnds > 0 { return closeOne() }
    while let token = tokens.next() {
      switch token {
      case .text(let range): return .text(XMLText.decoded(tokens.bytes, range))
      case .characterData(let range): return .text(String(decoding: tokens.bytes[range], as: UTF8.self))
      case .start(let name, let attributes, let isEmpty):
        if let element = start(name, attributes, isEmpty: isEmpty) { return .start(element) }
      case .end(let name):
        if end(name) { return closeOne() }
      }
    }
    return nil
  }

  /// The element with all that is in it, whose start was told last.
  ///
  /// Of one that holds more than 4 MB of text or 5,000 elements the rest is left out. Where something begins that
  /// can't be in it, as an item in an item, it was never closed: it ends there, and `reopened` has what began.
  package mutating func content(of element: XMLElement, endsAt isOutside: (XMLElement) -> Bool = { _ in false })
    -> XMLElement
  {
    let place = open.count
    var stack = [element]
    var room = Self.maximumByteCount
    var elementRoom = Self.maximumElementCount
    reading: while let event = next() {
      switch event {
      case .start(let child):
        if isOutside(child) {
          // It takes the place of what was not closed, so that a thousand of them lie no deeper than one.
          if (1..<open.count).contains(place) { open.removeSubrange((place - 1)..<(open.count - 1)) }
          reopened = child
          break reading
        }
        elementRoom -= 1
        stack.append(child)
      case .text(let text):
        room -= text.utf8.count
        if room >= 0 { stack[stack.count - 1].nodes.append(.text(text)) }
      case .end:
        let done = stack.removeLast()
        guard let parent = stack.indices.last else { return done }
        if elementRoom >= 0 { stack[parent].nodes.append(.element(done)) }
      }
    }
    while stack.count > 1 {
      let done = stack.removeLast()
      stack[stack.count - 1].nodes.append(.element(done))
    }
    return stack[0]
  }

  private mutating func start(_ name: Range<Int>, _ attributes: Range<Int>, isEmpty: Bool) -> XMLElement? {
    guard open.count < Self.maximumDepth else {
      deeperCount += isEmpty ? 0 : 1
      return nil
    }
    let bindingCount = scope.bindings.count
    var pairs = XMLText.attributes(tokens.bytes, attributes)
    pairs.removeAll { scope.bind($0.name, to: $0.value) }
    let (space, local) = scope.resolve(tokens.bytes[name], isAttribute: false)
    var element = XMLElement(space: space, name: local, base: open.last.map(\.base) ?? base)
    for pair in pairs {
      let (space, local) = scope.resolve(pair.name[...], isAttribute: true)
      if space == .xml, local == "base" { element.base = WebAddress(pair.value, relativeTo: element.base) }
      element.attributes.append(XMLAttribute(space: space, name: local, value: pair.value))
    }
    open.append(Open(name: name, base: element.base, bindingCount: bindingCount))
    if isEmpty { pendingEnds = 1 }
    return element
  }

  /// Whether an element ends here: the last one with this name that is open, and all in it.
  private mutating func end(_ name: Range<Int>) -> Bool {
    if deeperCount > 0 {
      deeperCount -= 1
      return false
    }
    let bytes = tokens.bytes
    guard
      let place = open.lastIndex(where: {
        $0.name.count == name.count && bytes[$0.name].elementsEqual(bytes[name], by: Self.isSame)
      })
    else {
      return false
    }
    pendingEnds = open.count - place
    return true
  }

  private static func isSame(_ left: UInt8, _ right: UInt8) -> Bool { left.lowercased == right.lowercased }

  private mutating func closeOne() -> Event {
    pendingEnds -= 1
    if let last = open.popLast() { scope.unbind(to: last.bindingCount) }
    return .end
  }
}

extension WebAddress {
  /// An address as it stands in a document; relative ones need a base. Keeps the base where it is none.
  fileprivate init?(_ text: String, relativeTo base: WebAddress?) {
    if let absolute = WebAddress(text) {
      self = absolute
    } else if let base {
      self = WebAddress(resolving: text, against: base) ?? base
    } else {
      return nil
    }
  }
}
