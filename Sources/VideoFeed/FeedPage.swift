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

/// The place in a feed where a page begins, in the way that the kind of feed counts.
public enum FeedCursor: Hashable, Sendable {
  case start
  /// A page number.
  case page(Int)
  /// A number of items from the start.
  case offset(Int)
  /// A place in a document that is read piece by piece: the number of items before it.
  case item(Int)
}

/// Why a page or the details of a video could not be had, in words for a person.
public struct FeedFailure: Error, Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// The network or the server failed; asking again may help.
    case temporary
    /// The server asks to wait this many seconds before it is asked again.
    case wait(seconds: Int)
    /// Asking again gives the same.
    case permanent
  }
  public var kind: Kind
  /// What happened, as in `the server answered 404 Not Found`; no full stop.
  public var reason: String
  /// What a person can do, as in `check the address`; nil where trying again is all.
  public var advice: String?

  public init(_ kind: Kind, _ reason: String, advice: String? = nil) {
    self.kind = kind
    self.reason = reason
    self.advice = advice
  }
}
