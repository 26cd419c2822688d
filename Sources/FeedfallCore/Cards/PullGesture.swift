import FeedfallLoading

/// Pulling the cards down past their top, a row for each press.
struct PullGesture: Equatable, Sendable {
  /// Pulled this far, letting go refreshes.
  static let fullPull = 3
  /// How long the keys must rest to count as let go.
  static let restTime = Duration.milliseconds(300)

  private enum Phase: Equatable {
    case resting
    case pulling(rows: Int, Ticket)
  }
  private var phase = Phase.resting

  var rows: Int {
    if case .pulling(let rows, _) = phase { rows } else { 0 }
  }

  var isPulling: Bool { rows > 0 }

  /// Pulls one row further and asks to be told when the keys have rested.
  mutating func pull(_ ticket: Ticket) -> [AppEffect] {
    phase = .pulling(rows: min(rows + 1, Self.fullPull), ticket)
    return [.wait(Self.restTime, .pull(ticket))]
  }

  /// Lets go without refreshing.
  mutating func spring() { phase = .resting }

  /// Lets go when the keys have rested since this ticket: whether it was pulled far enough; nil for an old ticket.
  mutating func rest(_ ticket: Ticket) -> Bool? {
    guard case .pulling(let rows, ticket) = phase else { return nil }
    phase = .resting
    return rows == Self.fullPull
  }
}
