/// Identifies a wait or a request; an answer with an old ticket changes nothing.
public struct Ticket: Hashable, Sendable {
  var office = 0
  let number: Int
}

/// Issues unique tickets; those of offices with different numbers differ too.
public struct TicketOffice: Equatable, Sendable {
  let number: Int
  private var last = 0

  /// `number` must be unique.
  public init(number: Int) { self.number = number }

  public mutating func next() -> Ticket {
    last += 1
    return Ticket(office: number, number: last)
  }
}

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
