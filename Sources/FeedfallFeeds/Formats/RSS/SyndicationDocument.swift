import FeedfallText

extension FeedKind {
  /// RSS and Atom of any version.
  public static let syndication = FeedKind("syndication", hasOwnIDs: true)
}

/// Errors affect only the item in which they occur; an incomplete document yields its complete items.
struct SyndicationDocument: FeedFormat {
  static let rootNames: Set<String> = ["rss", "rdf", "feed", "channel", "entry", "item"]

  let kind = FeedKind.syndication

  private var reader: XMLReader
  private var shared = SharedTexts()
  private var channel = SyndicationChannel()
  private var hasBegun = false
  /// The videos of the last item that follow its first one, in reverse order.
  private var rest: [Video] = []

  init(_ bytes: [UInt8], address: MediaAddress?) {
    reader = XMLReader(bytes, base: address?.web)
    channel.documentAddress = address?.web
  }

  var title: String? { channel.title }
  var summary: String? { channel.summary }
  var cover: WebAddress? { channel.cover }
  var nextAddress: WebAddress? { channel.isComplete ? nil : channel.next ?? channel.previousArchive }
  var nextIsArchive: Bool { channel.next == nil }

  var isCut: Bool { reader.depth > 0 }

  /// A feed that is cut before its first item may be complete at the next request.
  func failure(after count: Int) -> FeedFailure? {
    if reader.work.isExceeded { return .tooComplex }
    return count == 0 && isCut ? .cut(after: 0) : nil
  }

  /// - Complexity: O(n) in the bytes up to the item's end.
  mutating func next() -> Video? {
    if let video = rest.popLast() { return video }
    while let element = nextElement() {
      if !hasBegun {
        hasBegun = true
        channel.address = element.base
        channel.language = element.attribute(.xml, "lang")
      }
      if Self.isItem(element) {
        let item = reader.content(of: element, endsAt: Self.isItem)
        let videos = SyndicationItem(item, channel: channel).videos(&shared)
        rest = videos.dropFirst().reversed()
        return videos.first
      }
      if SyndicationChannel.isPart(element) { channel.merge(reader.content(of: element, endsAt: Self.isItem)) }
    }
    return nil
  }

  private mutating func nextElement() -> XMLElement? {
    if let element = reader.reopened {
      reader.reopened = nil
      return element
    }
    while let event = reader.next() {
      if case .start(let element) = event { return element }
    }
    return nil
  }

  private static func isItem(_ element: XMLElement) -> Bool {
    switch element.name {
    case "item", "entry": element.space.isFeed
    case "liveitem": element.space == .podcast
    default: false
    }
  }
}

/// The properties of a feed outside its items.
struct SyndicationChannel: Sendable {
  /// The base of the addresses in the items.
  var address: WebAddress?
  var documentAddress: WebAddress?
  /// The language of items that state none.
  var language: String?
  private(set) var title: String?
  private(set) var summary: String?
  private(set) var author: String?
  private(set) var cover: WebAddress?
  /// The address of the next page (RFC 5005, 3).
  private(set) var next: WebAddress?
  /// The address of the archive with the preceding items (RFC 5005, 4).
  private(set) var previousArchive: WebAddress?
  /// Facts about all items.
  private(set) var extras = SyndicationExtras()
  /// Whether this document is the whole feed (RFC 5005, 2).
  private(set) var isComplete = false

  /// Whether an element outside the items must be read with its content.
  static func isPart(_ element: XMLElement) -> Bool {
    switch element.space {
    case .rss, .atom: parts.contains(element.name)
    case .itunes: ["author", "image", "owner", "explicit", "category"].contains(element.name)
    case .podcast, .media, .dublinCore: true
    case .history: element.name == "complete"
    case .youTube, .podlove, .content, .xhtml, .xml, .other: false
    }
  }

  private static let parts: Set<String> = [
    "title", "link", "author", "image", "logo", "icon", "textinput", "description", "subtitle", "copyright",
    "managingeditor", "webmaster", "generator", "contributor", "rights", "tagline", "language",
  ]

  mutating func merge(_ element: XMLElement) {
    switch (element.space, element.name) {
    case (.rss, "title"), (.atom, "title"):
      title = title ?? SyndicationText.line(element, limit: 200)
    case (.rss, "description"), (.atom, "subtitle"), (.atom, "tagline"):
      summary = summary ?? SyndicationText.line(element)
    case (.atom, "link"), (.rss, "link"):
      mergeLink(element)
    case (.atom, "author"), (.itunes, "author"), (.dublinCore, "creator"):
      author = author ?? SyndicationText.person(element)
    case (.itunes, "image"), (.rss, "image"), (.atom, "logo"), (.podcast, "image"):
      cover = cover ?? SyndicationCovers.address(ofImage: element)
    case (.rss, "language"), (.dublinCore, "language"):
      language = cleanedLine(element.text, limit: Video.maximumLanguageLength).nonEmpty ?? language
    case (.history, "complete"):
      isComplete = true
    case (.podcast, _), (.itunes, _), (.media, _):
      extras.merge(ofChannel: element)
    default: break
    }
  }

  private mutating func mergeLink(_ element: XMLElement) {
    guard let relation = element.attribute("rel"), let href = element.attribute("href") else { return }
    switch LinkHeader.name(ofRelation: relation) {
    case "next": next = next ?? WebAddress(reference: href, base: element.base)
    case "prev-archive": previousArchive = previousArchive ?? WebAddress(reference: href, base: element.base)
    default: break
    }
  }
}

/// Reads texts of feeds in their various forms; see `TextKind`.
enum SyndicationText {
  /// Returns a text for one line; nil if it is empty.
  static func line(_ element: XMLElement, limit: Int = 500) -> String? {
    let kind = kind(of: element)
    let text =
      base64(element)
      ?? (element.isPlain || kind != .html ? element.text : String(decoding: element.markup, as: UTF8.self))
    return cleanedLine(text, as: kind, limit: limit).nonEmpty
  }

  /// Returns a longer text with its paragraphs; nil if it is empty.
  static func paragraphs(_ element: XMLElement) -> String? {
    let kind = kind(of: element)
    return cleanedText(content(element, kind), as: kind).nonEmpty
  }

  /// Returns the content in UTF-8 if it is HTML, or nothing.
  static func html(_ element: XMLElement) -> [UInt8] {
    kind(of: element) == .html ? content(element, .html) : []
  }

  /// Whether the HTML of an element may contain such an element. Much faster than decoding it.
  static func mayHave(_ wanted: HTMLPage.Embedded, _ element: XMLElement) -> Bool {
    element.mayHave(wanted) || mode(of: element) == "base64"
  }

  private static func content(_ element: XMLElement, _ kind: TextKind) -> [UInt8] {
    base64(element).map { Array($0.utf8) } ?? (element.isPlain || kind != .html ? element.textBytes : element.markup)
  }

  private static func kind(of element: XMLElement) -> TextKind {
    guard let type = element.attribute("type")?.lowercased().nonEmpty else {
      let isText = element.space == .media || element.space == .atom && mode(of: element) == nil
      return isText && element.isPlain ? .plain : .html
    }
    return switch type {
    case "text", "plain", "text/plain": .plain
    case "text/markdown", "text/x-markdown": .markdown
    default: element.space == .atom && type.hasPrefix("text/") && type != "text/html" ? .plain : .html
    }
  }

  /// How the markup in an element of Atom 0.3 is encoded (3.1.2): `escaped` or `base64`.
  private static func mode(of element: XMLElement) -> String? {
    element.attribute("mode")?.lowercased().nonEmpty.flatMap { $0 == "xml" ? nil : $0 }
  }

  /// The text of an element in Base64; nil for another mode.
  private static func base64(_ element: XMLElement) -> String? {
    guard element.space == .atom, mode(of: element) == "base64" else { return nil }
    return Base64.decode(element.text).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the name in an Atom person, `Name`, or `mail@host (Name)`, the form of RSS 2.0.
  static func person(_ element: XMLElement) -> String? {
    if let name = element.first("name") { return line(name, limit: 200) }
    if !element.isPlain, let mail = element.first("email") { return line(mail, limit: 200) }
    guard let text = line(element, limit: 200) else { return nil }
    if let open = text.firstIndex(of: "("), text.hasSuffix(")"), text[..<open].contains("@") {
      return String(text[text.index(after: open)...].dropLast()).nonEmpty ?? text
    }
    return text
  }
}
