/// A way to go from one item to its neighbour.
public enum Direction: Hashable, Sendable, CaseIterable { case left, right, up, down }
