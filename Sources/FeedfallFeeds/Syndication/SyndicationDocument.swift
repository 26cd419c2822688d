import FeedfallDocuments
import FeedfallText

/// An RSS or Atom document of any version, item by item.
///
/// What is broken in it spoils only itself: a document that breaks off gives all that came before.
struct SyndicationDocument: WholeDocument {
  let kind = FeedKind.syndication

  private var reader: XMLReader
  private var shared = SharedTexts()
  private var channel = SyndicationChannel()
  private var hasBegun = false
  /// Begins a document in UTF-8 whose addresses are relative to `address`.
  init(_ bytes: [UInt8], address: WebAddress?) {
    reader = XMLReader(bytes, base: address)
  }

  var title: String? { channel.title }
  var nextAddress: WebAddress? { channel.isComplete ? nil : channel.next }

  /// A feed that breaks off before its first item may be whole the next time.
  func failure(after count: Int) -> FeedFailure? {
    count == 0 && reader.depth > 0 ? .cut(after: 0) : nil
  }

  /// The next item; nil after the last one.
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
      if SyndicationChannel.isPart(element) { channel.take(reader.content(of: element, endsAt: Self.isItem)) }
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

  /// Whether a document with this outermost element is a feed.
  static func isRoot(_ name: String) -> Bool {
    ["rss", "rdf", "feed", "channel", "entry", "item"].contains(name)
  }

  private static func isItem(_ element: XMLElement) -> Bool {
    switch element.name {
    case "item", "entry": element.space.isFeed
    case "liveitem": element.space == .podcast
    default: false
    }
  }
}
