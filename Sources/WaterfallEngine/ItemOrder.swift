/// Under which column a waterfall's next item goes.
public enum ItemOrder: Hashable, Sendable {
  /// The shortest, the leftmost of equal ones.
  case shortest
  /// One after the other, whatever their heights.
  case leftToRight
  /// One after the other from the right.
  case rightToLeft
  /// The first, in reading order from where the last item went on, that is at most so many units longer than the
  /// shortest: `flow-tolerance` of CSS grid lanes, with its cursor.
  case tolerance(Int)
}

extension ItemOrder {
  /// Whether the columns follow from the items' numbers alone.
  var isStrict: Bool { self == .leftToRight || self == .rightToLeft }
}
