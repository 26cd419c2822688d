import FeedfallLoading

/// The turning sign that something is on its way; it stands still, and costs nothing, when nothing is.
struct Spinner: Equatable, Sendable {
  private static let pictures = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  private static let turnTime = Duration.milliseconds(120)

  private var frame = 0
  private var waiting: Ticket?

  var picture: String { Self.pictures[frame % Self.pictures.count] }

  mutating func turn(_ ticket: Ticket) {
    guard waiting == ticket else { return }
    waiting = nil
    frame += 1
  }

  /// Asks for the next turn as long as something is on its way.
  mutating func keepTurning(while isNeeded: Bool, tickets: inout TicketOffice) -> [AppEffect] {
    if let waiting, !isNeeded {
      self.waiting = nil
      return [.cancel(waiting)]
    }
    guard isNeeded, waiting == nil else { return [] }
    let ticket = tickets.next()
    waiting = ticket
    return [.wait(Self.turnTime, .spinner(ticket))]
  }
}
