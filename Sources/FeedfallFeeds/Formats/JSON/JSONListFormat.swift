import FeedfallText

/// A feed format whose documents are a JSON list of items, each decoded as soon as it has arrived.
///
/// A new format is a type that conforms to this protocol, and a row in `JSONListFormats.rows`. It has a list name, a way
/// to recognize its items, or both.
protocol JSONListFormat: SendableMetatype {
  static var kind: FeedKind { get }
  /// The name of the lists that are always in this format, such as `items` in `{"items": […]}`; nil if there is none.
  static var listName: String? { get }
  /// The name of the object around the list, such as `response` in `{"response": {"docs": […]}}`; nil if the list is a
  /// member of the document.
  static var parentName: String? { get }
  static func matches(_ item: JSONObject) -> Bool
  /// Whether `matches` also decides in lists under the name of another format, such as `items`.
  static var matchesInNamedLists: Bool { get }
  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem
}

extension JSONListFormat {
  static var listName: String? { nil }
  static var parentName: String? { nil }
  static func matches(_ item: JSONObject) -> Bool { false }
  static var matchesInNamedLists: Bool { false }
}

enum DecodedItem {
  case video(Video)
  /// The videos of an item that is a list itself.
  case videos([Video])
  case unusable

  init(_ video: Video?) {
    self = video.map(DecodedItem.video) ?? .unusable
  }
}

enum JSONListFormats {
  /// The first row that matches decides; articles match anything.
  static let rows: [any JSONListFormat.Type] = [
    YtDlpEntry.self, InvidiousVideo.self, PipedVideo.self, ArchiveFoundItem.self, ListedTalk.self,
    JSONFeedItem.self, PeerTubeVideo.self, Broadcast.self, CatalogueItem.self, Article.self,
  ]

  static func format(ofListNamed name: [UInt8]) -> (any JSONListFormat.Type)? {
    rows.first { $0.parentName == nil && $0.listName.map { name.elementsEqual($0.utf8) } ?? false }
  }

  static func format(ofParentNamed name: [UInt8]) -> (any JSONListFormat.Type)? {
    rows.first { $0.parentName.map { name.elementsEqual($0.utf8) } ?? false }
  }

  static func format(of item: JSONObject, in place: JSONItemFinder.Place?) -> any JSONListFormat.Type {
    if case .named(let format) = place {
      return rows.first { $0.matchesInNamedLists && $0.matches(item) } ?? format
    }
    return rows.first { $0.matches(item) } ?? Article.self
  }

  static func kind(ofEmptyListAt place: JSONItemFinder.Place?) -> FeedKind {
    switch place {
    case .data: .peerTube
    case .document: .catalogue
    case .named(let format): format.kind
    case nil: .articles
    }
  }
}

/// Decodes the items of one document; the first usable item determines the format.
struct JSONItemDecoder {
  private var format: (any JSONListFormat.Type)?
  /// Whether the last item marks the end of the list, which some articles do.
  private(set) var lastItemSaysEnd = false
  private let address: MediaAddress?
  private var shared = SharedTexts()
  /// What the first item without a video is, as far as it shows.
  private(set) var foreign: ForeignList?

  init(address: MediaAddress?) {
    self.address = address
  }

  var kind: FeedKind? { format?.kind }

  mutating func decode(_ bytes: [UInt8], _ range: Range<Int>, place: JSONItemFinder.Place?) -> DecodedItem {
    guard let item = JSONObject(bytes, range), !item.isEmpty else { return .unusable }
    let format = self.format ?? JSONListFormats.format(of: item, in: place)
    if format == Article.self { lastItemSaysEnd = item["end"]?.bool ?? false }
    let result = format.decode(item, from: address, &shared)
    switch result {
    case .unusable:
      foreign = foreign ?? ForeignList(item)
      return result
    case .videos(let videos) where videos.isEmpty && foreign == nil:
      // Other media among videos are no list of another kind.
      foreign = ForeignList(item).flatMap { $0.namesItems ? $0 : nil }
    case .videos, .video: break
    }
    self.format = format
    return result
  }
}
