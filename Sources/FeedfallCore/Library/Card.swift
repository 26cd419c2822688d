import FeedfallFeeds

/// A video and the source that it came from.
struct Card: Equatable, Sendable {
  var video: Video
  var source: SourceID

  var id: CardID { CardID(source: source, video: video.id) }
}

/// Tells cards from each other: sources may use the same ids.
struct CardID: Hashable, Sendable {
  var source: SourceID
  var video: String
}
