import AppCore
import Loading

/// What the program waits for, soonest first to come back.
struct WaitList {
  private var entries: [(deadline: ContinuousClock.Instant, wait: Wait)] = []

  mutating func add(_ wait: Wait, after duration: Duration) {
    entries.append((.now + duration, wait))
  }

  mutating func cancel(_ ticket: Ticket) {
    entries.removeAll { $0.wait.ticket == ticket }
  }

  /// Takes the waits that are over, in the order of their deadlines.
  mutating func takeElapsed() -> [Wait] {
    guard !entries.isEmpty else { return [] }
    let now = ContinuousClock.now
    let elapsed = entries.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
    entries.removeAll { $0.deadline <= now }
    return elapsed.map(\.wait)
  }

  /// Milliseconds until the first is over, rounded up; nil when there is none.
  var millisecondsToNext: Int? {
    guard let first = entries.map(\.deadline).min() else { return nil }
    let left = (first - .now).components
    let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
    return Int(max(0, min(milliseconds + 1, 1_000_000)))
  }
}
