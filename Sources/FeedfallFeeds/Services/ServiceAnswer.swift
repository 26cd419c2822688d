import FeedfallText

/// A decoded answer of a service, as a whole rather than item by item.
struct ServiceAnswer: Sendable {
  let kind: FeedKind
  var title: String?
  var videos: [Video] = []
  var skippedCount = 0
  var total: Int?
  var nextPage: NextPage?
  /// The documents that contain the videos, if the answer is a list of lists.
  var parts: [WebAddress] = []
  var notice: String?
  /// The reason why there are no videos; nil if an empty list is valid.
  var failure: FeedFailure?
}

/// The answers of one service.
///
/// A new service is a folder with a type that conforms to this protocol, a row in `ServiceAnswer.formats`, and a `Site`
/// for the addresses that users paste.
protocol ServiceAnswerFormat: SendableMetatype {
  /// Decodes an answer; nil if it is from another service.
  static func answer(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer?
}

extension ServiceAnswer {
  private static let formats: [any ServiceAnswerFormat.Type] = [
    PeerTubeVideo.self, InvidiousVideo.self, PipedVideo.self, MediaCCCTalk.self, CommonsVideo.self, ArchiveItem.self,
    YtDlpVideo.self,
  ]

  static func decode(_ object: JSONObject, from address: WebAddress?) -> ServiceAnswer? {
    formats.firstNonNil { $0.answer(object, from: address) }
  }
}
