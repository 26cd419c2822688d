/// What a person wants pictures to be.
public enum PictureChoice: String, CaseIterable, Sendable {
  /// The best that the terminal can do.
  case auto
  case kitty, sixel
  /// Two colours a cell.
  case cells
  /// Two colours and a shape a cell.
  case symbols
  case none
}
