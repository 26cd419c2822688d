/// How wide columns come to be.
///
/// Whatever the rule says, there is at least one column, at most `LayoutLimits.columnCount`, and never more
/// columns than fit with one unit each: a column without width could not be seen.
public enum ColumnRule: Hashable, Sendable {
  /// So many columns.
  case count(Int)
  /// As many columns as fit with at least this width each.
  case minimumWidth(Int)
  /// A column for each weight, as wide as its share of all weights; weights are 1 to `LayoutLimits.length`.
  case weights([Int])
}
