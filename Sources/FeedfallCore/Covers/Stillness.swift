import FeedfallLoading
import WaterfallEngine

/// Notices when what is seen has come to rest: what flies by is not worth loading or sending to the terminal.
struct Stillness: Sendable {
  static let restTime = Duration.milliseconds(100)

  /// All that moves covers on the screen.
  struct Sight: Equatable, Sendable {
    var tab: Int
    var kind: LayoutKind
    var offset: Int
    var displacement: Point
    var viewport: Size
    var pane: DetailPane?
    /// The cover that the pane shows.
    var paneCover: CoverKey?
  }

  private(set) var sight: Sight?
  private var waiting: Ticket?

  var isAtRest: Bool { sight != nil && waiting == nil }

  /// Waits anew where what is seen has moved; empty where it has not.
  mutating func watch(_ new: Sight, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard new != sight else { return [] }
    sight = new
    let old = waiting
    let ticket = tickets.next()
    waiting = ticket
    return (old.map { [.cancel($0)] } ?? []) + [.wait(Self.restTime, .rest(ticket))]
  }

  mutating func waitElapsed(_ ticket: Ticket) {
    if waiting == ticket { waiting = nil }
  }
}
