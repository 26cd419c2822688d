/// A fact that changes a loader.
public enum LoaderEvent<Cursor: Equatable & Sendable, Failure: Equatable & Sendable>: Equatable, Sendable {
  /// The first page is to be loaded, at the start or again.
  case refreshRequested
  /// The view has come near the end.
  case endReached
  /// Part of the view is empty.
  case windowNotFull
  case loadMoreRequested
  case retryRequested
  case failureDismissed
  case waitElapsed(Ticket)
  /// A page has arrived. `next` is the start of the next page, nil after the last one; `newItemCount` is the number of
  /// its new items.
  case pageArrived(Ticket, next: Cursor?, newItemCount: Int)
  /// The first page has arrived, and the loaded ones stay: so does the next page. `next` is the start of the page after
  /// the first one.
  case newsArrived(Ticket, next: Cursor?)
  /// A cached page was added while a request is pending or has failed. `next` is the start of the next page, nil after
  /// the last one.
  case pageRecalled(Cursor, next: Cursor?)
  /// A request has failed; `hold` is the time that the server asked to wait.
  case pageFailed(Ticket, Failure, hold: Duration?)
}

/// An order to the program.
public enum LoaderEffect<Cursor: Equatable & Sendable>: Equatable, Sendable {
  /// Request the page at this cursor; the answer has the ticket.
  case request(Cursor, Ticket)
  /// Report this ticket after this time.
  case wait(Duration, Ticket)
  /// Cancel the request and the wait with this ticket.
  case cancel(Ticket)
}

/// The use of a page.
public enum PagePurpose: Equatable, Sendable {
  /// It replaces the loaded pages.
  case replace
  /// It follows the loaded pages.
  case append
}

/// A request without its ticket, which a retry repeats.
public struct PageRequest<Cursor: Equatable & Sendable>: Equatable, Sendable {
  public var cursor: Cursor
  public var purpose: PagePurpose
  /// The number of pages without new items before this one.
  var barrenPages = 0
  /// Whether the server has already asked to wait before this request.
  var hasBeenHeld = false
}

/// The times and limits of a loader.
public struct LoaderPolicy: Equatable, Sendable {
  /// The delay of a load-more after the view has come near the end; zero for none. A view that is partly empty does not
  /// wait for it.
  public var debounce: Duration
  /// The longest wait requested by a server after which the loader continues automatically.
  public var longestSilentHold: Duration
  /// The number of consecutive pages without new items that are followed.
  public var barrenPageLimit: Int

  public init(
    debounce: Duration = .milliseconds(500), longestSilentHold: Duration = .seconds(30), barrenPageLimit: Int = 3
  ) {
    self.debounce = debounce
    self.longestSilentHold = longestSilentHold
    self.barrenPageLimit = barrenPageLimit
  }
}
