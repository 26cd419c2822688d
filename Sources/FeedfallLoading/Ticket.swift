/// Tells one wait or request from every other; an answer that comes back with an old ticket changes nothing.
public struct Ticket: Hashable, Sendable {
  var office = 0
  let number: Int
}

/// Hands out tickets, no two alike; those of offices with other numbers differ too.
public struct TicketOffice: Equatable, Sendable {
  let number: Int
  private var last = 0

  /// An office with a number that no other has.
  public init(number: Int) {
    self.number = number
  }

  public mutating func next() -> Ticket {
    last += 1
    return Ticket(office: number, number: last)
  }
}
