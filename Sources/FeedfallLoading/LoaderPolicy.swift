/// The times and bounds that a loader keeps.
public struct LoaderPolicy: Equatable, Sendable {
  /// How long a load-more waits after the end came near; zero asks at once.
  public var debounce: Duration
  /// How long an answer may take; nil where it may take any time, as what comes through a pipe may.
  public var timeout: Duration?
  /// How long a server may ask to wait for the loader to do so by itself.
  public var longestSilentHold: Duration
  /// How many pages in a row may bring nothing new before the loader takes it for the end.
  public var barrenPageLimit: Int

  public init(
    debounce: Duration = .milliseconds(500), timeout: Duration? = .seconds(10),
    longestSilentHold: Duration = .seconds(30), barrenPageLimit: Int = 3
  ) {
    self.debounce = debounce
    self.timeout = timeout
    self.longestSilentHold = longestSilentHold
    self.barrenPageLimit = barrenPageLimit
  }
}
