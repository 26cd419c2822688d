/// The animation while something loads. When nothing loads, it causes no wake-ups.
struct Spinner: Equatable, Sendable {
  private static let pictures = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  private static let turnTime = Duration.milliseconds(120)

  private var frame = 0
  private var turn = Pause()

  var picture: String { Self.pictures[frame % Self.pictures.count] }

  mutating func waitElapsed(_ ticket: Ticket) { if turn.end(ticket) { frame += 1 } }

  mutating func update(isLoading isNeeded: Bool, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard isNeeded else { return turn.cancel() }
    return turn.isRunning ? [] : turn.begin(Self.turnTime, &tickets, Wait.spinner)
  }
}
