import Geometry

/// The measures of a section; heights of 0 leave the header or footer out. Lengths are `0...LayoutLimits.length`.
public struct SectionMetrics: Hashable, Sendable {
  public var columns: ColumnRule = .count(2)
  public var columnSpacing = 10
  public var lineSpacing = 10
  public var insets = EdgeInsets(all: 10)
  public var headerHeight = 0
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

  public init() {}
}
