import FeedfallText

/// A decoded page of a feed.
public struct FeedPage: Equatable, Sendable {
  public var videos: [Video]
  /// The start of the next page; nil after the last one.
  public var next: FeedCursor?
  /// The count of all videos in the feed, according to the feed.
  public var total: Int?
  /// The count of items that could not be decoded.
  public var skippedCount: Int
  /// The name of the feed.
  public var title: String?
  /// The description of the feed, on one line.
  public var summary: String?
  /// The address of the feed's picture.
  public var cover: WebAddress?
  /// The time of the request, if the page is from the cache.
  public var savedAt: UnixTime?
  /// A message for the user, on one line.
  public var notice: String?
  /// The marks that the server stores, also of videos on other pages.
  public var marks: [MarkedVideo] = []
  /// The feeds of a live list, which has no videos of its own; nil for other sources.
  public var subscriptions: SubscriptionList?

  public init(
    videos: [Video], next: FeedCursor? = nil, total: Int? = nil, skippedCount: Int = 0, title: String? = nil
  ) {
    (self.videos, self.next, self.total, self.skippedCount) = (videos, next, total, skippedCount)
    self.title = title
  }
}

/// The start of a page, in the unit that the feed counts in.
public enum FeedCursor: Hashable, Sendable {
  case start
  /// The number of a page.
  case page(Int)
  /// The count of items before the page.
  case offset(Int)
  /// An address in the preceding page.
  case address(WebAddress)
  /// The address of an archive in the preceding page, which never changes (RFC 5005, 4).
  case archive(WebAddress)
  /// The count of items before the page in a document that is read in pieces.
  case item(Int)

  /// The address of the page, if the preceding one names it.
  public var address: WebAddress? {
    switch self {
    case .address(let address), .archive(let address): address
    case .start, .page, .offset, .item: nil
    }
  }

  /// Whether the page never changes.
  public var isArchive: Bool { if case .archive = self { true } else { false } }
}
