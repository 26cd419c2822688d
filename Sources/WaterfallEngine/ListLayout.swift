/// A list: every section is one column, whatever its metrics say.
public struct ListLayout: StackedLayout {
  var stack: SectionStack<LaneBody>

  static var columnRule: ColumnRule? { .count(1) }
}
