import FeedfallScreen

/// What one reading of the terminal gave.
public struct TerminalInput: Equatable, Sendable {
  /// What the person did, in order.
  public var events: [InputEvent]
  /// Whether the terminal is gone; it never comes back.
  public var isClosed: Bool
  /// Whether a report of the terminal changed `cellSize` or `background`, so that the screen is to be drawn again.
  public var isAppearanceChanged: Bool

  public init(events: [InputEvent] = [], isClosed: Bool = false, isAppearanceChanged: Bool = false) {
    self.events = events
    self.isClosed = isClosed
    self.isAppearanceChanged = isAppearanceChanged
  }
}
