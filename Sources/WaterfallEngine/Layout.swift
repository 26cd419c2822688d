import Geometry

/// The place of an item in the data: a section and the item's number within it.
public struct ElementPath: Hashable, Comparable, Sendable {
  public var section: Int
  public var item: Int

  public init(section: Int = 0, item: Int) {
    self.section = section
    self.item = item
  }

  public static func < (left: ElementPath, right: ElementPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}

/// Where an element lies, and what it is.
public struct LayoutAttributes: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case item, header, footer }
  public var kind: Kind
  /// The item's path; for a header or footer only the section counts.
  public var path: ElementPath
  public var frame: Rect
}

public enum Direction: Hashable, Sendable, CaseIterable { case left, right, up, down }

/// How wide columns come to be.
public enum ColumnRule: Hashable, Sendable {
  case count(Int)
  /// As many columns as fit with at least this width each.
  case minimumWidth(Int)
}

/// The measures of a section; heights of 0 leave the header or footer out.
public struct SectionMetrics: Hashable, Sendable {
  public var columns: ColumnRule = .count(2)
  public var columnSpacing = 10
  public var lineSpacing = 10
  public var insets = EdgeInsets(all: 10)
  public var headerHeight = 0
  public var footerHeight = 0

  public init() {}
}

/// What every layout can do. Layouts are values that are always ready: there is no preparing.
public protocol Layout: Sendable {
  /// The width that the content fills.
  var width: Int { get }
  var contentSize: Size { get }
  var sectionCount: Int { get }
  func itemCount(inSection section: Int) -> Int
  func metrics(ofSection section: Int) -> SectionMetrics

  /// The number of columns and the smallest column's width; the other columns are at most one unit wider.
  func columnCount(inSection section: Int) -> Int
  func columnWidth(inSection section: Int) -> Int

  /// Adds an empty section below the others.
  mutating func appendSection(_ metrics: SectionMetrics)
  /// Adds items at the end of the section; O(number added).
  mutating func append(itemHeights: [Int], toSection section: Int)
  /// Changes the height of a section's footer.
  mutating func setFooterHeight(_ height: Int, ofSection section: Int)

  func layoutAttributesForItem(at path: ElementPath) -> LayoutAttributes
  /// Every element that touches `rect` and none other, sorted by section, header first, items by number, footer last.
  func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes]

  /// The item that lies next to `path` in a direction, nil at the edge. `goalRow` keeps the row that the person
  /// set out from while moving sideways: give nil after a move up or down, and pass on what comes back.
  func neighbor(of path: ElementPath, toward direction: Direction, goalRow: inout Int?) -> ElementPath?
}
