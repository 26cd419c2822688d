/// Where in the viewport something is to be shown.
public enum ScrollAlignment: Hashable, Sendable, CaseIterable {
  /// Wherever it takes the least scrolling; what is higher than the viewport shows its top.
  case nearest
  case top, center, bottom
}
