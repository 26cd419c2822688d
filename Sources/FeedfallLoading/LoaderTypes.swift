/// What happened, for a loader to hear of.
public enum LoaderEvent<Cursor: Equatable & Sendable, Failure: Equatable & Sendable>: Equatable, Sendable {
  /// The first page is wanted, at the start or anew.
  case refreshAsked
  /// What is seen has come near the end of what is loaded.
  case endReached
  /// The person asked for more.
  case moreAsked
  /// The person asked for what failed once more.
  case retryAsked
  /// The person has read the failure.
  case failureDismissed
  case waitElapsed(Ticket)
  /// A page came: where the next one begins (nil: this was the last) and how many of its items were new.
  case pageArrived(Ticket, next: Cursor?, newItemCount: Int)
  /// The first page came and joined what is there: more begins where it began before.
  case newsArrived(Ticket)
  /// A page that is known from earlier was added while the loader waits for one or could not have it: where the next
  /// one begins (nil: this was the last).
  case pageRecalled(next: Cursor?)
  /// A page could not be had; `hold` is how long the server asks to wait.
  case pageFailed(Ticket, Failure, hold: Duration?)
}

/// What a loader asks of the world.
public enum LoaderEffect<Cursor: Equatable & Sendable>: Equatable, Sendable {
  /// Ask for the page at this cursor; the answer comes back with the ticket.
  case request(Cursor, Ticket)
  /// Come back with the ticket after this time.
  case wait(Duration, Ticket)
  /// Stop waiting and asking for this ticket; nothing of it is of interest any more.
  case cancel(Ticket)
}

/// What a page is for.
public enum PagePurpose: Equatable, Sendable {
  /// To take the place of everything that is there.
  case replace
  /// To follow what is there.
  case append
}

/// Why there is no page.
public enum LoadFailure<Failure: Equatable & Sendable>: Equatable, Sendable {
  case timedOut(after: Duration)
  case failed(Failure)
}

/// Why nothing more is asked for.
public enum EndReason: Equatable, Sendable {
  /// The feed said so.
  case lastPage
  /// Page after page brought nothing new.
  case nothingNew
}

/// A request, without its ticket: what asking again would ask for.
public struct PageRequest<Cursor: Equatable & Sendable>: Equatable, Sendable {
  public var cursor: Cursor
  public var purpose: PagePurpose
  /// How many pages before this one brought nothing new.
  var barrenPages = 0
  /// Whether the server has made this request wait once already.
  var hasBeenHeld = false
}
