/// Why the terminal cannot be used.
public struct TerminalError: Error, Equatable, Sendable {
  /// One line: what could not be done, why, and what to do.
  public let message: String
}
