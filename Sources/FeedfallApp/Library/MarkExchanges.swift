import FeedfallFeeds
import FeedfallRecords
import FeedfallText

/// Exchanges the user's records with the marks on servers. Nothing waits for a server. Changes that are not sent when
/// the program ends are found in the records by the next one.
struct MarkExchanges: Equatable, Sendable {
  /// An account is known once a page has stated marks, and stays, because it may have changes to send.
  private var accounts: [Account] = []
  private var openings: [Opening] = []
  /// The numbers of the pending requests for pages, by which an answer is known to be older than a change.
  private var requests: [Ticket: Int] = [:]
  private var requestCount = 0
  /// The effects of the present event.
  private var due: [AppEffect] = []
  private var isEnding = false
  private let isEnabled: Bool

  private static let maximumAccountCount = 100

  /// An account whose file of agreements is not read. Without it, old marks would count as new.
  private struct Opening: Equatable, Sendable {
    let scope: FeedScope
    /// Nil after a failure; the next page tries again.
    var ticket: Ticket?
    /// Those whose marks must be merged before they are shown.
    var pages: [Page] = []
    var hasFailed = false
  }

  struct Page: Equatable, Sendable {
    let page: FeedPage
    let ticket: Ticket
    let time: UnixTime
  }

  init(isEnabled: Bool) { self.isEnabled = isEnabled }

  // MARK: - Pages

  /// Returns whether a page can be shown now. Otherwise it is returned once the agreements of its account are read.
  mutating func admit(_ page: Page, _ records: UserData, _ tickets: inout TicketOffice) -> Bool {
    guard isEnabled, let scope = page.page.marks.first?.video.scope, !accounts.contains(where: { $0.scope == scope })
    else { return true }
    if !openings.contains(where: { $0.scope == scope }) {
      guard accounts.count + openings.count < Self.maximumAccountCount else { return true }
      openings.append(Opening(scope: scope))
    }
    for index in openings.indices where openings[index].scope == scope {
      openings[index].pages.append(page)
      guard openings[index].ticket == nil else { continue }
      let ticket = tickets.next()
      openings[index].ticket = ticket
      due.append(.readAgreements(scope, records, ticket))
    }
    return false
  }

  mutating func open(_ sync: MarkSync, for ticket: Ticket, _ records: UserData, at now: Int) -> [Page] {
    guard let index = openings.firstIndex(where: { $0.ticket == ticket }) else { return [] }
    let opening = openings.remove(at: index)
    var account = Account(scope: opening.scope, sync: sync)
    account.sync.beginRequest(requestCount)
    account.sync.findUnsent(in: records, at: now)
    accounts.append(account)
    return opening.pages
  }

  /// Returns the pages that have waited, whose marks are not merged, and whether this is the first failure.
  mutating func openingFailed(_ ticket: Ticket) -> (pages: [Page], isFirst: Bool) {
    guard let index = openings.firstIndex(where: { $0.ticket == ticket }) else { return ([], false) }
    defer { openings[index] = Opening(scope: openings[index].scope, hasFailed: true) }
    return (openings[index].pages, !openings[index].hasFailed)
  }

  /// Merges the marks of a page into the records, before the page is shown. Returns whether marks are ignored, once.
  mutating func merge(_ page: Page, in browsing: inout Browsing, at now: Int) -> Bool {
    guard let request = requests.removeValue(forKey: page.ticket), let scope = page.page.marks.first?.video.scope,
      let index = accounts.firstIndex(where: { $0.scope == scope })
    else { return false }
    let events = accounts[index].sync.merge(
      page.page.marks, of: request, in: browsing.library.store.userData, at: now)
    if !events.isEmpty {
      browsing.merge(events)
      due.append(.saveEvents(events))
    }
    due += accounts[index].pageMerged()
    return accounts[index].sync.dequeueReport()
  }

  // MARK: - Sending

  mutating func finish(
    _ ticket: Ticket, _ result: MarkResult, at now: Int, _ tickets: inout TicketOffice
  ) -> FeedFailure? {
    guard let index = accounts.firstIndex(where: { $0.phase == .sending(ticket) }) else { return nil }
    let (effects, failure) = accounts[index].finish(result, at: now, &tickets)
    due += effects
    return failure
  }

  mutating func pauseElapsed(_ ticket: Ticket) {
    for index in accounts.indices where accounts[index].phase.pause == ticket { accounts[index].phase = .idle }
  }

  /// Observes the records and the requests for pages. The changes to send follow the other effects.
  mutating func update(
    after event: AppEvent, _ effects: [AppEffect], _ tickets: inout TicketOffice
  ) -> [AppEffect] {
    guard isEnabled else { return [] }
    // Those of another program on this device are sent too.
    if case .recordsChanged(let records) = event, !accounts.isEmpty { observe(Array(records.events)) }
    if case .pageFailed(let ticket, _) = event { requests[ticket] = nil }
    for effect in effects {
      switch effect {
      case .saveEvents(let events): observe(events)
      case .requestPage(_, _, _, let ticket):
        requestCount += 1
        requests[ticket] = requestCount
        for index in accounts.indices { accounts[index].sync.beginRequest(requestCount) }
      case .cancel(let ticket): requests[ticket] = nil
      default: break
      }
    }
    if case .ending = event {
      isEnding = true
      due += accounts.filter(\.needsAgreements).map { .saveAgreements($0.sync) }
    }
    for index in accounts.indices where !isEnding { due += accounts[index].send(&tickets) }
    defer { due = [] }
    return due
  }

  private mutating func observe(_ events: [UserEvent]) {
    for index in accounts.indices where accounts[index].sync.handle(events) {
      accounts[index].needsAgreements = true
      // Now, because the program may be killed.
      due.append(.saveAgreements(accounts[index].sync))
    }
  }
}

extension MarkExchanges {
  /// An account on a server, to which one request at a time is sent.
  private struct Account: Equatable, Sendable {
    let scope: FeedScope
    var sync: MarkSync
    var phase = Phase.idle
    /// Whether the next program may need the agreements to find changes that are not sent.
    var needsAgreements = false
    /// Since the last success.
    private var failureCount = 0
    /// Those since the last success that a retry cannot repair, each after a pause and the load of a page.
    private var permanentFailureCount = 0
    /// When the last of them was counted, in milliseconds since 1970.
    private var permanentFailureTime = 0

    enum Phase: Equatable {
      case idle
      case sending(Ticket)
      /// After a refused change.
      case waiting(Ticket)
      /// Because of a failure; the next page ends the pause.
      case pausing(Ticket)
      /// A failure that a retry cannot repair forbids sending until the next page.
      case stopped

      var pause: Ticket? {
        switch self {
        case .waiting(let ticket), .pausing(let ticket): ticket
        case .idle, .sending, .stopped: nil
        }
      }
    }

    private static let maximumPermanentFailureCount = 3
    /// The time between two failures that count as one refusal each, in milliseconds.
    private static let refusalTime = 3_600_000

    init(scope: FeedScope, sync: MarkSync) { (self.scope, self.sync) = (scope, sync) }

    /// The server answers again.
    mutating func pageMerged() -> [AppEffect] {
      switch phase {
      case .pausing(let ticket):
        phase = .idle
        return [.saveAgreements(sync), .cancel(ticket)]
      case .stopped: phase = .idle
      case .idle, .sending, .waiting: break
      }
      return [.saveAgreements(sync)]
    }

    mutating func send(_ tickets: inout TicketOffice) -> [AppEffect] {
      guard phase == .idle, let change = sync.nextChange() else { return [] }
      let ticket = tickets.next()
      phase = .sending(ticket)
      return [.sendMarks(scope, change, ticket)]
    }

    mutating func finish(
      _ result: MarkResult, at now: Int, _ tickets: inout TicketOffice
    ) -> (effects: [AppEffect], failure: FeedFailure?) {
      let result = refusing(result, at: now)
      let isGivenUp = sync.finish(result)
      let ticket = tickets.next()
      switch result {
      case .sent:
        (phase, failureCount, permanentFailureCount, permanentFailureTime) = (.idle, 0, 0, 0)
        return ([.saveAgreements(sync)], nil)
      case .refused(let failure):
        (phase, needsAgreements) = (.waiting(ticket), true)
        let wait = AppEffect.wait(sync.pauseAfterRefusal, .marks(ticket))
        guard isGivenUp else { return ([wait], nil) }
        return (
          [.saveAgreements(sync), wait],
          FeedFailure(.permanent, failure.reason, advice: Words.setMarkAgain)
        )
      case .failed(let failure):
        failureCount += 1
        phase = failure.kind == .permanent ? .stopped : .pausing(ticket)
        let wait = AppEffect.wait(failure.pause(afterFailures: failureCount), .marks(ticket))
        return (failure.kind == .permanent ? [] : [wait], failureCount == 1 ? failure : nil)
      }
    }

    /// A server refuses a change if sending it has failed several times for good in several hours, although pages have
    /// loaded in between.
    private mutating func refusing(_ result: MarkResult, at now: Int) -> MarkResult {
      guard case .failed(let failure) = result, failure.kind == .permanent else { return result }
      if abs(now - permanentFailureTime) >= Self.refusalTime {
        (permanentFailureCount, permanentFailureTime) = (permanentFailureCount + 1, now)
      }
      return permanentFailureCount < Self.maximumPermanentFailureCount ? result : .refused(failure)
    }
  }
}

extension FeedFailure {
  fileprivate func pause(afterFailures count: Int) -> Duration {
    let pause = MarkSync.pause(afterFailures: count)
    guard case .wait(let seconds) = kind else { return pause }
    return max(pause, .seconds(seconds))
  }
}
