/// The measures of a section; heights of 0 leave the header or footer out. Lengths are `0...LayoutLimits.length`.
public struct SectionMetrics: Hashable, Sendable {
  /// How many columns there are, and how wide they are.
  public var columns: ColumnRule = .count(2)
  /// The distance between two columns.
  public var columnSpacing = 10
  /// The distance between two items of a column, or between two rows of a grid.
  public var lineSpacing = 10
  /// The distances from the items to the header, the footer and the layout's sides.
  public var insets = EdgeInsets(all: 10)
  /// The header's height.
  public var headerHeight = 0
  /// The footer's height.
  public var footerHeight = 0
  /// Under which column a waterfall's next item goes.
  public var order: ItemOrder = .shortest
  /// What a waterfall does about the holes above items that span columns.
  public var spanPacking: SpanPacking = .reordering(within: 9)
  /// Whether the header stays at the viewport's start while its section is in it.
  public var isHeaderSticky = false
  /// Whether a decoration lies behind the whole section.
  public var hasBackground = false
  /// The height of the line in the middle of the line spacing under each item but the lowest; at most that spacing.
  public var separatorHeight = 0

  /// Two columns, 10 units between and around items, no header and no footer. O(1).
  public init() {}
}
