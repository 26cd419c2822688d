/// The items of one section. Rows count from the items' top, columns from the left. Sizes are checked. Two bodies are
/// equal if their items have the same sizes and places.
protocol SectionBody: Equatable, Sendable {
  init(columns: ColumnGeometry, rules: PackingRules)

  var columns: ColumnGeometry { get }
  var itemCount: Int { get }
  /// The distance from the first item's top to the lowest item's bottom.
  var height: Int { get }
  /// The row at which the lowest item of each column ends; 0 for a column without items.
  var columnEnds: [Int] { get }

  // A change returns a row above which nothing has changed.

  mutating func append(_ heights: [Int]) -> Int
  mutating func insert(_ items: [ItemSize], at index: Int) -> Int
  mutating func remove(_ range: Range<Int>) -> Int
  /// Items stay in their columns.
  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int
  /// The item stays in its place among the others.
  mutating func setSize(_ size: ItemSize, of item: Int) -> Int
  /// Places the items from `index` on as if they were appended again.
  mutating func repack(from index: Int) -> Int
  /// Packs the items anew into another body, which is empty, and becomes that body.
  mutating func moveItems(to body: Self) -> Int

  func size(of item: Int) -> ItemSize
  func frame(of item: Int) -> Rect
  /// Appends the items that touch `area.rect`, by number.
  func collect(in area: SearchArea, into found: inout [LayoutAttributes])

  /// The item below, or above if `step` is -1.
  func item(from item: Int, step: Int, goal: inout NavigationGoal?) -> Int?
  /// The item to the right, or to the left if `step` is -1, nearest to the goal's row, which counts from `top` and
  /// is the item's middle if there is none yet.
  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)?
  /// The horizontal extent of an item; of `column`, if the item covers several.
  func lane(of item: Int, column: Int?) -> Range<Int>
  /// The column nearest to a lane, for moves up and down to follow; nil if the item alone determines it.
  func column(nearestTo lane: Range<Int>) -> Int?
  /// The item nearest to `row` in the column nearest to `minX..<maxX` that has items; there are items.
  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int
}

extension SectionBody {
  /// O(items × log columns).
  mutating func moveItems(to body: Self) -> Int {
    let items = (0..<itemCount).map(size)
    self = body
    return insert(items, at: 0)
  }

  func lane(of item: Int, column: Int?) -> Range<Int> {
    let frame = frame(of: item)
    return frame.minX..<frame.maxX
  }

  func column(nearestTo lane: Range<Int>) -> Int? { nil }
}

/// The rules that place a section's items: a copy needs no reference counting.
struct PackingRules: Hashable, Sendable {
  let lineSpacing: Int
  let order: ItemOrder
  let spanPacking: SpanPacking
}

extension PackingRules {
  init(_ metrics: SectionMetrics) {
    self.init(lineSpacing: metrics.lineSpacing, order: metrics.order, spanPacking: metrics.spanPacking)
  }
}

/// The part of a section that a query searches: its items' rows count from `top`.
struct SearchArea {
  var rect: Rect
  var section: Int
  var top: Int

  var rows: Range<Int> { rect.minY - top..<rect.maxY - top }

  func attributes(of item: Int, _ frame: Rect) -> LayoutAttributes {
    LayoutAttributes(
      kind: .item, path: ElementPath(section: section, item: item), frame: frame.offsetBy(x: 0, y: top))
  }
}

extension [LayoutAttributes] {
  mutating func removeAll(from first: Int, outside rect: Rect) {
    let touching = self[first...].filter { $0.frame.intersects(rect) }
    replaceSubrange(first..., with: touching)
  }
}
