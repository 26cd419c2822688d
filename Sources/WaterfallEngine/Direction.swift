/// A way to go from one item to its neighbour, as seen on the screen.
public enum Direction: Hashable, Sendable, CaseIterable { case left, right, up, down }
