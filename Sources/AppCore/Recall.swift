import Loading
import VideoFeed

/// Looking for the pages of a source that are known from earlier.
struct Recall: Equatable, Sendable {
  private enum Phase: Equatable {
    case resting
    case underWay(FeedCursor, Ticket)
    /// No page that begins here is kept.
    case nothingKept(FeedCursor)
  }
  private var phase = Phase.resting
  /// How many seconds ago what is shown was new; nil where it is new.
  private(set) var age: Int?

  var isUnderWay: Bool { ticket != nil }

  /// The ticket that an answer must have to count.
  var ticket: Ticket? {
    if case .underWay(_, let ticket) = phase { ticket } else { nil }
  }

  /// Asks for a page, unless it is asked for already or is known not to be there.
  mutating func ask(for cursor: FeedCursor, of source: SourceID, ticket: () -> Ticket) -> [AppEffect] {
    switch phase {
    case .underWay, .nothingKept(cursor): return []
    case .resting, .nothingKept:
      let ticket = ticket()
      phase = .underWay(cursor, ticket)
      return [.requestPage(source, cursor, .onlyIfCached, ticket)]
    }
  }

  /// A page that was kept has come.
  mutating func arrived(_ page: FeedPage, at now: UnixTime) {
    phase = .resting
    age = page.savedAt.map { max(0, now.seconds - $0.seconds) }
  }

  mutating func failed() {
    if case .underWay(let cursor, _) = phase { phase = .nothingKept(cursor) }
  }

  /// A new page has come: what is known from earlier is of no interest any more.
  mutating func overtaken() -> [AppEffect] {
    let effects = ticket.map { [AppEffect.cancel($0)] } ?? []
    phase = .resting
    age = nil
    return effects
  }
}
