import FeedfallText

/// Errors affect only the item in which they occur; an incomplete document yields its complete items.
struct SyndicationDocument: FeedFormat {
  static let rootNames: Set<String> = ["rss", "rdf", "feed", "channel", "entry", "item"]

  let kind = FeedKind.syndication

  private var reader: XMLReader
  private var shared = SharedTexts()
  private var channel = Channel()
  private var hasBegun = false
  /// The videos of the last item that follow its first one, in reverse order.
  private var rest: [Video] = []

  init(_ bytes: [UInt8], address: MediaAddress?) {
    reader = XMLReader(bytes, base: address?.web)
    channel.documentAddress = address?.web
  }

  var header: FeedHeader {
    let next = channel.isComplete ? nil : channel.next ?? channel.previousArchive
    return FeedHeader(
      title: channel.title, summary: channel.summary, cover: channel.cover,
      nextPage: next.map { NextPage($0, isArchive: channel.next == nil) })
  }

  var isCut: Bool { reader.depth > 0 }

  /// A feed that is cut before its first item may be complete at the next request.
  func failure(after count: Int) -> FeedFailure? {
    reader.work.isExceeded ? .tooComplex : count == 0 && isCut ? .cut(after: 0) : nil
  }

  mutating func next() -> Video? {
    if let video = rest.popLast() { return video }
    while let element = reader.nextElement() {
      if !hasBegun {
        hasBegun = true
        channel.address = element.base
        channel.language = element.attribute(.xml, "lang")
      }
      if Self.isItem(element) {
        let item = reader.content(of: element, endsAt: Self.isItem)
        let videos = Item(item, channel: channel).videos(&shared)
        rest = videos.dropFirst().reversed()
        return videos.first
      }
      if Channel.isPart(element) { channel.merge(reader.content(of: element, endsAt: Self.isItem)) }
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

  struct Channel: Sendable {
    /// The base of the addresses in the items.
    var address: WebAddress?
    var documentAddress: WebAddress?
    var language: String?
    private(set) var title: String?
    private(set) var summary: String?
    private(set) var author: String?
    private(set) var cover: WebAddress?
    /// The address of the next page (RFC 5005, 3).
    private(set) var next: WebAddress?
    /// The address of the archive with the preceding items (RFC 5005, 4).
    private(set) var previousArchive: WebAddress?
    private(set) var extras = Extras()
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
        title = title ?? element.feedLine(limit: 200)
      case (.rss, "description"), (.atom, "subtitle"), (.atom, "tagline"):
        summary = summary ?? element.feedLine()
      case (.atom, "link"), (.rss, "link"):
        mergeLink(element)
      case (.atom, "author"), (.itunes, "author"), (.dublinCore, "creator"):
        author = author ?? element.personName
      case (.itunes, "image"), (.rss, "image"), (.atom, "logo"), (.podcast, "image"):
        cover = cover ?? element.imageAddress
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
}

/// The texts of feeds in their various forms; see `TextKind`.
extension XMLElement {
  func feedLine(limit: Int = 500) -> String? {
    let kind = feedTextKind
    let text = base64Text ?? (isPlain || kind != .html ? text : String(decoding: markup, as: UTF8.self))
    return cleanedLine(text, as: kind, limit: limit).nonEmpty
  }

  var feedParagraphs: String? {
    let kind = feedTextKind
    return cleanedText(content(as: kind), as: kind).nonEmpty
  }

  /// The content in UTF-8 if it is HTML, else empty.
  var feedHTML: [UInt8] { feedTextKind == .html ? content(as: .html) : [] }

  /// The texts about an item that may have pictures and media.
  var feedTexts: [XMLElement?] {
    [first(.content, "encoded"), first("content"), first("description"), first("summary")]
  }

  /// Whether the HTML may contain such an element. Much faster than decoding it.
  func feedHTMLMayHave(_ wanted: HTMLPage.Embedded) -> Bool { mayHave(wanted) || encoding == "base64" }

  private func content(as kind: TextKind) -> [UInt8] {
    base64Text.map { Array($0.utf8) } ?? (isPlain || kind != .html ? textBytes : markup)
  }

  private var feedTextKind: TextKind {
    guard let type = attribute("type")?.lowercased().nonEmpty else {
      let isText = space == .media || space == .atom && encoding == nil
      return isText && isPlain ? .plain : .html
    }
    return switch type {
    case "text", "plain", "text/plain": .plain
    case "text/markdown", "text/x-markdown": .markdown
    default: space == .atom && type.hasPrefix("text/") && type != "text/html" ? .plain : .html
    }
  }

  /// How the markup in an element of Atom 0.3 is encoded (3.1.2): `escaped` or `base64`.
  private var encoding: String? { attribute("mode")?.lowercased().nonEmpty.flatMap { $0 == "xml" ? nil : $0 } }

  private var base64Text: String? {
    guard space == .atom, encoding == "base64" else { return nil }
    return Base64.decode(text).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The name in an Atom person, `Name`, or `mail@host (Name)`, the form of RSS 2.0.
  var personName: String? {
    if let name = first("name") { return name.feedLine(limit: 200) }
    if !isPlain, let mail = first("email") { return mail.feedLine(limit: 200) }
    guard let text = feedLine(limit: 200) else { return nil }
    if let open = text.firstIndex(of: "("), text.hasSuffix(")"), text[..<open].contains("@") {
      return String(text[text.index(after: open)...].dropLast()).nonEmpty ?? text
    }
    return text
  }
}
