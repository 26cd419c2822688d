import FeedfallFeeds
import FeedfallLoading
import FeedfallText

/// Looking for the pages of a source that are known from earlier.
struct Recall: Equatable, Sendable {
  /// The ticket that an answer must have to count; nil while nothing is asked for.
  private(set) var ticket: Ticket?
  /// Where the pages begin that were asked for since the last new one, be they kept or not: kept pages may lead in a
  /// circle.
  private var asked: Set<FeedCursor> = []
  /// How many seconds ago what is shown was new; nil where it is new.
  private(set) var age: Int?

  var isUnderWay: Bool { ticket != nil }

  /// Asks for a page, unless one is asked for already or this one was.
  mutating func ask(for cursor: FeedCursor, of source: SourceID, ticket: () -> Ticket) -> [AppEffect] {
    guard !isUnderWay, asked.insert(cursor).inserted else { return [] }
    let ticket = ticket()
    self.ticket = ticket
    return [.requestPage(source, cursor, .onlyIfCached, ticket)]
  }

  /// A page that was kept has come.
  mutating func arrived(_ page: FeedPage, at now: UnixTime) {
    ticket = nil
    age = page.savedAt.map { max(0, now.seconds - $0.seconds) }
  }

  /// The page is not kept.
  mutating func failed() { ticket = nil }

  /// A new page has come: what is known from earlier is of no interest any more.
  mutating func overtaken() -> [AppEffect] {
    defer { self = Recall() }
    return ticket.map { [.cancel($0)] } ?? []
  }
}
