import FeedfallScreen

/// The user's settings for the terminal.
public struct TerminalOptions: Equatable, Sendable {
  /// Whether the program receives clicks and the wheel; otherwise the terminal's own selection works.
  public var usesMouse = true
  /// Whether colours are used; otherwise only bold, dim, reverse and underline are.
  public var usesColor = true
  public var theme = ThemeSettings()
  /// How pictures are shown.
  public var pictures = PictureChoice.auto
  /// How videos are shown.
  public var video = VideoChoice.auto

  public init() {}
}

public struct TerminalError: Error, Equatable, Sendable {
  /// One line: what failed, why, and what to do.
  public let message: String

  init(reason: String, advice: String) {
    message = "Could not open the screen: \(reason). \(advice)."
  }
}
