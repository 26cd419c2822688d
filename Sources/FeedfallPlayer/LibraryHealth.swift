import FeedfallApp

/// Decides whether to use libmpv or, after it has failed, the mpv program.
struct LibraryHealth: Equatable, Sendable {
  /// Why libmpv is not used; nil while it is.
  private(set) var fault: LibraryFault?
  private var lastFailure: SuspendingClock.Instant?
  /// How often libmpv did not start, and no other form replaced it.
  private var failedStartCount = 0

  /// Two failures within this time are too many.
  static let interval = Duration.seconds(60)
  /// So many failed starts of previews are too many.
  static let maximumFailedStarts = 2

  /// Records that libmpv is not installed. Returns the fault to report.
  mutating func recordMissing() -> LibraryFault? { setFault(.missing) }

  /// Records a failed start. Returns the fault to report.
  ///
  /// One that the mpv program has replaced is enough: the program shows frames of another size, which are ordered only once
  /// the fault is known.
  mutating func recordFailedStart(isReplaced: Bool) -> LibraryFault? {
    failedStartCount += 1
    return isReplaced || failedStartCount >= Self.maximumFailedStarts ? setFault(.failing) : nil
  }

  /// Records a crash or a hang. Returns the fault to report, if these are too many.
  mutating func recordFailure(at now: SuspendingClock.Instant) -> LibraryFault? {
    defer { lastFailure = now }
    guard let lastFailure, now - lastFailure <= Self.interval else { return nil }
    return setFault(.failing)
  }

  private mutating func setFault(_ new: LibraryFault) -> LibraryFault? {
    guard fault == nil else { return nil }
    fault = new
    return new
  }
}
