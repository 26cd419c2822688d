/// The measures of a section; heights of 0 leave the header or footer out. Lengths are `0...LayoutLimits.length`.
public struct SectionMetrics: Hashable, Sendable {
  /// The number of columns and their widths.
  public var columns: ColumnRule
  /// The distance between two columns.
  public var columnSpacing: Int
  /// The distance between two items of a column, or between two rows of a grid.
  public var lineSpacing: Int
  /// The distances from the items to the header, the footer and the layout's sides.
  public var insets: Insets
  /// The header's height.
  public var headerHeight: Int
  /// The footer's height.
  public var footerHeight: Int
  /// The order in which a waterfall's items fill the columns.
  public var order: ItemOrder
  /// How a waterfall treats the holes above items that span columns.
  public var spanPacking: SpanPacking
  /// Whether the header stays at the viewport's start while its section is in it.
  public var isHeaderSticky: Bool
  /// Whether the footer stays at the viewport's end while its section is in it.
  public var isFooterSticky: Bool
  /// Whether a decoration lies behind the whole section.
  public var hasBackground: Bool
  /// The height of the line in the middle of the line spacing under each item but the lowest; at most that spacing.
  public var separatorHeight: Int
  /// The supplementary elements and decorations of the host's own kinds, each kind once.
  public var elements: [SectionElement]

  /// The measures of a section; lengths are in units. By default two columns, 10 units between and around items, and
  /// neither header nor footer. O(1).
  public init(
    columns: ColumnRule = .count(2), columnSpacing: Int = 10, lineSpacing: Int = 10,
    insets: Insets = Insets(all: 10), headerHeight: Int = 0, footerHeight: Int = 0,
    order: ItemOrder = .shortest, spanPacking: SpanPacking = .reordering(within: 9), isHeaderSticky: Bool = false,
    isFooterSticky: Bool = false, hasBackground: Bool = false, separatorHeight: Int = 0, elements: [SectionElement] = []
  ) {
    (self.columns, self.columnSpacing, self.lineSpacing) = (columns, columnSpacing, lineSpacing)
    (self.insets, self.headerHeight, self.footerHeight) = (insets, headerHeight, footerHeight)
    (self.order, self.spanPacking, self.isHeaderSticky) = (order, spanPacking, isHeaderSticky)
    (self.isFooterSticky, self.hasBackground) = (isFooterSticky, hasBackground)
    (self.separatorHeight, self.elements) = (separatorHeight, elements)
  }
}

/// The rule for the number of columns and their widths.
///
/// There is always at least one column, at most `LayoutLimits.columnCount`, and never more columns than fit with one
/// unit each: a column without width would be invisible.
public enum ColumnRule: Hashable, Sendable {
  /// This number of columns.
  case count(Int)
  /// As many columns as fit with at least this width each.
  case minimumWidth(Int)
  /// A column for each weight, as wide as its share of all weights; weights are 1 to `LayoutLimits.length`.
  case weights([Int])
}

/// The column that a waterfall's next item goes under.
public enum ItemOrder: Hashable, Sendable {
  /// The shortest, the leftmost of equal ones.
  case shortest
  /// One after the other, regardless of their heights.
  case leftToRight
  /// One after the other from the right.
  case rightToLeft
  /// The first, in reading order after the last item's column, that is at most this number of units longer than the
  /// shortest: `flow-tolerance` of CSS grid lanes, with its cursor.
  case tolerance(Int)

  /// Whether the columns follow from the items' numbers alone.
  var isStrict: Bool { self == .leftToRight || self == .rightToLeft }
}

/// How a waterfall treats the holes above items that span columns.
public enum SpanPacking: Hashable, Sendable {
  /// Holes stay: items lie in their order.
  case inOrder
  /// Items that fill a hole go first: no item is placed more than this number of places, at most 9, before or after
  /// its turn.
  case reordering(within: Int)
  /// Any later item that fits fills a hole.
  case dense
}

/// The size of an item, given by the host.
public struct ItemSize: Hashable, Sendable {
  /// The part of the section's breadth that an item occupies.
  public enum Span: Hashable, Sendable {
    /// This number of columns, or all of them if there are fewer.
    case columns(Int)
    /// All columns.
    case full
  }

  /// The height in units; in a layout that scrolls sideways, the length along the scrolling.
  public var height: Int
  /// The columns that the item covers; only a waterfall uses it.
  public var span: Span
  /// The item's own width, nil for the column's; only a grid uses it, whose rows then hold as many items as fit.
  public var width: Int?
  /// Whether the height is an estimate that a measured one may replace.
  public var isEstimate: Bool

  /// The size of an item, by default one column wide and measured. O(1).
  public init(height: Int, span: Span = .columns(1), width: Int? = nil, isEstimate: Bool = false) {
    (self.height, self.span, self.width, self.isEstimate) = (height, span, width, isEstimate)
  }
}

/// The direction in which a layout scrolls, and whether it is mirrored.
///
/// Everything is laid out from top to bottom and from left to right; the result is then turned as a whole. So every
/// measure keeps its name: in a layout that scrolls sideways an item's height is its length along the scrolling, and
/// `insets.top` lies before the section's first item.
public struct Orientation: Hashable, Sendable {
  /// A direction of scrolling.
  public enum Axis: Hashable, Sendable, CaseIterable {
    /// Up and down.
    case vertical
    /// To the left and to the right.
    case horizontal
  }

  /// The direction of scrolling. In a horizontal layout `below` becomes `to the right`, and columns are rows.
  public var axis: Axis
  /// Whether left and right are exchanged on the screen.
  public var isMirrored: Bool

  /// An orientation, by default from top to bottom and not mirrored. O(1).
  public init(_ axis: Axis = .vertical, isMirrored: Bool = false) {
    (self.axis, self.isMirrored) = (axis, isMirrored)
  }

  /// From top to bottom, the first column to the left.
  public static let vertical = Orientation()
  /// From left to right, the first column on top.
  public static let horizontal = Orientation(.horizontal)

  var isPlain: Bool { self == .vertical }

  func contentSize(breadth: Int, length: Int) -> Size {
    axis == .vertical ? Size(width: breadth, height: length) : Size(width: length, height: breadth)
  }

  /// Converts a frame from layout space; `content` is the content's size on the screen.
  func toScreen(_ frame: Rect, in content: Size) -> Rect {
    let frame = axis == .vertical ? frame : frame.transposed
    return isMirrored ? frame.mirrored(in: content.width) : frame
  }

  func toLayout(_ frame: Rect, in content: Size) -> Rect {
    let frame = isMirrored ? frame.mirrored(in: content.width) : frame
    return axis == .vertical ? frame : frame.transposed
  }

  func toScreen(_ direction: Direction) -> Direction {
    let direction = axis == .vertical ? direction : direction.transposed
    return isMirrored ? direction.mirrored : direction
  }

  func toLayout(_ direction: Direction) -> Direction {
    let direction = isMirrored ? direction.mirrored : direction
    return axis == .vertical ? direction : direction.transposed
  }
}

extension Direction {
  fileprivate var mirrored: Direction {
    switch self {
    case .left: .right
    case .right: .left
    case .up, .down: self
    }
  }

  fileprivate var transposed: Direction {
    switch self {
    case .left: .up
    case .right: .down
    case .up: .left
    case .down: .right
    }
  }
}
