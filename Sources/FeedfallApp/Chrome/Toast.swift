/// Shown until the next key and for four seconds at most.
struct Toast: Equatable, Sendable {
  private struct Message: Equatable, Sendable {
    var text: String
    var offer: UndoOffer?
    var number: Int
  }

  private static let time = Duration.seconds(4)

  private var message: Message?
  /// A message that is shown until the next key, below the others.
  private var lasting: Message?
  private var isNew = false
  private var count = 0
  private var pause = Pause()

  private var shown: Message? { message ?? lasting }
  var text: String? { shown?.text }
  var offer: UndoOffer? { message?.offer }
  /// Differs for each message; nil for none.
  var number: Int? { shown?.number }
  var hasLasting: Bool { lasting != nil }
  var showsLasting: Bool { message == nil && hasLasting }

  /// A message of the same event as an offer is shown before it.
  mutating func show(_ text: String, offer: UndoOffer? = nil) {
    count += 1
    if isNew, offer == nil, let first = message, first.offer != nil {
      message = Message(text: "\(text) · \(first.text)", offer: first.offer, number: count)
    } else {
      (message, isNew) = (Message(text: text, offer: offer, number: count), true)
    }
  }

  mutating func showUntilKey(_ text: String) {
    count += 1
    lasting = Message(text: text, number: count)
  }

  mutating func hide() { (message, isNew, lasting) = (nil, false, nil) }

  mutating func update(_ tickets: inout TicketOffice) -> [AppEffect] {
    guard isNew else { return message == nil ? pause.cancel() : [] }
    isNew = false
    return pause.begin(Self.time, &tickets, Wait.toast)
  }

  mutating func waitElapsed(_ ticket: Ticket) { if pause.end(ticket) { message = nil } }
}

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
