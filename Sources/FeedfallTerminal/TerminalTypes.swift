import FeedfallScreen

/// The user's settings for the terminal.
public struct TerminalOptions: Equatable, Sendable {
  /// Whether the program receives clicks and the wheel; otherwise the terminal's own selection works.
  public var usesMouse = true
  /// Whether colours are used; otherwise only bold, dim, reverse and underline are.
  public var usesColor = true

  /// How pictures are shown.
  public var pictures = PictureChoice.auto

  public init() {}
}

/// The result of one `readInput()`.
public struct TerminalInput: Equatable, Sendable {
  /// The user's input, in order.
  public var events: [InputEvent]
  /// Whether the terminal is gone for good.
  public var isClosed: Bool
  /// Whether the screen must be drawn again, because the terminal reported its cell size, background or picture support.
  public var isAppearanceChanged: Bool

  public init(events: [InputEvent] = [], isClosed: Bool = false, isAppearanceChanged: Bool = false) {
    self.events = events
    self.isClosed = isClosed
    self.isAppearanceChanged = isAppearanceChanged
  }
}

public struct TerminalError: Error, Equatable, Sendable {
  /// One line: what failed, why, and what to do.
  public let message: String

  init(reason: String, advice: String) {
    message = "Could not open the screen: \(reason). \(advice)."
  }
}
