/// Where in the viewport something is to be shown.
public enum ScrollAlignment: Hashable, Sendable, CaseIterable {
  /// Wherever it takes the least scrolling; what is higher than the viewport shows its top.
  case nearest
  /// Its start at the viewport's start.
  case top
  /// Its middle in the viewport's middle.
  case center
  /// Its end at the viewport's end.
  case bottom
}
