/// Limits how often a resize is handled. Dragging a window edge sends hundreds of resizes per second, and each one
/// repaints the whole screen. The first resize is handled at once, later ones at most once per frame.
struct ResizePace {
  static let interval = Duration.milliseconds(16)

  private var lastResize: ContinuousClock.Instant?
  private(set) var isPending = false

  mutating func request() { isPending = true }

  /// Returns the time at which to handle the pending resize, or nil if none is pending.
  func due(now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard isPending else { return nil }
    return lastResize.map { max(now, $0 + Self.interval) } ?? now
  }

  mutating func dequeue(now: ContinuousClock.Instant) -> Bool {
    guard let due = due(now: now), due <= now else { return false }
    lastResize = now
    isPending = false
    return true
  }
}
