/// Measures how much another program sends: a level that rises with each byte and falls with time. A limit of the bytes
/// in each second would not notice a program that is slowed down by a reader at full load.
package struct FloodGauge: Sendable {
  private var level = 0.0
  private var last: SuspendingClock.Instant?

  package init() {}

  /// Adds bytes, or messages. Returns false if there are too many: more than `burst` above a steady rate per second.
  package mutating func accepts(_ byteCount: Int, rate: Int, burst: Int, at now: SuspendingClock.Instant) -> Bool {
    let seconds = last.map { max(.zero, now - $0) / .seconds(1) } ?? 0
    last = now
    level = max(0, level - seconds * Double(rate)) + Double(byteCount)
    return level <= Double(burst)
  }
}
