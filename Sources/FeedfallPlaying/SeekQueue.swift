/// Sends one seek at a time: while one is in progress only the newest target waits.
struct SeekQueue: Equatable, Sendable {
  /// In seconds.
  private var inProgress: Double?
  private var waiting: Double?

  /// The position after all seeks; nil if there is none.
  var target: Double? { waiting ?? inProgress }

  /// Returns the position to send now, if any.
  mutating func request(_ seconds: Double, isReady: Bool) -> Double? {
    guard isReady, inProgress == nil else {
      waiting = seconds
      return nil
    }
    inProgress = seconds
    return seconds
  }

  /// Returns the position to send after the seek in progress has completed, or when the file has become ready.
  mutating func next() -> Double? {
    inProgress = waiting
    waiting = nil
    return inProgress
  }
}
