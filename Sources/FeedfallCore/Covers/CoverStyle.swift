import FeedfallScreen

/// How the terminal can show covers.
public enum CoverStyle: Equatable, Sendable {
  /// There are no colours: frames with the titles' first letters.
  case initials
  /// Calm blocks of one colour, without pictures.
  case blocks
  case pictures(BlockGlyphs, wantsPixels: Bool)
}
