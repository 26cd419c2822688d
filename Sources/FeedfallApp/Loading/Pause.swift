/// A wait that a new one replaces.
struct Pause: Equatable, Sendable {
  private var ticket: Ticket?

  var isRunning: Bool { ticket != nil }

  mutating func begin(_ time: Duration, _ tickets: inout TicketOffice, _ wait: (Ticket) -> Wait) -> [AppEffect] {
    let canceled = cancel()
    let new = tickets.next()
    ticket = new
    return canceled + [.wait(time, wait(new))]
  }

  mutating func cancel() -> [AppEffect] {
    defer { ticket = nil }
    return ticket.map { [.cancel($0)] } ?? []
  }

  /// Returns false for an old ticket.
  @discardableResult
  mutating func end(_ ticket: Ticket) -> Bool {
    guard ticket == self.ticket else { return false }
    self.ticket = nil
    return true
  }
}
