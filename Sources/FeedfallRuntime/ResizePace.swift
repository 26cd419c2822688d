/// How often a new size is taken in. A window that is dragged to another size tells so hundreds of times a second,
/// and each time the whole screen must be painted anew: the first is taken at once, the next ones once a frame.
struct ResizePace {
  static let interval = Duration.milliseconds(16)

  private var lastTaken: ContinuousClock.Instant?
  /// Whether there is a size that was not taken yet.
  private(set) var isPending = false

  mutating func ask() { isPending = true }

  /// When the size that waits is to be taken; nil when none waits.
  func due(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard isPending else { return nil }
    return lastTaken.map { max(now, $0 + Self.interval) } ?? now
  }

  /// Whether a size waits and its time has come; it counts as taken then.
  mutating func take(now: ContinuousClock.Instant) -> Bool {
    guard let due = due(now: now), due <= now else { return false }
    lastTaken = now
    isPending = false
    return true
  }
}
