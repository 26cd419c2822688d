import FeedfallDocuments
import FeedfallText

/// Makes videos of the items of one document.
struct ItemDecoder {
  /// Told by the first item that makes a card; what is no good decides nothing.
  private(set) var kind: FeedKind?
  /// What the last item says about being the last, as some articles do.
  private(set) var lastItemSaysEnd = false
  private let address: MediaAddress?
  private var shared = SharedTexts()

  init(address: MediaAddress?) {
    self.address = address
  }

  enum Outcome {
    case video(Video)
    /// The item is a list itself.
    case videos([Video])
    /// No card can be made of it.
    case unusable
  }

  mutating func decode(_ bytes: [UInt8], _ range: Range<Int>, place: JSONItemFinder.Place?) -> Outcome {
    guard let item = JSONObject(bytes, range) else { return .unusable }
    let kind = self.kind ?? Self.kind(of: item, place: place)
    if kind == .articles { lastItemSaysEnd = item["end"]?.bool ?? false }
    let outcome = outcome(item, kind)
    if case .unusable = outcome { return outcome }
    self.kind = kind
    return outcome
  }

  private mutating func outcome(_ item: JSONObject, _ kind: FeedKind) -> Outcome {
    if kind == .mediaCCC { return .videos(Broadcast(item, address: address?.web)?.videos ?? []) }
    return video(item, kind).map(Outcome.video) ?? .unusable
  }

  private mutating func video(_ item: JSONObject, _ kind: FeedKind) -> Video? {
    switch kind {
    case .articles, .catalogue: ListedVideo(item, base: address).video(&shared)
    case .peerTube: PeerTubeVideo(item, address: address?.web)?.video(&shared)
    case .jsonFeed: JSONFeedVideo(item, address: address?.web)?.video(&shared)
    case .syndication, .playlist, .mediaCCC, .commons, .archive: nil
    }
  }

  /// What an empty list in this place is.
  static func kind(ofEmptyList place: JSONItemFinder.Place?) -> FeedKind {
    switch place {
    case .data: .peerTube
    case .items: .jsonFeed
    case .videos, .document: .catalogue
    case .infoList, nil: .articles
    }
  }

  private static func kind(of item: JSONObject, place: JSONItemFinder.Place?) -> FeedKind {
    switch place {
    case .infoList: .articles
    case .videos: .catalogue
    case .items: .jsonFeed
    case .data, .document, nil:
      if item["uuid"] != nil || item["video"] != nil || item["position"] != nil {
        .peerTube
      } else if Broadcast(item, address: nil) != nil {
        .mediaCCC
      } else {
        item["flv"] == nil && item["url"] != nil ? .catalogue : .articles
      }
    }
  }
}

/// Gives texts that many videos have in common, such as the channel, one storage instead of one for each.
struct SharedTexts {
  private var recent: [String] = []
  private var next = 0

  private static let count = 24

  /// The same text, in the storage of an equal one seen shortly before.
  mutating func shared(_ text: String?) -> String? {
    // Up to 15 bytes lie in the value itself.
    guard let text, text.utf8.count > 15 else { return text }
    if let known = recent.first(where: { $0 == text }) { return known }
    if recent.count < Self.count {
      recent.append(text)
    } else {
      recent[next] = text
      next = (next + 1) % Self.count
    }
    return text
  }

  mutating func shared(_ address: WebAddress?) -> WebAddress? {
    shared(address?.text).map { WebAddress(unchecked: $0) }
  }
}
