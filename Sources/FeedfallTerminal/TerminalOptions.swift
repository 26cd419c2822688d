import FeedfallScreen

/// What a person may choose.
public struct TerminalOptions: Equatable, Sendable {
  /// Whether clicks and the wheel reach the program; without, the terminal's own selection works.
  public var usesMouse = true
  /// Whether colours are shown; without, only bold, dim, reverse and underline are.
  public var usesColor = true

  /// What pictures are to be.
  public var pictures = PictureChoice.auto

  public init() {}
}
