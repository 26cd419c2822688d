import FeedfallApp

struct WaitList {
  private struct Entry {
    var deadline: ContinuousClock.Instant
    var wait: Wait
    var isShort: Bool
  }

  /// The shortest wait during which the program counts as idle, such as the hold that a server asks for. It also counts
  /// as idle while a message waits to disappear.
  private static let longWait = Duration.seconds(10)

  private var entries: [Entry] = []

  mutating func add(_ wait: Wait, after duration: Duration) {
    entries.append(Entry(deadline: .now + duration, wait: wait, isShort: duration < Self.longWait && wait.delaysIdle))
  }

  /// Whether a wait of less than ten seconds is pending.
  var hasShortWait: Bool { entries.contains { $0.isShort } }

  mutating func cancel(_ ticket: Ticket) {
    entries.removeAll { $0.wait.ticket == ticket }
  }

  /// Removes the wait with the earliest deadline and returns it, if that has elapsed.
  mutating func dequeueElapsed(at now: ContinuousClock.Instant) -> Wait? {
    guard let index = entries.indices.min(by: { entries[$0].deadline < entries[$1].deadline }),
      entries[index].deadline <= now
    else { return nil }
    return entries.remove(at: index).wait
  }

  /// The earliest deadline, or nil if no wait is pending.
  var next: ContinuousClock.Instant? { entries.map(\.deadline).min() }
}

extension ContinuousClock.Instant {
  /// Returns the milliseconds from `now` until this instant, at most 1,000,000; 0 if it has passed. Rounded up, so that
  /// `poll` does not return early.
  func milliseconds(from now: ContinuousClock.Instant) -> Int {
    guard now < self else { return 0 }
    let left = (self - now).components
    return Int(min(left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000 + 1, 1_000_000))
  }
}
