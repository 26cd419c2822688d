/// The query batches that the terminal has not answered. Times are in milliseconds of the device's clock.
struct PendingQueries {
  /// After this time without an answer, none is expected.
  private static let timeout = 500

  private var count = 0
  private var last = 0

  /// Whether all are answered.
  var isEmpty: Bool { count == 0 }

  mutating func begin(at now: Int) {
    count += 1
    last = now
  }

  /// Returns the time since the last query.
  mutating func handleAnswer(at now: Int) -> Int {
    count = max(0, count - 1)
    return now - last
  }

  /// How long answers may still arrive; at most 0 if none is expected.
  func remainingTime(at now: Int) -> Int { isEmpty ? 0 : last + Self.timeout - now }
}
