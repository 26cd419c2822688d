import FeedfallFeeds

/// Identifies a source by its position among the open ones, from 0.
public struct SourceID: Hashable, Sendable {
  public let number: Int

  public init(_ number: Int) {
    self.number = number
  }
}

/// Identifies a card: sources may use the same ids.
struct CardID: Hashable, Sendable {
  var source: SourceID
  var video: String
}

/// A video and its source.
struct Card: Equatable, Sendable {
  var video: Video
  var source: SourceID

  var id: CardID { CardID(source: source, video: video.id) }
}
