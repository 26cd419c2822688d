/// Tells one wait or request from every other; an answer that comes back with an old ticket changes nothing.
public struct Ticket: Hashable, Sendable {
  let number: Int
}

/// Hands out tickets, no two alike.
public struct TicketOffice: Equatable, Sendable {
  private var last = 0

  public init() {}

  public mutating func next() -> Ticket {
    last += 1
    return Ticket(number: last)
  }
}
