/// The message about a change of many records, which is shown once the change is written.
struct SavingReport: Equatable, Sendable {
  private var message: String?
  private var ticket: Ticket?

  mutating func begin(_ message: String) { (self.message, ticket) = (message, nil) }

  mutating func cancel() { (message, ticket) = (nil, nil) }

  mutating func update(_ tickets: inout TicketOffice) -> [AppEffect] {
    guard message != nil, ticket == nil else { return [] }
    let ticket = tickets.next()
    self.ticket = ticket
    return [.reportSaving(ticket)]
  }

  /// Returns the message; nil for an outdated ticket.
  mutating func end(_ ticket: Ticket) -> String? {
    guard ticket == self.ticket else { return nil }
    defer { cancel() }
    return message
  }
}
