/// What a waterfall does about the holes above items that span columns.
public enum SpanPacking: Hashable, Sendable {
  /// It leaves them: items lie in their order.
  case inOrder
  /// It lets items that fill them go first: no item comes more than so many places, at most 9, before or after its
  /// turn.
  case reordering(within: Int)
  /// It lets any later item that fits go there.
  case dense
}
