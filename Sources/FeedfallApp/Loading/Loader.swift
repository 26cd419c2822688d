/// The state machine of one feed: refresh, load more, debounce, retry and the end of the feed, in MJRefresh's terms. It
/// has neither a clock nor a task. Each request ends, with a failure if there is no answer in time.
struct Loader<Cursor: Equatable & Sendable, Failure: Equatable & Sendable>: Equatable, Sendable {
  enum Event: Equatable, Sendable {
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
    /// `next` is the start of the next page, nil after the last one; `newItemCount` counts the new items of this page.
    case pageArrived(Ticket, next: Cursor?, newItemCount: Int)
    /// The first page has arrived, and the loaded ones stay. `next` is the start of the page after the first one.
    case newsArrived(Ticket, next: Cursor?)
    /// A cached page was added while a request is pending or has failed. `next` is nil after the last page.
    case pageRecalled(Cursor, next: Cursor?)
    /// A request has failed; `hold` is the time that the server asked to wait.
    case pageFailed(Ticket, Failure, hold: Duration?)
  }

  enum Effect: Equatable, Sendable {
    /// Request the page at this cursor; the answer has the ticket.
    case request(Cursor, Ticket)
    /// Report this ticket after this time.
    case wait(Duration, Ticket)
    /// Cancel the request and the wait with this ticket.
    case cancel(Ticket)
  }

  /// A request without its ticket, which a retry repeats.
  struct Request: Equatable, Sendable {
    enum Purpose: Equatable, Sendable {
      case replace
      case append
    }

    var cursor: Cursor
    var purpose: Purpose
    /// The number of pages without new items before this one.
    var barrenPages = 0
    /// Whether the server has already asked to wait before this request.
    var hasBeenHeld = false
  }

  /// The one thing that the loader does now.
  enum Phase: Equatable, Sendable {
    case resting
    /// The next page is requested after this wait.
    case debouncing(Ticket)
    /// A page is requested; answers with older tickets are ignored.
    case loading(Request, Ticket)
    /// The server asked to wait; the request is repeated after that.
    case holding(Request, Ticket, Duration)
    /// A request has failed. `hold` is the time that the server asked to wait, until it has passed.
    case failed(Request, Failure, hold: Hold?, isDismissed: Bool)
  }

  /// The time that a server asked to wait.
  struct Hold: Equatable, Sendable {
    let duration: Duration
    let ticket: Ticket
  }

  /// The start of the next page, if there is one.
  enum Position: Equatable, Sendable {
    case nothingLoaded
    case next(Cursor)
    /// Several pages had no new items: only the user requests the next one.
    case paused(Cursor)
    /// The feed has ended with the page at this cursor, which may grow.
    case end(last: Cursor)
  }

  /// The longest wait requested by a server after which the loader continues automatically.
  private static var longestSilentHold: Duration { .seconds(30) }
  /// The number of consecutive pages without new items that are followed.
  static var barrenPageLimit: Int { 3 }

  private let debounce: Duration
  private(set) var phase = Phase.resting
  private(set) var position = Position.nothingLoaded
  private let firstCursor: Cursor
  private var tickets: TicketOffice

  /// `tickets` must be an office for this loader and those for which it issues tickets.
  init(
    firstCursor: Cursor, debounce: Duration = .milliseconds(500), tickets: TicketOffice = TicketOffice(number: 0)
  ) {
    (self.firstCursor, self.debounce, self.tickets) = (firstCursor, debounce, tickets)
  }

  /// For a request or a wait beside those of the loader.
  mutating func issueTicket() -> Ticket { tickets.next() }

  var pendingTicket: Ticket? {
    switch phase {
    case .resting: nil
    case .debouncing(let ticket), .loading(_, let ticket), .holding(_, let ticket, _): ticket
    case .failed(_, _, let hold, _): hold?.ticket
    }
  }

  func request(of ticket: Ticket) -> Request? {
    if case .loading(let request, ticket) = phase { request } else { nil }
  }

  /// Whether an event requests the first page, also if it has failed or is the last one.
  func requestsFirstPage(_ event: Event) -> Bool {
    if event == .refreshRequested { return true }
    if event == .loadMoreRequested, phase == .resting { return position == .end(last: firstCursor) }
    guard case .failed(let request, _, hold: nil, _) = phase, request.purpose == .replace, request.cursor == firstCursor
    else { return false }
    return event == .retryRequested || event == .loadMoreRequested && nextRequest == nil
  }

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .refreshRequested: refresh()
    case .endReached: prepareMore()
    case .windowNotFull: fillWindow()
    case .loadMoreRequested: more()
    case .retryRequested: retry()
    case .failureDismissed: dismissFailure()
    case .waitElapsed(let ticket): waitElapsed(ticket)
    case .pageArrived(let ticket, let next, let count): pageArrived(ticket, next: next, newItemCount: count)
    case .newsArrived(let ticket, let next): newsArrived(ticket, next: next)
    case .pageRecalled(let cursor, let next): pageRecalled(cursor, next: next)
    case .pageFailed(let ticket, let failure, let hold): pageFailed(ticket, failure, hold: hold)
    }
  }

  // MARK: - Requests of the user

  private mutating func refresh() -> [Effect] {
    let first = Request(cursor: firstCursor, purpose: .replace)
    switch phase {
    case .resting, .failed(_, _, hold: nil, _):
      return load(first)
    case .debouncing(let ticket):
      return [.cancel(ticket)] + load(first)
    case .loading(let request, let ticket):
      if request.purpose == .replace { return [] }
      return [.cancel(ticket)] + load(first)
    case .holding, .failed:
      return []
    }
  }

  private mutating func prepareMore() -> [Effect] {
    guard canLoadMore, case .next(let cursor) = position else { return [] }
    if debounce == .zero { return load(Request(cursor: cursor, purpose: .append)) }
    let ticket = tickets.next()
    phase = .debouncing(ticket)
    return [.wait(debounce, ticket)]
  }

  private mutating func fillWindow() -> [Effect] {
    if case .debouncing = phase { return more() }
    guard canLoadMore, case .next(let cursor) = position else { return [] }
    return load(Request(cursor: cursor, purpose: .append))
  }

  private mutating func more() -> [Effect] {
    switch phase {
    case .resting:
      return nextRequest.map { load($0) } ?? requestLastPage()
    case .debouncing(let ticket):
      guard let request = nextRequest else {
        phase = .resting
        return [.cancel(ticket)]
      }
      return [.cancel(ticket)] + load(request)
    case .failed:
      if canLoadMore, let request = nextRequest { return load(request) }
      return retry()
    case .loading, .holding:
      return []
    }
  }

  /// Requests the last page once more, because it may have grown. A feed of one page may have grown at its start.
  private mutating func requestLastPage() -> [Effect] {
    guard case .end(let last) = position else { return [] }
    return last == firstCursor ? refresh() : load(Request(cursor: last, purpose: .append))
  }

  private mutating func retry() -> [Effect] {
    guard case .failed(var request, _, hold: nil, _) = phase else { return [] }
    request.hasBeenHeld = false
    return load(request)
  }

  private mutating func dismissFailure() -> [Effect] {
    if case .failed(let request, let failure, let hold, isDismissed: false) = phase {
      phase = .failed(request, failure, hold: hold, isDismissed: true)
    }
    return []
  }

  // MARK: - Answers and waits

  private mutating func waitElapsed(_ ticket: Ticket) -> [Effect] {
    switch phase {
    case .debouncing(ticket):
      guard let request = nextRequest else {
        phase = .resting
        return []
      }
      return load(request)
    case .holding(let request, ticket, _):
      return load(request)
    case .failed(let request, let failure, .some(let hold), let isDismissed) where hold.ticket == ticket:
      phase = .failed(request, failure, hold: nil, isDismissed: isDismissed)
      return []
    case .resting, .debouncing, .loading, .holding, .failed:
      return []
    }
  }

  private mutating func pageArrived(_ ticket: Ticket, next: Cursor?, newItemCount: Int) -> [Effect] {
    guard case .loading(var request, ticket) = phase else { return [] }
    phase = .resting
    guard let next, next != request.cursor else {
      position = .end(last: request.cursor)
      return []
    }
    if newItemCount > 0 {
      position = .next(next)
      return []
    }
    request.barrenPages += 1
    if request.barrenPages > Self.barrenPageLimit {
      // The pages before the pause of a refresh are loaded already.
      if request.purpose == .append || position == .nothingLoaded { position = .paused(next) }
      return []
    }
    request.cursor = next
    request.hasBeenHeld = false
    return load(request)
  }

  private mutating func newsArrived(_ ticket: Ticket, next: Cursor?) -> [Effect] {
    guard case .loading(_, ticket) = phase else { return [] }
    phase = .resting
    guard case .end(let last) = position else { return [] }
    guard let next, next != firstCursor else { return [] }
    guard last == firstCursor else { return requestLastPage() }
    position = .next(next)
    return []
  }

  private mutating func pageRecalled(_ cursor: Cursor, next: Cursor?) -> [Effect] {
    position = next.map(Position.next) ?? .end(last: cursor)
    return []
  }

  private mutating func pageFailed(_ ticket: Ticket, _ failure: Failure, hold: Duration?) -> [Effect] {
    guard case .loading(var request, ticket) = phase else { return [] }
    guard let hold, hold > .zero else {
      phase = .failed(request, failure, hold: nil, isDismissed: false)
      return []
    }
    let wait = tickets.next()
    if hold <= Self.longestSilentHold, !request.hasBeenHeld {
      request.hasBeenHeld = true
      phase = .holding(request, wait, hold)
    } else {
      phase = .failed(request, failure, hold: Hold(duration: hold, ticket: wait), isDismissed: false)
    }
    return [.wait(hold, wait)]
  }

  // MARK: - Requests

  /// Whether the next page may be requested; a failed refresh does not prevent it.
  var canLoadMore: Bool {
    switch phase {
    case .resting: true
    case .failed(let request, _, hold: nil, _): request.purpose == .replace
    case .debouncing, .loading, .holding, .failed: false
    }
  }

  var nextRequest: Request? {
    switch position {
    case .next(let cursor), .paused(let cursor): Request(cursor: cursor, purpose: .append)
    case .nothingLoaded, .end: nil
    }
  }

  private mutating func load(_ request: Request) -> [Effect] {
    let ticket = tickets.next()
    phase = .loading(request, ticket)
    return [.request(request.cursor, ticket)]
  }

  /// The header's state; only the front end knows of pulling.
  var headerState: RefreshState {
    switch phase {
    case .loading(let request, _) where request.purpose == .replace: .refreshing
    case .holding(let request, _, let hold) where request.purpose == .replace: .holding(hold)
    case .failed(let request, _, let hold, _) where request.purpose == .replace: .failed(hold: hold?.duration)
    case .resting, .debouncing, .loading, .holding, .failed: .idle
    }
  }

  /// The footer's state. Without a page, loading more retries the failed refresh.
  var footerState: RefreshState {
    switch phase {
    case .debouncing: return .willRefresh
    case .loading(let request, _) where request.purpose == .append: return .refreshing
    case .holding(let request, _, let hold) where request.purpose == .append: return .holding(hold)
    case .resting, .loading, .holding, .failed:
      if case .end = position { return .noMoreData }
      if case .failed(_, _, let hold, _) = phase, !canLoadMore || nextRequest == nil {
        return .failed(hold: hold?.duration)
      }
      if case .paused = position { return .paused(pageCount: Self.barrenPageLimit + 1) }
      return .idle
    }
  }

  /// Whether a request or a wait for one is pending.
  var isBusy: Bool {
    switch phase {
    case .debouncing, .loading, .holding: true
    case .resting, .failed: false
    }
  }

  /// The time that the server asked to wait, and whether the request continues after it without the user.
  var wait: (time: Duration, continues: Bool)? {
    switch phase {
    case .holding(_, _, let time): (time, true)
    case .failed(_, _, .some(let hold), _): (hold.duration, false)
    case .resting, .debouncing, .loading, .failed: nil
    }
  }

  /// The failure, until the user dismisses it.
  var shownFailure: (request: Request, failure: Failure, hold: Hold?)? {
    if case .failed(let request, let failure, let hold, isDismissed: false) = phase {
      (request, failure, hold)
    } else {
      nil
    }
  }

  /// The time that the server asked to wait after the last failure, until it has passed.
  var hold: Hold? { if case .failed(_, _, let hold, _) = phase { hold } else { nil } }
}

/// The state of a header or a footer.
enum RefreshState: Equatable, Sendable {
  case idle
  /// The user pulls the header.
  case pulling
  /// Loading starts after the debounce.
  case willRefresh
  case refreshing
  /// The server asked to wait this long; loading continues after that.
  case holding(Duration)
  case noMoreData
  /// This many pages in succession had no new items; only the user requests the next one.
  case paused(pageCount: Int)
  /// The last request has failed. `hold` is the time that the server asked to wait, until it has passed.
  case failed(hold: Duration?)
}
