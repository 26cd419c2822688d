import FeedfallDocuments
import FeedfallText

/// An answer in JSON that is understood as a whole, other than the lists that `JSONItemFinder` finds.
struct JSONAnswer: Sendable {
  let kind: FeedKind
  var title: String?
  var videos: [Video] = []
  /// How many items could not be understood and were left out.
  var skippedCount = 0
  /// How many videos there are in all.
  var total: Int?
  /// Where the list goes on.
  var nextAddress: WebAddress?
  /// The documents that hold the videos.
  var parts: [WebAddress] = []
  /// Why there are no videos; nil where it is no fault.
  var failure: FeedFailure?

  init(_ kind: FeedKind) {
    self.kind = kind
  }
}

/// A kind of answer in JSON.
protocol JSONAnswering: SendableMetatype {
  /// What an answer means; nil where it is none of this kind.
  static func answer(_ object: JSONObject, from address: WebAddress?) -> JSONAnswer?
}

extension JSONAnswer {
  /// A new kind is one that has `JSONAnswering`, and a row here.
  private static let kinds: [any JSONAnswering.Type] = [
    PeerTubeVideo.self, MediaCCCAnswer.self, CommonsAnswer.self, ArchiveAnswer.self,
  ]

  /// The most items that are taken from one answer.
  static let maximumCount = 10_000

  static func understood(_ object: JSONObject, from address: WebAddress?) -> JSONAnswer? {
    kinds.lazy.compactMap { $0.answer(object, from: address) }.first
  }

  /// Makes cards of a list's items: nil for an item that is not understood, and counted; `make` may leave out others by
  /// an empty list.
  mutating func take(_ items: [JSONValue], _ make: (JSONObject) -> [Video]?) {
    for item in items {
      if let made = item.object.flatMap(make) { videos += made } else { skippedCount += 1 }
    }
  }
}
