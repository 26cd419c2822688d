/// Reads XML as it occurs on the web: names are resolved, entities are decoded, and unclosed tags end with their
/// parent. It never fails, but stops where a document costs more than its `WorkBudget`.
package struct XMLReader {
  package enum Event {
    /// An element without its content.
    case start(XMLElement)
    case text(XMLElement.Characters)
    case end
  }

  private var tokens: XMLTokenizer
  private var open: [(name: Range<Int>, base: WebAddress?, bindingCount: Int)] = []
  private var scope: Scope
  /// The count of open elements deeper than `maximumDepth`.
  private var deeperCount = 0
  private var pendingEnds = 0
  private let base: WebAddress?
  package private(set) var work: WorkBudget

  /// The tags of deeper elements are ignored; their text belongs to the element at this depth.
  static let maximumDepth = 128
  private static let maximumByteCount = 4 << 20
  private static let maximumElementCount = 5_000
  /// The maximum count of nodes directly in an element.
  private static let maximumNodeCount = 2_000
  /// The maximum length of `xml:base`, because each relative address in its element is as long.
  private static let maximumBaseByteCount = 1_024

  /// The element that ended the preceding one because it cannot occur in it; see `content`.
  package var reopened: XMLElement?

  package init(_ bytes: [UInt8], base: WebAddress?) {
    tokens = XMLTokenizer(bytes)
    scope = Scope()
    work = WorkBudget(documentByteCount: bytes.count)
    self.base = base?.shortenedBase(to: Self.maximumBaseByteCount)
  }

  /// The name of the root element in lower case, without its prefix; nil if there is none.
  package static func rootName(of bytes: [UInt8]) -> String? {
    var tokens = XMLTokenizer(bytes)
    while let token = tokens.next() {
      guard case .start(let name, _, _) = token else { continue }
      let local = bytes[name].firstIndex(of: .colon).map { bytes[($0 + 1)..<name.upperBound] } ?? bytes[name]
      return String(decoding: local.map(\.lowercased), as: UTF8.self)
    }
    return nil
  }

  package var depth: Int { open.count - pendingEnds }
  var expandedByteCount: Int { tokens.expandedByteCount }
  var isAtEnd: Bool { tokens.position >= tokens.bytes.count && pendingEnds == 0 }

  /// Returns the next event; nil at the end, where elements may still be open.
  package mutating func next() -> Event? {
    if pendingEnds > 0 { return closeOne() }
    while !work.isExceeded, let token = tokens.next() {
      switch token {
      case .text(let range):
        return .text(XMLElement.Characters(tokens.bytes, range, entities: tokens.declaredEntities(for: range)))
      case .characterData(let range): return .text(XMLElement.Characters(tokens.bytes, range, entities: nil))
      case .start(let name, let attributes, let isEmpty):
        if let element = start(name, attributes, isEmpty: isEmpty) { return .start(element) }
      case .end(let name):
        if end(name) { return closeOne() }
      }
    }
    return nil
  }

  /// Reads the content of the element that has just started. Beyond 4 MB of text or 5,000 elements it is ignored. A
  /// child that cannot occur in the element, such as an item in an item, shows that the element is unclosed: it ends
  /// there, and `reopened` is the child.
  package mutating func content(of element: XMLElement, endsAt isOutside: (XMLElement) -> Bool = { _ in false })
    -> XMLElement
  {
    let place = open.count
    var stack = [element]
    var remainingBytes = Self.maximumByteCount
    var remainingElements = Self.maximumElementCount
    reading: while let event = next() {
      switch event {
      case .start(let child):
        if isOutside(child) {
          // It replaces the unclosed element, so that a thousand of them are not nested.
          if (1..<open.count).contains(place) { open.removeSubrange((place - 1)..<(open.count - 1)) }
          reopened = child
          break reading
        }
        remainingElements -= 1
        stack.append(child)
      case .text(let characters):
        remainingBytes -= characters.writtenByteCount
        if remainingBytes >= 0 { stack[stack.count - 1].nodes.append(.text(characters)) }
      case .end:
        let done = stack.removeLast()
        guard let parent = stack.indices.last else { return done }
        if remainingElements >= 0, stack[parent].nodes.count < Self.maximumNodeCount {
          stack[parent].nodes.append(.element(done))
        }
      }
    }
    while stack.count > 1 {
      let done = stack.removeLast()
      stack[stack.count - 1].nodes.append(.element(done))
    }
    return stack[0]
  }

  private mutating func start(_ name: Range<Int>, _ attributes: Range<Int>, isEmpty: Bool) -> XMLElement? {
    work.spend(nodes: 1)
    guard open.count < Self.maximumDepth else {
      deeperCount += isEmpty ? 0 : 1
      return nil
    }
    let bindingCount = scope.bindings.count
    var pairs = XMLText.attributes(tokens.bytes, attributes, tokens.declaredEntities(for: attributes))
    pairs.removeAll { scope.bind($0.name, to: $0.value) }
    let (space, local) = scope.resolve(tokens.bytes[name], isAttribute: false)
    var element = XMLElement(space: space, name: local, base: open.last.map { $0.base } ?? base)
    for pair in pairs {
      let (space, local) = scope.resolve(pair.name, isAttribute: true)
      if space == .xml, local == "base" { element.base = resolve(base: pair.value, in: element.base) }
      element.attributes.append(XMLElement.Attribute(space: space, name: local, value: pair.value))
    }
    // An element may hold an address that is relative to its base.
    work.spend(bytes: element.base?.text.utf8.count ?? 0)
    open.append((name, element.base, bindingCount))
    if isEmpty { pendingEnds = 1 }
    return element
  }

  private mutating func resolve(base text: String, in outer: WebAddress?) -> WebAddress? {
    guard text.utf8.count <= Self.maximumBaseByteCount else { return outer }
    work.spend(bytes: text.utf8.count + (outer?.text.utf8.count ?? 0))
    guard let base = WebAddress(reference: text, base: outer), base.text.utf8.count <= Self.maximumBaseByteCount else {
      return outer
    }
    return base
  }

  /// Closes the innermost open element with this name and all in it; returns false if there is none.
  private mutating func end(_ name: Range<Int>) -> Bool {
    if deeperCount > 0 {
      deeperCount -= 1
      return false
    }
    var place = open.count - 1
    while place >= 0, !isSame(open[place].name, name) { place -= 1 }
    guard place >= 0 else {
      work.spend(nodes: 1)
      return false
    }
    pendingEnds = open.count - place
    return true
  }

  private mutating func isSame(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
    guard left.count == right.count else { return false }
    work.spend(bytes: left.count)
    let bytes = tokens.bytes
    for offset in 0..<left.count
    where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset]
      && bytes[left.lowerBound + offset].lowercased != bytes[right.lowerBound + offset].lowercased
    {
      return false
    }
    return true
  }

  private mutating func closeOne() -> Event {
    pendingEnds -= 1
    if let last = open.popLast() { scope.unbind(to: last.bindingCount) }
    return .end
  }

  fileprivate struct Scope {
    private(set) var bindings: [(prefix: [UInt8], space: XMLNamespace?)] = []
    // Each name is compared with all bindings.
    private static let maximumCount = 64
    private static let longestPrefix = 32

    /// Binds the prefix of `xmlns=` or `xmlns:prefix=`; returns false for other attributes.
    mutating func bind(_ attribute: ArraySlice<UInt8>, to address: String) -> Bool {
      guard attribute.starts(with: "xmlns".utf8) else { return false }
      let rest = attribute.dropFirst(5)
      guard rest.isEmpty || rest.first == .colon else { return false }
      if bindings.count < Self.maximumCount, rest.count <= Self.longestPrefix {
        bindings.append((Array(rest.dropFirst()), XMLNamespace(address: address)))
      }
      return true
    }

    mutating func unbind(to count: Int) {
      if bindings.count > count { bindings.removeLast(bindings.count - count) }
    }

    func resolve(_ name: ArraySlice<UInt8>, isAttribute: Bool) -> (XMLNamespace, String) {
      guard let colon = name.firstIndex(of: .colon) else {
        return (isAttribute ? .rss : space(of: []) ?? .rss, Self.lowercased(name))
      }
      let prefix = name[..<colon]
      let space = space(of: prefix) ?? XMLNamespace(usualPrefix: prefix) ?? .other
      return (space, Self.lowercased(name[(colon + 1)...]))
    }

    private func space(of prefix: ArraySlice<UInt8>) -> XMLNamespace? {
      bindings.last { $0.prefix.count == prefix.count && $0.prefix.elementsEqual(prefix) }?.space
    }

    private static func lowercased(_ name: ArraySlice<UInt8>) -> String {
      name.contains(where: \.isASCIIUpper)
        ? String(decoding: name.map(\.lowercased), as: UTF8.self) : String(decoding: name, as: UTF8.self)
    }
  }
}

extension WebAddress {
  /// The address without its query and fragment if it is longer: references are relative to the path.
  fileprivate func shortenedBase(to byteCount: Int) -> WebAddress {
    text.utf8.count > byteCount ? WebAddress(origin + path) ?? self : self
  }
}

/// Finds a feed after other text, such as a PHP warning, HTTP headers or a stray letter.
package enum LateXML {
  /// The length of the searched part of a document, in bytes.
  package static let byteCount = 64 * 1_024

  private static let declarationName = Array("?xml".utf8)
  /// Without their prefixes.
  private static let roots = ["rss", "feed", "rdf", "opml", "playlist", "asx"].map { Array($0.utf8) }
  private static let longestPrefix = 16
  /// The first elements of web pages, which may show the source of a feed. Error messages begin with others, such as
  /// `br`.
  private static let pageElements: Set<String> = [
    "html", "head", "body", "base", "link", "meta", "noscript", "script", "style", "template", "title", "frameset",
  ]

  /// The index of the XML declaration or the root element; nil at the start of the document, and in web pages and other
  /// formats.
  package static func start(in document: [UInt8]) -> Int? {
    let bytes = Array(document.prefix(byteCount))
    var declaration: Int?
    var firstElement: Int?
    var index = 0
    while let open = bytes.firstIndex(of: UInt8(ascii: "<"), in: index..<bytes.count) {
      if isName(declarationName, bytes, open + 1) {
        declaration = open
      } else if bytes[safe: open + 1]?.isASCIILetter == true {
        if isRoot(bytes, open + 1) {
          let start = declaration ?? open
          let isOther = isPage(bytes) || firstElement.map { declaresNamespace(bytes, $0) } ?? false
          return DocumentText.firstMark(Array(bytes[..<start])) != nil && !isOther ? start : nil
        }
        firstElement = firstElement ?? open
        // A message can also follow the declaration.
        declaration = nil
      }
      index = open + 1
    }
    return nil
  }

  private static func isPage(_ bytes: [UInt8]) -> Bool {
    XMLReader.rootName(of: bytes).map(pageElements.contains) ?? false
      || bytes.firstIndex(of: "<!doctype html", from: 0) != nil
  }

  /// Whether the element is the root of another format, such as SVG, which may contain RDF. Messages declare nothing.
  private static func declaresNamespace(_ bytes: [UInt8], _ element: Int) -> Bool {
    Array(bytes[element...].prefix { $0 != UInt8(ascii: ">") }).firstIndex(of: "xmlns", from: 0) != nil
  }

  private static func isRoot(_ bytes: [UInt8], _ start: Int) -> Bool {
    let prefix = bytes[start...].prefix(longestPrefix).prefix { $0.isASCIILetter || $0.isASCIIDigit }
    let name = bytes[safe: prefix.endIndex] == .colon ? prefix.endIndex + 1 : start
    return roots.contains { isName($0, bytes, name) }
  }

  private static func isName(_ name: [UInt8], _ bytes: [UInt8], _ start: Int) -> Bool {
    guard start + name.count < bytes.count else { return false }
    let end = bytes[start + name.count]
    return (end <= .space || end == UInt8(ascii: ">"))
      && bytes[start..<(start + name.count)].elementsEqual(name) { $0.lowercased == $1 }
  }
}
