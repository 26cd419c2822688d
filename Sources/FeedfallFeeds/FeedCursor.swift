import FeedfallText

/// The place in a feed where a page begins, in the way that the kind of feed counts.
public enum FeedCursor: Hashable, Sendable {
  case start
  /// A page number.
  case page(Int)
  /// A number of items from the start.
  case offset(Int)
  /// The address of the next page, as the feed tells it.
  case address(WebAddress)
  /// A place in a document that is read piece by piece: the number of items before it.
  case item(Int)
}
