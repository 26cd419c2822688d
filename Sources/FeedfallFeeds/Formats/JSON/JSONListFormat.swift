import FeedfallDocuments
import FeedfallText

/// A feed format whose documents are a JSON list of items, each decoded as soon as it has arrived.
///
/// A new format is a type that conforms to this protocol, and a row in `JSONListFormats.rows`. A list under a name of its
/// own also needs a case of `JSONItemFinder.Place`.
protocol JSONListFormat: SendableMetatype {
  static var kind: FeedKind { get }
  /// Whether an item of a list at this place is in this format.
  static func matches(_ item: JSONObject, in place: JSONItemFinder.Place?) -> Bool
  /// Decodes an item of the document at `address`.
  static func decode(_ item: JSONObject, from address: MediaAddress?, _ shared: inout SharedTexts) -> DecodedItem
}

/// The result of decoding an item of a list.
enum DecodedItem {
  case video(Video)
  /// The videos of an item that is a list itself.
  case videos([Video])
  case unusable

  /// A video, or `unusable` for nil.
  init(_ video: Video?) {
    self = video.map(DecodedItem.video) ?? .unusable
  }
}

enum JSONListFormats {
  /// The first row that matches decides; articles match anything.
  static let rows: [any JSONListFormat.Type] = [
    YtDlpEntry.self, InvidiousVideo.self, PipedVideo.self, ArchiveScrapeItem.self, JSONFeedItem.self,
    PeerTubeVideo.self, Broadcast.self, CatalogueItem.self, Article.self,
  ]

  /// The kind of a document with an empty list at this place.
  static func kind(ofEmptyListAt place: JSONItemFinder.Place?) -> FeedKind {
    switch place {
    case .data: .peerTube
    case .items: .jsonFeed
    case .videos, .document: .catalogue
    case .entries: .ytDlp
    case .relatedStreams: .youTubeProxy
    case .infoList, nil: .articles
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
  /// What the first item that could not be decoded is, as far as it shows.
  private(set) var foreign: ForeignList?

  init(address: MediaAddress?) {
    self.address = address
  }

  var kind: FeedKind? { format?.kind }

  mutating func decode(_ bytes: [UInt8], _ range: Range<Int>, place: JSONItemFinder.Place?) -> DecodedItem {
    guard let item = JSONObject(bytes, range) else { return .unusable }
    let format = self.format ?? JSONListFormats.rows.first { $0.matches(item, in: place) } ?? Article.self
    if format == Article.self { lastItemSaysEnd = item["end"]?.bool ?? false }
    let result = format.decode(item, from: address, &shared)
    if case .unusable = result {
      foreign = foreign ?? ForeignList(item)
      return result
    }
    self.format = format
    return result
  }
}
