import FeedfallText

/// One page of a feed, understood.
public struct FeedPage: Equatable, Sendable {
  public var videos: [Video]
  /// Where the next page begins; nil after the last one.
  public var next: FeedCursor?
  /// How many videos the feed says it has in all.
  public var total: Int?
  /// How many items could not be understood and were left out.
  public var skippedCount: Int
  /// The feed's own name.
  public var title: String?
  /// When its source gave it, where that was not just now.
  public var savedAt: UnixTime?
  /// What a person should be told besides, once and in one line.
  public var notice: String?

  public init(
    videos: [Video], next: FeedCursor? = nil, total: Int? = nil, skippedCount: Int = 0, title: String? = nil
  ) {
    self.videos = videos
    self.next = next
    self.total = total
    self.skippedCount = skippedCount
    self.title = title
  }
}
