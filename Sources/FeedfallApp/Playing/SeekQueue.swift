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

extension SeekTarget {
  /// A seek ends at least this many seconds before the end of the video, so that the end stays visible.
  private static let margin = 1.0

  /// Returns the position in seconds from the beginning; nil if it depends on an unknown duration.
  func seconds(from current: Double, duration: Double?) -> Double? {
    let seconds: Double
    switch self {
    case .by(let offset): seconds = current + offset
    case .at(let position): seconds = position
    case .share(let share):
      guard let duration else { return nil }
      seconds = duration * share
    }
    guard seconds.isFinite else { return nil }
    return max(0, duration.map { min(seconds, $0 - Self.margin) } ?? seconds)
  }
}
