import FeedfallDocuments
import FeedfallText

/// What a feed says of itself, before its items.
struct SyndicationChannel: Sendable {
  /// What the items' addresses are relative to.
  var address: WebAddress?
  private(set) var title: String?
  private(set) var author: String?
  private(set) var cover: WebAddress?
  /// Where the next page of the feed is (RFC 5005, 3).
  private(set) var next: WebAddress?
  /// Whether there is nothing more than this document (RFC 5005, 2).
  private(set) var isComplete = false

  /// Whether an element outside the items is one of those that say something of the feed, and is to be taken whole.
  static func isPart(_ element: XMLElement) -> Bool {
    switch element.space {
    case .rss, .atom: parts.contains(element.name)
    case .itunes: ["author", "image", "owner"].contains(element.name)
    case .podcast, .media, .dublinCore: true
    case .history: element.name == "complete"
    case .youTube, .content, .xhtml, .xml, .other: false
    }
  }

  private static let parts: Set<String> = [
    "title", "link", "author", "image", "logo", "icon", "textinput", "description", "subtitle", "copyright",
    "managingeditor", "webmaster", "generator", "contributor", "rights", "tagline",
  ]

  /// Takes an element that stands outside the items.
  mutating func take(_ element: XMLElement) {
    switch (element.space, element.name) {
    case (.rss, "title"), (.atom, "title"):
      title = title ?? SyndicationText.line(element, limit: 200)
    case (.atom, "link"), (.rss, "link"):
      takeLink(element)
    case (.atom, "author"), (.itunes, "author"), (.dublinCore, "creator"):
      author = author ?? SyndicationText.person(element)
    case (.itunes, "image"), (.rss, "image"), (.atom, "logo"), (.podcast, "image"):
      cover = cover ?? SyndicationCovers.address(ofImage: element)
    case (.history, "complete"):
      isComplete = true
    default: break
    }
  }

  private mutating func takeLink(_ element: XMLElement) {
    guard element.attribute("rel")?.lowercased() == "next", let href = element.attribute("href") else { return }
    next = next ?? WebAddress(reference: href, base: element.base)
  }
}
