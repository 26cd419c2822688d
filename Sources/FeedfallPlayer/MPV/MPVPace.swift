import FeedfallPlaying

/// Holds back what mpv tells with each picture, so that it is told ten times a second.
struct MPVPace: Sendable {
  private var time: Double?
  private var loaded: Double?
  private var last: ContinuousClock.Instant?

  static let interval = Duration.milliseconds(100)

  /// When what is held back is to be told; nil where there is nothing.
  var due: ContinuousClock.Instant? {
    guard time != nil || loaded != nil else { return nil }
    return last.map { $0 + Self.interval }
  }

  mutating func note(time new: Double) { time = new }

  mutating func note(bufferedUntil new: Double) { loaded = new }

  /// What is to be told now; where something else is told that needs it, all that there is.
  mutating func take(at now: ContinuousClock.Instant, isUrgent: Bool = false) -> [PlayEvent] {
    if !isUrgent, let last, now - last < Self.interval { return [] }
    let news = [time.map { PlayEvent.time(seconds: $0) }, loaded.map { .buffered(until: $0) }].compactMap { $0 }
    if !news.isEmpty { last = now }
    time = nil
    loaded = nil
    return news
  }
}
