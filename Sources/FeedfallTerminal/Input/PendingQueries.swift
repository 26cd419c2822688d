/// The query batches that the terminal has not answered. Times are in milliseconds of the device's clock.
///
/// The last query of a batch (DA1) is its fence: terminals answer in order, so no answer follows that to the fence.
struct PendingQueries {
  /// After this time without an answer, none is expected.
  private let timeout: Int
  private var count = 0
  private var last = 0

  init(timeout: Int) { self.timeout = timeout }

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

  /// The time until which answers may still arrive; nil if none is expected.
  var end: Int? { isEmpty ? nil : last + timeout }
}
