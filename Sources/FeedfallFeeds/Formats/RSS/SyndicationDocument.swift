import FeedfallDocuments
import FeedfallText

extension FeedKind {
  /// RSS and Atom of any version.
  public static let syndication = FeedKind("syndication", hasOwnIDs: true)
}

/// An RSS or Atom document of any version.
///
/// Errors affect only the item in which they occur; an incomplete document yields its complete items.
struct SyndicationDocument: FeedFormat {
  static let rootNames: Set<String> = ["rss", "rdf", "feed", "channel", "entry", "item"]

  let kind = FeedKind.syndication

  private var reader: XMLReader
  private var shared = SharedTexts()
  private var channel = SyndicationChannel()
  private var hasBegun = false

  init(_ bytes: [UInt8], address: MediaAddress?) {
    reader = XMLReader(bytes, base: address?.web)
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

  /// Decodes the next item; nil after the last one.
  /// - Complexity: O(n) in the bytes up to the item's end.
  mutating func next() -> Video? {
    while let element = nextElement() {
      if !hasBegun {
        hasBegun = true
        channel.address = element.base
      }
      if Self.isItem(element) {
        let item = reader.content(of: element, endsAt: Self.isItem)
        return SyndicationItem(item, channel: channel).video(&shared)
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
  /// The language of items that name none.
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

  /// Adopts the value of an element outside the items.
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

/// Reads texts of feeds in their various forms.
enum SyndicationText {
  /// Returns a text for one line; nil if it is empty.
  ///
  /// Atom declares HTML by `type`; in RSS most texts that look like HTML are HTML.
  static func line(_ element: XMLElement, limit: Int = 500) -> String? {
    if let decoded = base64(element) { return cleanedLine(decoded, isHTML: true, limit: limit).nonEmpty }
    return switch element.attribute("type")?.lowercased() {
    case "text"?, "plain"?, "text/plain"?: cleanedLine(element.text, limit: limit).nonEmpty
    case _ where element.isPlain: cleanedLine(element.text, isHTML: true, limit: limit).nonEmpty
    default: cleanedLine(String(decoding: element.markup, as: UTF8.self), isHTML: true, limit: limit).nonEmpty
    }
  }

  /// Returns a longer text with its paragraphs; nil if it is empty.
  static func paragraphs(_ element: XMLElement) -> String? {
    cleanedText(html(element)).nonEmpty
  }

  /// Returns the content as HTML in UTF-8.
  static func html(_ element: XMLElement) -> [UInt8] {
    base64(element).map { Array($0.utf8) } ?? (element.isPlain ? element.textBytes : element.markup)
  }

  /// The text of an element in Base64 (Atom 0.3, 3.1.2); nil for another mode.
  private static func base64(_ element: XMLElement) -> String? {
    guard element.space == .atom, element.attribute("mode")?.lowercased() == "base64" else { return nil }
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
