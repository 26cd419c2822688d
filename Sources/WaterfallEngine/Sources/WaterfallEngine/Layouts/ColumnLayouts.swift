/// A waterfall: each item lies under the column that the section's order chooses, by default the shortest, or spans
/// several.
public struct WaterfallLayout: StackedLayout, Equatable {
  var stack: SectionStack<LaneBody>
}

/// A grid: rows of equal columns. A row is as high as its highest item, and items lie at its top. Items with widths of
/// their own follow each other as long as they fit.
public struct RowGridLayout: StackedLayout, Equatable {
  var stack: SectionStack<GridBody>
}

/// A list: every section is one column, regardless of its metrics.
public struct ListLayout: StackedLayout, Equatable {
  var stack: SectionStack<LaneBody>

  static var columnRule: ColumnRule? { .count(1) }
}
