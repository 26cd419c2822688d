/// Reports once per idle period that the program is idle, after the terminal has confirmed that it has processed all
/// output.
struct IdleReporter {
  private enum Phase {
    case active
    /// The terminal was queried for its status, and nothing has happened since.
    case confirming
    /// The period is reported, or the terminal has not answered.
    case ended
  }

  private var phase = Phase.active
  /// The number of input events handled since the start.
  private var inputCount = 0
  private let report: (_ inputCount: Int) -> Void

  init(_ report: @escaping (_ inputCount: Int) -> Void) { self.report = report }

  /// Whether the current idle period may still be reported.
  var isDue: Bool { phase != .ended }

  /// Begins a new period. Every event leads to a paint, so the caller does this when it paints.
  mutating func restart() { phase = .active }

  mutating func countInput() { inputCount += 1 }

  /// Queries the terminal's status, or reports once it has answered. Call it only while nothing else is pending.
  mutating func advance(_ terminal: TerminalPort) {
    // An answer to a query from an earlier period says nothing about later output.
    guard !isAwaitingAnswer(terminal) else { return }
    if phase == .active {
      guard terminal.requestStatus() else { return }
      phase = .confirming
    }
    guard phase == .confirming, !isAwaitingAnswer(terminal) else { return }
    phase = .ended
    if terminal.statusTimeout() == nil { report(inputCount) }
  }

  /// Whether the terminal may still answer the last question.
  private func isAwaitingAnswer(_ terminal: TerminalPort) -> Bool { terminal.statusTimeout() ?? 0 > 0 }
}
