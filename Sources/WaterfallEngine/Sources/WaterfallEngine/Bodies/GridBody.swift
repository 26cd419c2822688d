/// Items in rows, aligned at the top; a row is as high as its highest item. About 10 bytes an item; 80 in a section in
/// which items have widths of their own.
struct GridBody: SectionBody {
  let columns: ColumnGeometry
  private let rules: PackingRules
  /// `CellRows`, or an arrangement while an item has a width of its own.
  private var rows: any SectionBody
  private var ownWidthCount = 0

  init(columns: ColumnGeometry, rules: PackingRules) {
    (self.columns, self.rules) = (columns, rules)
    rows = CellRows(columns: columns, rules: rules)
  }

  static func == (left: GridBody, right: GridBody) -> Bool {
    func areEqual<Rows: SectionBody>(_ rows: Rows) -> Bool { right.rows as? Rows == rows }
    return left.columns == right.columns && areEqual(left.rows)
  }

  var itemCount: Int { rows.itemCount }
  var height: Int { rows.height }

  mutating func append(_ heights: [Int]) -> Int { rows.append(heights) }

  /// The items behind move on. O(items behind), O(items) for the first width of an item's own.
  mutating func insert(_ items: [ItemSize], at index: Int) -> Int {
    let added = items.count { $0.width != nil }
    if ownWidthCount == 0, added > 0 { move(to: ArrangedBody<FlowRows>(columns: columns, rules: rules)) }
    ownWidthCount += added
    guard ownWidthCount > 0 else { return rows.insert(items, at: index) }
    // Cells store no spans, and grids are equal whatever stored their items before.
    return rows.insert(
      items.map { ItemSize(height: $0.height, width: $0.width, isEstimate: $0.isEstimate) }, at: index)
  }

  /// The items behind move up. O(items behind), O(items) for the last width of an item's own.
  mutating func remove(_ range: Range<Int>) -> Int {
    let removed = ownWidthCount > 0 ? range.count { size(of: $0).width != nil } : 0
    let row = rows.remove(range)
    ownWidthCount -= removed
    if removed > 0, ownWidthCount == 0 { move(to: CellRows(columns: columns, rules: rules)) }
    return row
  }

  private mutating func move(to other: any SectionBody) {
    let items = (0..<itemCount).map(size)
    rows = other
    _ = rows.insert(items, at: 0)
  }

  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int {
    rows.setHeights(heights, from: index, areEstimates: areEstimates)
  }

  /// The items behind move on if items of the section have widths of their own: O(items behind), and O(items) when the
  /// first such width is set or the last one removed. Otherwise the cost of a height.
  mutating func setSize(_ size: ItemSize, of item: Int) -> Int {
    let (old, new) = (self.size(of: item).width == nil ? 0 : 1, size.width == nil ? 0 : 1)
    if ownWidthCount == 0, new > 0 { move(to: ArrangedBody<FlowRows>(columns: columns, rules: rules)) }
    ownWidthCount += new - old
    let row = rows.setSize(
      ItemSize(height: size.height, width: size.width, isEstimate: size.isEstimate), of: item)
    if old > 0, ownWidthCount == 0 { move(to: CellRows(columns: columns, rules: rules)) }
    return row
  }

  /// Rows are always packed. O(1).
  mutating func repack(from index: Int) -> Int { height }

  var columnEnds: [Int] { rows.columnEnds }
  func size(of item: Int) -> ItemSize { rows.size(of: item) }
  func frame(of item: Int) -> Rect { rows.frame(of: item) }
  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) { rows.collect(in: area, into: &found) }

  func item(from item: Int, step: Int, goal: inout NavigationGoal?) -> Int? {
    rows.item(from: item, step: step, goal: &goal)
  }
  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    rows.item(beside: item, step: step, top: top, goal: &goal)
  }
  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int { rows.item(nearestTo: minX, maxX, row: row) }

  /// Rows of columns: lanes in which each item is as high as its row.
  private struct CellRows: SectionBody {
    private var lanes: LaneBody
    private var words: ContiguousArray<ItemWord> = []

    init(columns: ColumnGeometry, rules: PackingRules) {
      let rules = PackingRules(lineSpacing: rules.lineSpacing, order: .leftToRight, spanPacking: .inOrder)
      lanes = LaneBody(columns: columns, rules: rules)
    }

    var columns: ColumnGeometry { lanes.columns }
    var itemCount: Int { words.count }
    var height: Int { lanes.height }

    var columnEnds: [Int] {
      (0..<columns.count).map { column in
        guard column < itemCount else { return 0 }
        return frame(of: itemCount - 1 - (itemCount - 1 - column) % columns.count).maxY
      }
    }

    func size(of item: Int) -> ItemSize { ItemSize(height: words[item].height, isEstimate: words[item].isEstimate) }

    func frame(of item: Int) -> Rect {
      var frame = lanes.frame(of: item)
      frame.size.height = words[item].height
      return frame
    }

    func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
      let first = found.count
      lanes.collect(in: area, into: &found)
      for place in first..<found.count { found[place].frame.size.height = words[found[place].path.item].height }
      found.removeAll(from: first, outside: area.rect)
    }

    mutating func append(_ heights: [Int]) -> Int {
      let end = itemCount
      words.reserveGrowth(heights.count)
      for height in heights { words.append(ItemWord(height: height, column: 0)) }
      return align(from: end)
    }

    mutating func insert(_ items: [ItemSize], at index: Int) -> Int {
      words.insert(contentsOf: items.lazy.map { ItemWord($0.laneItem, column: 0, isWide: false) }, at: index)
      return align(from: index)
    }

    mutating func remove(_ range: Range<Int>) -> Int {
      words.removeSubrange(range)
      return align(from: range.lowerBound)
    }

    /// O(items of the changed rows + rows behind ÷ 8).
    mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int {
      guard !heights.isEmpty else { return height }
      for (number, height) in heights.enumerated() {
        words[index + number].setHeight(height, isEstimate: areEstimates)
      }
      let first = index - index % columns.count
      let rows = rowHeights(from: first, to: index + heights.count)
      let top = lanes.frame(of: first).minY
      let isChanged = stride(from: 0, to: rows.count, by: columns.count).contains {
        lanes.size(of: first + $0).height != rows[$0]
      }
      return isChanged ? min(top, lanes.setHeights(rows, from: first, areEstimates: false)) : top
    }

    mutating func setSize(_ size: ItemSize, of item: Int) -> Int {
      setHeights([size.height], from: item, areEstimates: size.isEstimate)
    }

    /// Places the items again from one on, and those before it in its row if the row changes its height.
    private mutating func align(from item: Int) -> Int {
      let row = item - item % columns.count
      let staysHigh = row < item && lanes.size(of: row).height == height(ofRowFrom: row)
      let top = row < item ? lanes.frame(of: row).minY : height
      let first = staysHigh ? item : row
      if first < lanes.itemCount { lanes.truncate(to: first) }
      return min(top, lanes.append(rowHeights(from: first, to: itemCount)))
    }

    /// The height of its row, for each item from `first` on to the end of the row of the last before `end`.
    private func rowHeights(from first: Int, to end: Int) -> [Int] {
      var heights: [Int] = []
      heights.reserveCapacity(end - first + columns.count)
      for row in stride(from: first - first % columns.count, to: end, by: columns.count) {
        let height = height(ofRowFrom: row)
        for _ in max(row, first)..<min(row + columns.count, itemCount) { heights.append(height) }
      }
      return heights
    }

    private func height(ofRowFrom first: Int) -> Int {
      var height = 0
      for item in first..<min(first + columns.count, itemCount) { height = max(height, words[item].height) }
      return height
    }

    mutating func repack(from index: Int) -> Int { height }

    func item(from item: Int, step: Int, goal: inout NavigationGoal?) -> Int? {
      lanes.item(from: item, step: step, goal: &goal)
    }

    func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
      // The middle of the item itself, not of its row.
      _ = goal.row(for: frame(of: item), top: top)
      return lanes.item(beside: item, step: step, top: top, goal: &goal)
    }

    func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int { lanes.item(nearestTo: minX, maxX, row: row) }
  }

  /// Rows of items of any width, each with as many as fit from the left. An item without a width is as wide as a
  /// column: in a row that begins with such items they lie in the columns, as they would without items of other widths.
  private enum FlowRows: ItemArrangement {
    static func place(_ items: [ItemSize], in space: ArrangementSpace, frames: inout [Rect]) {
      let (columns, extent) = (space.columns, space.extent)
      let narrowest = columns.reduce(extent.count) { min($0, $1.count) }
      var first = frames.lastIndex { $0.minX == extent.lowerBound } ?? 0
      var isInColumns = !frames.isEmpty && items[first..<frames.count].allSatisfy { $0.width == nil }
      var bottom = frames[first...].reduce(0) { max($0, $1.maxY) }
      for item in items[frames.count...] {
        let ownWidth = item.width.map { min($0, extent.count) }
        let column = isInColumns && frames.count - first < columns.count ? columns[frames.count - first] : nil
        let width = ownWidth ?? column?.count ?? narrowest
        let next = (frames.last?.maxX ?? extent.upperBound) + space.columnSpacing
        if width > 0, next + width <= extent.upperBound, !isInColumns || column != nil {
          frames.append(Rect(x: next, y: frames[first].minY, width: width, height: item.height))
          isInColumns = isInColumns && item.width == nil
        } else {
          let top = frames.isEmpty ? 0 : bottom + space.lineSpacing
          first = frames.count
          frames.append(Rect(x: extent.lowerBound, y: top, width: ownWidth ?? columns[0].count, height: item.height))
          isInColumns = item.width == nil
        }
        bottom = max(bottom, frames[frames.count - 1].maxY)
      }
    }
  }
}
