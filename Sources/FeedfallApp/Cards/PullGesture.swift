extension CardsScreen {
  /// Pulls the header into view, a row for each key press at the top.
  ///
  /// A pull begins with a new press: a key that is held down on the way to the top does not go on into a pull.
  /// Terminals report a held key as presses, which only their intervals distinguish.
  struct PullGesture: Equatable, Sendable {
    static let fullPull = 3
    /// The header is released when no key was pressed for this time.
    static let restTime = Duration.milliseconds(300)
    /// The pause in the repeated keys after which a press at the top is a new one.
    private static let repeatPause = Duration.milliseconds(250)
    /// Longer than the time after which keyboards begin to repeat a held key, which is 660 ms in X.
    private static let repeatDelay = Duration.milliseconds(700)

    private enum Phase: Equatable {
      case resting
      case arriving(Ticket)
      case pulling(rows: Int, Ticket)
    }
    private var phase = Phase.resting

    var rows: Int { if case .pulling(let rows, _) = phase { rows } else { 0 } }
    var isPulling: Bool { rows > 0 }
    var headerState: RefreshState { rows == Self.fullPull ? .pulling : .idle }

    /// Prevents a pull until a key that brought the view to the top can no longer be held down.
    mutating func arriveByKey(_ ticket: Ticket) -> [AppEffect] { arrive(ticket, pause: Self.repeatDelay) }

    /// Prevents a pull until the wheel pauses.
    mutating func arriveByWheel(_ ticket: Ticket) -> [AppEffect] { arrive(ticket, pause: Self.repeatPause) }

    private mutating func arrive(_ ticket: Ticket, pause: Duration) -> [AppEffect] {
      phase = .arriving(ticket)
      return [.wait(pause, .pull(ticket))]
    }

    mutating func pull(_ ticket: Ticket) -> [AppEffect] {
      if case .arriving = phase { return arrive(ticket, pause: Self.repeatPause) }
      // The header shows the time since the last refresh.
      let clock: [AppEffect] = isPulling ? [] : [.readClock]
      phase = .pulling(rows: min(rows + 1, Self.fullPull), ticket)
      return clock + [.wait(Self.restTime, .pull(ticket))]
    }

    mutating func cancel() { phase = .resting }

    /// Returns whether it was pulled far enough to refresh; nil for an old ticket.
    mutating func release(_ ticket: Ticket) -> Bool? {
      switch phase {
      case .pulling(let rows, ticket):
        phase = .resting
        return rows == Self.fullPull
      case .arriving(ticket): phase = .resting
      case .resting, .arriving, .pulling: break
      }
      return nil
    }
  }
}
