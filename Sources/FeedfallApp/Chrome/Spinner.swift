/// The animation while something loads. When nothing loads, it causes no wake-ups.
struct Spinner: Equatable, Sendable {
  private static let pictures = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  private static let turnTime = Duration.milliseconds(120)

  private var frame = 0
  private var waiting: Ticket?

  var picture: String { Self.pictures[frame % Self.pictures.count] }

  mutating func waitElapsed(_ ticket: Ticket) {
    guard waiting == ticket else { return }
    waiting = nil
    frame += 1
  }

  mutating func update(isLoading isNeeded: Bool, _ tickets: inout TicketOffice) -> [AppEffect] {
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
