/// Finds an answer that arrives so slowly that a film would take years, although no pause in it is long enough for the
/// time-out. A slow line, such as one with 1 kB a second, has no limit.
struct Trickle {
  /// In bytes, within `seconds`.
  static let leastByteCount = 4_000
  static let seconds = 60

  /// The time before the first byte of the current span of `seconds`; nil before the first byte of all.
  private var start: Int?
  private var byteCount = 0

  /// Counts the bytes of a piece that has arrived at a time in seconds. Returns whether a span had too few.
  mutating func isFound(adding count: Int, at now: Int) -> Bool {
    guard let start else {
      self.start = now
      return false
    }
    byteCount += count
    guard now - start >= Self.seconds else { return false }
    defer { (self.start, byteCount) = (now, 0) }
    return byteCount < Self.leastByteCount
  }
}
