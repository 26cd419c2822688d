package struct XMLElement: Sendable {
  package var space: XMLNamespace
  /// The name without its prefix, in lower case.
  package var name: String
  package var attributes: [Attribute] = []
  package var nodes: [Node] = []
  package var base: WebAddress?

  package struct Attribute: Sendable {
    package var space: XMLNamespace
    package var name: String
    package var value: String
  }

  package enum Node: Sendable {
    case text(Characters)
    case element(XMLElement)
  }

  /// A text in a document, decoded only when it is used: most texts are blanks between elements.
  package struct Characters: Sendable {
    private let document: [UInt8]
    private let range: Range<Int>
    /// The entities that the document declares; nil for CDATA, in which `&` has no meaning.
    private let entities: XMLText.Entities?

    init(_ document: [UInt8], _ range: Range<Int>, entities: XMLText.Entities?) {
      (self.document, self.range, self.entities) = (document, range, entities)
    }

    /// The length in the document, in bytes; only declared entities make the decoded text longer, by up to 64 kB.
    var writtenByteCount: Int { range.count }

    /// - Complexity: O(n).
    package var text: String {
      entities.map { XMLText.decoded(document, range, $0) } ?? String(decoding: document[range], as: UTF8.self)
    }

    fileprivate func mayHave(_ wanted: HTMLPage.Embedded) -> Bool {
      HTMLPage.mayHave(wanted, document, in: range, isEscaped: entities != nil)
    }

    var bytes: [UInt8] { entities.map { XMLText.decodedBytes(document, range, $0) } ?? Array(document[range]) }
  }

  /// The value of the first attribute with this name, preferring one without a namespace.
  @inlinable package func attribute(_ name: String) -> String? {
    attributes.first { $0.name == name && $0.space == .rss }?.value
      ?? attributes.first { $0.name == name }?.value
  }

  @inlinable package func attribute(_ space: XMLNamespace, _ name: String) -> String? {
    attributes.first { $0.space == space && $0.name == name }?.value
  }

  @inlinable package func children(where isWanted: (XMLElement) -> Bool) -> [XMLElement] {
    var children: [XMLElement] = []
    for case .element(let child) in nodes where isWanted(child) { children.append(child) }
    return children
  }

  @inlinable package func children(_ space: XMLNamespace, _ name: String) -> [XMLElement] {
    children { $0.space == space && $0.hasName(name) }
  }

  @inlinable package func first(_ space: XMLNamespace, _ name: String) -> XMLElement? {
    for case .element(let child) in nodes where child.space == space && child.hasName(name) { return child }
    return nil
  }

  /// The first child with this name that is of RSS or Atom.
  @inlinable package func first(_ name: String) -> XMLElement? {
    for case .element(let child) in nodes where child.space.isFeed && child.hasName(name) { return child }
    return nil
  }

  /// Compares the lengths first, which differ in most cases.
  @inlinable package func hasName(_ other: String) -> Bool { name.utf8.count == other.utf8.count && name == other }

  package var text: String {
    if nodes.count == 1, case .text(let characters) = nodes[0] { return characters.text }
    return String(decoding: textBytes, as: UTF8.self)
  }

  package var textBytes: [UInt8] {
    if nodes.count == 1, case .text(let characters) = nodes[0] { return characters.bytes }
    var result: [UInt8] = []
    appendText(to: &result)
    return result
  }

  private func appendText(to result: inout [UInt8]) {
    for node in nodes {
      switch node {
      case .text(let characters): result += characters.bytes
      case .element(let element): element.appendText(to: &result)
      }
    }
  }

  /// Whether the content may contain such an element of HTML. Much faster than decoding it.
  package func mayHave(_ wanted: HTMLPage.Embedded) -> Bool {
    nodes.contains { node in
      switch node {
      case .text(let characters): characters.mayHave(wanted)
      case .element(let element): element.isOne(of: wanted) || element.mayHave(wanted)
      }
    }
  }

  private func isOne(of wanted: HTMLPage.Embedded) -> Bool {
    switch wanted {
    case .media: hasName("video") || hasName("audio")
    case .picture: hasName("img")
    }
  }

  @inlinable package var isPlain: Bool { !nodes.contains { if case .element = $0 { true } else { false } } }

  package func line(limit: Int = 500) -> String? { cleanedLine(text, limit: limit).nonEmpty }
  package var paragraphs: String? { cleanedText(textBytes, as: .plain).nonEmpty }

  /// The content as HTML in UTF-8.
  package var markup: [UInt8] {
    var result: [UInt8] = []
    appendMarkup(to: &result)
    return result
  }

  private func appendMarkup(to result: inout [UInt8]) {
    for node in nodes {
      switch node {
      case .text(let characters): Self.appendEscaped(characters.bytes, to: &result)
      case .element(let element):
        result.append(UInt8(ascii: "<"))
        result += element.name.utf8
        let isPicture = element.hasName("img") || element.hasName("source")
        for attribute in element.attributes where isPicture || Self.writtenAttributes.contains(attribute.name) {
          result += " \(attribute.name)=\"".utf8
          Self.appendEscaped(attribute.value.utf8.filter { $0 != .quote }, to: &result)
          result.append(.quote)
        }
        result.append(UInt8(ascii: ">"))
        element.appendMarkup(to: &result)
        result += "</".utf8
        result += element.name.utf8
        result.append(UInt8(ascii: ">"))
      }
    }
  }

  /// The attributes of other elements that are needed to find media.
  private static let writtenAttributes: Set<String> = ["src", "type", "poster"]

  private static func appendEscaped(_ bytes: [UInt8], to result: inout [UInt8]) {
    var rest = bytes[...]
    while let mark = rest.firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") }) {
      result += rest[..<mark]
      result += bytes[mark] == UInt8(ascii: "&") ? "&amp;".utf8 : "&lt;".utf8
      rest = rest[(mark + 1)...]
    }
    result += rest
  }
}

package enum XMLNamespace: Equatable {
  /// RSS of any version, and no namespace.
  case rss
  case atom
  case media
  case itunes
  case podcast
  case podlove
  case youTube
  case dublinCore
  case content
  case history
  case xhtml
  /// `xml:base` and its like.
  case xml
  case other

  /// Whether the elements of a feed itself may be in it.
  @inlinable package var isFeed: Bool { self == .rss || self == .atom }

  private static let known: [(start: [UInt8], space: XMLNamespace)] =
    ([
      ("www.w3.org/2005/atom", .atom), ("purl.org/atom/ns", .atom), ("www.w3.org/1999/xhtml", .xhtml),
      ("search.yahoo.com/mrss", .media), ("tools.search.yahoo.com/mrss", .media),
      ("www.rssboard.org/media-rss", .media), ("video.search.yahoo.com/mrss", .media),
      ("www.itunes.com/dtds/podcast", .itunes), ("itunes.com/dtds/podcast", .itunes),
      ("example.com/dtds/podcast", .itunes), ("www.google.com/schemas/play-podcasts", .itunes),
      ("podcastindex.org/namespace", .podcast), ("github.com/podcastindex-org/podcast-namespace", .podcast),
      ("podlove.org/simple-chapters", .podlove),
      ("www.youtube.com/xml/schemas", .youTube), ("gdata.youtube.com/schemas", .youTube),
      ("purl.org/dc/elements", .dublinCore), ("purl.org/dc/terms", .dublinCore), ("purl.org/dc/", .dublinCore),
      ("purl.org/rss/1.0/modules/content", .content), ("purl.org/rss/1.0/modules", .other),
      ("purl.org/syndication/history", .history), ("purl.org/rss/1.0", .rss), ("purl.org/net/rss", .rss),
      // The enclosures of RSS 1.0.
      ("purl.oclc.org/net/rss_2.0/enc", .rss),
      ("my.netscape.com", .rss), ("my.userland.com", .rss), ("backend.userland.com/rss", .rss),
      ("backend.userland.com/blogchannel", .other), ("blogs.law.harvard.edu/tech/rss", .rss),
      ("www.rssboard.org/rss", .rss), ("channel.netscape.com/rdf", .rss),
      ("www.w3.org/1999/02/22-rdf-syntax-ns", .rss), ("www.w3.org/xml/1998/namespace", .xml),
    ] as [(String, XMLNamespace)]).map { (Array($0.0.utf8), $0.1) }

  private static let usualPrefixes: [String: XMLNamespace] = [
    "rss": .rss, "rdf": .rss, "enc": .rss, "atom": .atom, "atom03": .atom, "atom10": .atom, "a10": .atom,
    "media": .media, "itunes": .itunes, "googleplay": .itunes, "podcast": .podcast, "psc": .podlove, "yt": .youTube,
    "dc": .dublinCore, "dcterms": .dublinCore, "dct": .dublinCore, "content": .content, "fh": .history,
    "xhtml": .xhtml, "xml": .xml,
  ]

  private static let longestAddress = 256
  private static let longestUsualPrefix = 10

  /// Nil for an unknown address. Spelling varies in case, scheme, trailing slashes and numbers.
  init?(address: String) {
    guard address.utf8.count <= Self.longestAddress else { return nil }
    let name = Array(address.utf8.map(\.lowercased).drop { $0 <= 0x20 })
    let scheme = ["https://", "http://"].first { name.starts(with: $0.utf8) }
    let bare = name.dropFirst(scheme?.utf8.count ?? 0)
    guard let match = Self.known.first(where: { bare.starts(with: $0.start) }) else { return nil }
    self = match.space
  }

  init?(usualPrefix prefix: some Collection<UInt8>) {
    guard prefix.count <= Self.longestUsualPrefix,
      let space = Self.usualPrefixes[String(decoding: prefix, as: UTF8.self).lowercased()]
    else { return nil }
    self = space
  }
}
