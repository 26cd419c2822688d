import FeedfallText

/// A feed format whose documents are a JSON list of items, each decoded as soon as it has arrived.
///
/// A new format is a type that conforms to this protocol, and a row in `JSONListFormats.rows`. It has a list name, a
/// way to recognize its items, or both.
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

  init(_ video: Video?) { self = video.map(DecodedItem.video) ?? .unusable }
}

enum JSONListFormats {
  /// The first row that matches decides; articles match anything.
  static let rows: [any JSONListFormat.Type] = [
    YtDlpVideo.self, InvidiousVideo.self, PipedVideo.self, ArchiveItem.self, MediaCCCTalk.self,
    JSONFeedItem.self, PeerTubeVideo.self, Broadcast.self, ListedVideo.CatalogueItem.self, ListedVideo.Article.self,
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
    return rows.first { $0.matches(item) } ?? ListedVideo.Article.self
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
