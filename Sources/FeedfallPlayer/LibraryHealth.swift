import FeedfallPlaying

/// Decides whether to use libmpv or, after it has failed, the mpv program.
struct LibraryHealth: Equatable, Sendable {
  /// Why libmpv is not used; nil while it is.
  private(set) var fault: LibraryFault?
  private var lastFailure: ContinuousClock.Instant?

  /// Two failures within this time are too many.
  static let interval = Duration.seconds(60)

  /// Records that libmpv is not installed. Returns the fault to report.
  mutating func recordMissing() -> LibraryFault? { setFault(.missing) }

  /// Records a failed start, which the mpv program has replaced. Returns the fault to report.
  ///
  /// One is enough: the program shows frames of another size, which are ordered only once the fault is known.
  mutating func recordFailedStart() -> LibraryFault? { setFault(.failing) }

  /// Records a crash or a hang. Returns the fault to report, if these are too many.
  mutating func recordFailure(at now: ContinuousClock.Instant) -> LibraryFault? {
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
