import FeedfallFeeds
import FeedfallText

/// Requests for the pages of a source that are in the cache.
struct CachedPages: Equatable, Sendable {
  private(set) var ticket: Ticket?
  /// The start of the page requested last.
  private(set) var cursor: FeedCursor?
  /// The cursors requested since the last page from the source itself: cached pages may form a cycle.
  private var requested: Set<FeedCursor> = []
  /// The age of the shown pages in seconds; nil if the source itself has answered.
  private(set) var age: Int?

  var isPending: Bool { ticket != nil }

  /// Requests a page, unless a request is pending or this page was requested before.
  mutating func request(_ cursor: FeedCursor, of source: SourceID, ticket: () -> Ticket) -> [AppEffect] {
    guard !isPending, requested.insert(cursor).inserted else { return [] }
    let ticket = ticket()
    (self.ticket, self.cursor) = (ticket, cursor)
    return [.requestPage(source, cursor, .onlyIfCached, ticket)]
  }

  mutating func handle(_ page: FeedPage, at now: UnixTime) {
    ticket = nil
    age = page.savedAt.map { max(0, now.seconds - $0.seconds) }
  }

  mutating func handleFailure() { ticket = nil }

  /// Discards the state once the source itself has answered.
  mutating func reset() -> [AppEffect] {
    defer { self = CachedPages() }
    return ticket.map { [.cancel($0)] } ?? []
  }
}
