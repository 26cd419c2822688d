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
