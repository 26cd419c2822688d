import FeedfallLoading

/// Pulls the header into view, a row for each key press at the top.
struct PullGesture: Equatable, Sendable {
  /// Released after this many rows, it refreshes.
  static let fullPull = 3
  /// The header is released when no key was pressed for this time.
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

  /// The state of the header while it is pulled.
  var headerState: RefreshState { rows == Self.fullPull ? .pulling : .idle }

  /// Pulls one row further and restarts the wait.
  mutating func pull(_ ticket: Ticket) -> [AppEffect] {
    phase = .pulling(rows: min(rows + 1, Self.fullPull), ticket)
    return [.wait(Self.restTime, .pull(ticket))]
  }

  /// Releases without refreshing.
  mutating func cancel() { phase = .resting }

  /// Releases and returns whether it was pulled far enough to refresh; nil for an old ticket.
  mutating func release(_ ticket: Ticket) -> Bool? {
    guard case .pulling(let rows, ticket) = phase else { return nil }
    phase = .resting
    return rows == Self.fullPull
  }
}
