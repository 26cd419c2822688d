/// What every layout can do. Layouts are values that are always ready: there is no preparing.
///
/// A layout never asks a view anything: it is told sizes and answers frames, in whole units. Sizes that nothing can be
/// made of are a `LayoutError`, thrown before anything has changed. A section or path that does not exist is a
/// programming error.
public protocol Layout: Sendable {
  /// An empty layout for a content that is `breadth` units across the direction of scrolling: the width, or the height
  /// if it scrolls sideways; taken to `0...LayoutLimits.length`. O(1).
  init(breadth: Int, orientation: Orientation)

  /// The content's extent across the direction of scrolling. O(1).
  var breadth: Int { get }
  /// Which way the layout is turned. O(1).
  var orientation: Orientation { get }
  /// The size of all sections together. O(1).
  var contentSize: Size { get }
  /// The number of sections, empty ones too. O(1).
  var sectionCount: Int { get }
  /// The number of items in a section. O(1).
  func itemCount(inSection section: Int) -> Int
  /// The measures that the section is laid out with. O(1).
  func metrics(ofSection section: Int) -> SectionMetrics
  /// The number of columns, at least 1. O(1).
  func columnCount(inSection section: Int) -> Int
  /// The narrowest column's width; without weights the others are at most one unit wider. O(1).
  func columnWidth(inSection section: Int) -> Int
  /// A column's width. O(1).
  func width(ofColumn column: Int, inSection section: Int) -> Int
  /// What is known about an item's size. O(1).
  func itemSize(at path: ElementPath) -> ItemSize
  /// The section with its header, insets and footer. O(1).
  func frame(ofSection section: Int) -> Rect
  /// The memory that is kept for the items, in bytes. O(sections).
  var storedByteCount: Int { get }

  // MARK: - Changes

  /// Adds an empty section before the one at `index`, or as the last one. O(columns + sections below).
  mutating func insertSection(_ metrics: SectionMetrics, at index: Int) throws(LayoutError)
  /// Removes a section with its items. O(sections below).
  mutating func removeSection(at index: Int)
  /// Lays a section out with other measures. O(sections below), and O(items of the section) if columns, spacing, order
  /// or side insets change.
  mutating func setMetrics(_ metrics: SectionMetrics, ofSection section: Int) throws(LayoutError)
  /// Adds items at the end of the section; no other item of the section moves, and the sections below move down as a
  /// whole. O(number added × log columns + columns + sections below), with tolerance × columns.
  mutating func append(itemHeights: [Int], toSection section: Int) throws(LayoutError)
  /// Inserts items before the one at `path`, or at the section's end. In a waterfall each goes under the column that
  /// the order chooses at that place, and only what lies below in that column moves; in a strict order and in a grid
  /// all that follow move on. Answers the part of the content outside of which nothing moved.
  /// O(number added + items behind + sections below); at the end as long as appending.
  @discardableResult
  mutating func insert(_ items: [ItemSize], at path: ElementPath) throws(LayoutError) -> Rect
  /// Removes items. In a waterfall what lies below in their columns moves up; in a strict order and in a grid all that
  /// follow move up. Answers the part of the content outside of which nothing moved.
  /// O(items behind + sections below).
  @discardableResult
  mutating func remove(items range: Range<Int>, fromSection section: Int) -> Rect
  /// Gives items other heights, or better ones than their estimates, from the one at `path` on. They keep their
  /// columns, and only what lies below in those moves. Answers the part of the content outside of which nothing moved.
  /// O(items behind ÷ 32 + sections below) for an item; O(items behind) for many, and where items span columns.
  @discardableResult
  mutating func setItemHeights(
    _ heights: [Int], from path: ElementPath, areEstimates: Bool
  ) throws(LayoutError) -> Rect
  /// Lays the items from the one at `path` on out as if they were appended anew: heights that changed and items that
  /// came and went leave a waterfall's columns uneven. Best when nothing visible can jump. Answers the part of the
  /// content outside of which nothing moved. O(items behind × log columns + sections below).
  @discardableResult
  mutating func repack(from path: ElementPath) -> Rect
  /// Tells the layout how much of the content is seen at once in the direction of scrolling. Only a carousel wants to
  /// know. O(sections).
  mutating func setViewportLength(_ length: Int)

  // MARK: - Where things lie

  /// An element, nil where the section has none of the kind: its height is 0. O(1), with 8 steps a column.
  func layoutAttributes(of kind: LayoutAttributes.Kind, at path: ElementPath) -> LayoutAttributes?
  /// Every element that touches `rect` and none other: by section; in each the background, the header, the items by
  /// number with their separators, the footer. O(log sections + columns × log items + found × log columns), whatever
  /// heights the items have.
  func layoutAttributesForElements(in rect: Rect) -> [LayoutAttributes]
  /// What is seen in a viewport: the elements that touch it, sticky headers where they are pinned, a carousel's items
  /// as large as their distance from the middle makes them. As long as a query.
  func layoutAttributes(inViewport viewport: Rect) -> [LayoutAttributes]
  /// Whether what is seen is more than a part of the same picture, so that it is to be asked for anew. O(1).
  func invalidates(forBoundsChangeFrom oldBounds: Rect, to newBounds: Rect) -> Bool
  /// Where scrolling that would end at a content offset is to end instead. `velocity` is positive toward the content's
  /// end, 0 for no flick. O(log items).
  func targetContentOffset(forProposed offset: Int, velocity: Int, viewportLength: Int) -> Int
  /// How much of the viewport's start the section's header covers while it is pinned. O(1).
  func stickyHeaderLength(ofSection section: Int) -> Int

  // MARK: - Moving about

  /// The item that lies next to `path` in a direction of the screen, nil at the edge. `goal` keeps where the person
  /// means to go: give nil to begin with and pass on what comes back.
  ///
  /// Along the scrolling a move stays in the column, and goes on in the nearest column of the next section that has
  /// items. O(log items), off screen too; O(empty sections) more where they are crossed.
  func neighbor(of path: ElementPath, toward direction: Direction, goal: inout NavigationGoal?) -> ElementPath?
  /// The item nearest to a point: in the section nearest to its row, in the column nearest to it, the nearest item;
  /// nil when there are no items. O(log items + log sections), and O(empty sections) where they lie at the point.
  func item(nearestTo point: Point) -> ElementPath?
}

extension Layout {
  /// An empty layout that scrolls down; a negative width counts as 0. O(1).
  public init(width: Int) { self.init(breadth: width, orientation: .vertical) }

  public mutating func setViewportLength(_ length: Int) {}

  public func invalidates(forBoundsChangeFrom oldBounds: Rect, to newBounds: Rect) -> Bool { false }

  public func targetContentOffset(forProposed offset: Int, velocity: Int, viewportLength: Int) -> Int {
    clampedContentOffset(offset, viewportLength: viewportLength)
  }
}
