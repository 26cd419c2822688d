import Geometry

/// What every layout can do. Layouts are values that are always ready: there is no preparing.
///
/// Lengths from outside are bounded by `LayoutLimits`, so that no data can trap: negative lengths count as 0, an item
/// is 1 to `LayoutLimits.length` units high. A section or path that does not exist is a programming error.
public protocol Layout: Sendable {
  /// The width that the content fills. O(1).
  var width: Int { get }
  /// The size of all sections together. O(1).
  var contentSize: Size { get }
  /// The number of sections, empty ones too. O(1).
  var sectionCount: Int { get }
  /// The number of items in a section. O(1).
  func itemCount(inSection section: Int) -> Int
  /// The measures that the section is laid out with, bounded. O(1).
  func metrics(ofSection section: Int) -> SectionMetrics

  /// The number of columns, at least 1. O(1).
  func columnCount(inSection section: Int) -> Int
  /// The smallest column's width; the other columns are at most one unit wider. O(1).
  func columnWidth(inSection section: Int) -> Int

  /// The section with its header, insets and footer. O(1).
  func frame(ofSection section: Int) -> Rect

  /// Adds an empty section below the others. O(columns).
  mutating func appendSection(_ metrics: SectionMetrics)
  /// Adds items at the end of the section; no other item of the section moves, and the sections below move down as a
  /// whole. O(number added × log columns + sections below).
  mutating func append(itemHeights: [Int], toSection section: Int)
  /// Changes the height of a section's footer. O(sections below).
  mutating func setFooterHeight(_ height: Int, ofSection section: Int)

  /// Where an item lies. O(1).
  func layoutAttributesForItem(at path: ElementPath) -> LayoutAttributes
  /// Every element that touches `rect` and none other, sorted by section, header first, items by number, footer last.
  /// O(log sections + columns × log items + found × log columns), also with items of any height.
  func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes]

  /// The item that lies next to `path` in a direction, nil at the edge. `goalRow` keeps the row that the person
  /// set out from while moving sideways: give nil after a move up or down, and pass on what comes back.
  ///
  /// Up and down stay in the column, and go on in the nearest column of the next section that has items.
  /// O(log items), off screen too; O(empty sections) more where they are crossed.
  func neighbor(of path: ElementPath, toward direction: Direction, goalRow: inout Int?) -> ElementPath?

  /// The item nearest to a point: in the section nearest to its row, in the column nearest to it, the nearest item;
  /// nil when there are no items. O(log items + log sections), and O(empty sections) where they lie at the point.
  func item(nearestTo point: Point) -> ElementPath?
}
