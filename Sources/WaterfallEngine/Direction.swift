/// A way to go from one item to its neighbour, as seen on the screen.
public enum Direction: Hashable, Sendable, CaseIterable {
  /// To the item to the left of it.
  case left
  /// To the item to the right of it.
  case right
  /// To the item above it.
  case up
  /// To the item below it.
  case down
}
