import FeedfallApp

/// Limits the reports of position and buffer, which mpv sends with each frame, to ten a second.
struct PositionThrottle: Sendable {
  var time: Double?
  var bufferedUntil: Double?
  private var last: SuspendingClock.Instant?

  private static let interval = Duration.milliseconds(100)

  /// When the waiting values are to be reported; nil if there are none.
  var due: SuspendingClock.Instant? {
    guard time != nil || bufferedUntil != nil else { return nil }
    return last.map { $0 + Self.interval }
  }

  /// Returns and removes the values to report now; all of them if another report depends on them.
  mutating func drain(at now: SuspendingClock.Instant, isUrgent: Bool) -> [PlayEvent] {
    if !isUrgent, let last, now - last < Self.interval { return [] }
    let events = [time.map { PlayEvent.time(seconds: $0) }, bufferedUntil.map { .buffered(until: $0) }]
      .compactMap { $0 }
    if !events.isEmpty { last = now }
    time = nil
    bufferedUntil = nil
    return events
  }
}
