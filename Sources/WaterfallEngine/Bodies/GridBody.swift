/// Items in rows, aligned at the top; a row is as high as its highest item. About 6 bytes an item; 14 in a section in
/// which items have widths of their own.
struct GridBody: SectionBody {
  let columns: ColumnGeometry
  private var words: ContiguousArray<ItemWord> = []
  /// The rows, one below the other.
  private var rows: LaneBody
  /// The rows of items of any width; nil when all rows consist of columns.
  private var flow: GridFlow?

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.columns = columns
    rows = LaneBody(columns: columns.whole, rules: rules)
  }

  static func == (left: GridBody, right: GridBody) -> Bool {
    left.columns == right.columns && left.rows == right.rows && left.words == right.words && left.flow == right.flow
  }

  var itemCount: Int { words.count }
  var height: Int { rows.height }

  var storedByteCount: Int {
    words.capacity * MemoryLayout<ItemWord>.stride + rows.storedByteCount + (flow?.storedByteCount ?? 0)
  }

  /// O(1), and O(log rows) when items have widths of their own.
  private func row(of item: Int) -> Int { flow?.row(of: item) ?? item / columns.count }

  private func firstItem(ofRow row: Int) -> Int {
    guard let flow else { return row * columns.count }
    return row < flow.rowCount ? flow.firstItem(ofRow: row) : itemCount
  }

  /// O(1).
  private func items(ofRow row: Int) -> Range<Int> { firstItem(ofRow: row)..<min(firstItem(ofRow: row + 1), itemCount) }

  func size(of item: Int) -> ItemSize {
    ItemSize(
      height: words[item].height, width: flow?.requestedWidth(of: item), isEstimate: words[item].isEstimate)
  }

  private func horizontalExtent(of item: Int) -> Range<Int> {
    if let flow { return flow.extent(of: item) }
    let column = item % columns.count
    return columns.x(of: column)..<columns.x(of: column) + columns.width(of: column)
  }

  func frame(of item: Int) -> Rect {
    let extent = horizontalExtent(of: item)
    return Rect(
      x: extent.lowerBound, y: rows.frame(of: row(of: item)).minY, width: extent.count, height: words[item].height)
  }

  /// O(log rows + items of the rows found).
  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    var rowsFound: [LayoutAttributes] = []
    let whole = SearchArea(
      rect: Rect(x: 0, y: area.rect.minY - area.top, width: LayoutLimits.length, height: area.rect.height),
      section: 0, top: 0)
    rows.collect(in: whole, into: &rowsFound)
    for row in rowsFound {
      for item in items(ofRow: row.path.item) {
        let extent = horizontalExtent(of: item)
        let frame = Rect(x: extent.lowerBound, y: row.frame.minY, width: extent.count, height: words[item].height)
        guard frame.offsetBy(x: 0, y: area.top).intersects(area.rect) else { continue }
        found.append(area.attributes(of: item, frame))
      }
    }
  }
}

// MARK: - Changes

extension GridBody {
  /// O(number of heights).
  mutating func append(_ heights: [Int]) -> Int {
    let top = top(ofRowAbove: itemCount)
    words.reserveGrowth(heights.count)
    for height in heights { words.append(ItemWord(height: height, column: 0)) }
    flow?.append(heights.map { _ in nil })
    measureRows(from: max(0, rows.itemCount - 1))
    return top
  }

  private mutating func append(_ items: [ItemSize]) {
    if flow == nil, items.contains(where: { $0.width != nil }) {
      flow = GridFlow(columns: columns, itemCount: itemCount)
      rows.truncate(to: 0)
    }
    for item in items {
      words.append(ItemWord(height: item.height, column: 0))
      words[itemCount - 1].isEstimate = item.isEstimate
    }
    flow?.append(items.map(\.width))
    measureRows(from: max(0, rows.itemCount - 1))
  }

  /// Recomputes the rows' heights. O(items from there on).
  private mutating func measureRows(from row: Int) {
    rows.truncate(to: min(row, rows.itemCount))
    var heights: [Int] = []
    var next = row
    while firstItem(ofRow: next) < itemCount {
      heights.append(height(ofRow: next))
      next += 1
    }
    _ = rows.append(heights)
  }

  private func height(ofRow row: Int) -> Int { words[items(ofRow: row)].reduce(0) { max($0, $1.height) } }

  /// The items behind move on. O(items behind).
  mutating func insert(_ items: [ItemSize], at index: Int) -> Int {
    replace(from: index, with: items + sizes(from: index))
  }

  /// The items behind move up. O(items behind).
  mutating func remove(_ range: Range<Int>) -> Int {
    replace(from: range.lowerBound, with: sizes(from: range.upperBound))
  }

  private func sizes(from index: Int) -> [ItemSize] { (index..<itemCount).map(size) }

  private mutating func replace(from index: Int, with items: [ItemSize]) -> Int {
    let top = top(ofRowAbove: index)
    // An item may move to the row above its old one.
    let row = index < itemCount ? max(0, self.row(of: index) - 1) : max(0, rows.itemCount - 1)
    rows.truncate(to: row)
    let first = min(firstItem(ofRow: row), index)
    let kept = (first..<index).map(size)
    words.removeSubrange(first...)
    flow?.truncate(toRow: row)
    append(kept + items)
    guard flow?.ownWidthCount == 0 else { return top }
    flow = nil
    measureRows(from: 0)
    return top
  }

  /// O(changed × items of a row + changed × rows behind ÷ 32).
  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int {
    for (number, height) in heights.enumerated() {
      words[index + number].setHeight(height, isEstimate: areEstimates)
    }
    guard !heights.isEmpty else { return height }
    let changed = row(of: index)...row(of: index + heights.count - 1)
    // A row may keep its height.
    let top = rows.frame(of: changed.lowerBound).minY
    return min(top, rows.setHeights(changed.map(height(ofRow:)), from: changed.lowerBound, areEstimates: false))
  }

  /// The top of the row above an item's, to which the item may move.
  private func top(ofRowAbove index: Int) -> Int {
    guard itemCount > 0 else { return 0 }
    return rows.frame(of: max(0, row(of: min(index, itemCount - 1)) - 1)).minY
  }

  /// Rows are always packed. O(1).
  mutating func repack(from index: Int) -> Int { height }
}

// MARK: - Navigation

extension GridBody {
  func item(above item: Int, goal: inout NavigationGoal?) -> Int? {
    guard flow == nil else { return self.item(ofRow: row(of: item) - 1, from: item, goal: &goal) }
    goal = nil
    return item >= columns.count ? item - columns.count : nil
  }

  func item(below item: Int, goal: inout NavigationGoal?) -> Int? {
    guard flow == nil else { return self.item(ofRow: row(of: item) + 1, from: item, goal: &goal) }
    goal = nil
    return item < itemCount - columns.count ? item + columns.count : nil
  }

  /// The item of another row that is nearest to the item where the moves up and down began.
  private func item(ofRow row: Int, from item: Int, goal: inout NavigationGoal?) -> Int? {
    let lane = goal?.lane ?? horizontalExtent(of: item)
    goal = NavigationGoal(lane: lane)
    return (0..<rows.itemCount).contains(row) ? self.item(ofRow: row, nearestTo: lane) : nil
  }

  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    guard flow == nil else {
      return items(ofRow: row(of: item)).contains(item + step) ? (item + step, 0) : nil
    }
    let column = item % columns.count + step
    guard (0..<min(columns.count, itemCount)).contains(column) else { return nil }
    if let origin = goal.origin?.item, words.indices.contains(origin), origin % columns.count == column,
      rows.lanes.words[origin / columns.count].height == 0
    {
      return (origin, column)
    }
    let row = goal.row(for: frame(of: item), top: top) - top
    return (self.item(inColumn: column, row: rows.item(inColumn: 0, nearestTo: row)), column)
  }

  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    let row = rows.item(inColumn: 0, nearestTo: row)
    guard flow == nil else { return item(ofRow: row, nearestTo: minX..<maxX) }
    let column = columns.column(nearestTo: minX, maxX) { $0 < itemCount } ?? 0
    return item(inColumn: column, row: row)
  }

  /// The column's item in the row, or in the row above if the last row is too short.
  private func item(inColumn column: Int, row: Int) -> Int {
    let item = row * columns.count + column
    return item < itemCount ? item : item - columns.count
  }

  private func item(ofRow row: Int, nearestTo extent: Range<Int>) -> Int {
    let center = extent.lowerBound + extent.upperBound
    let items = items(ofRow: row)
    var nearest = items.lowerBound
    func distance(_ item: Int) -> Int {
      abs(horizontalExtent(of: item).lowerBound + horizontalExtent(of: item).upperBound - center)
    }
    for item in items where distance(item) < distance(nearest) { nearest = item }
    return nearest
  }
}

/// Rows of items of any width, each with as many as fit from the left.
private struct GridFlow: Equatable, Sendable {
  private let columns: ColumnGeometry
  private let end: Int
  private var firstItems: ContiguousArray<UInt32> = []
  private var starts: ContiguousArray<Int32> = []
  /// The widths that the host requested; the negative width of an item that has none of its own.
  private var widths: ContiguousArray<Int32> = []
  /// The number of items that have widths of their own.
  private(set) var ownWidthCount = 0
  /// Whether the last row consists of items in columns.
  private var fillsColumns = false

  /// Rows of items without widths of their own. O(itemCount).
  init(columns: ColumnGeometry, itemCount: Int) {
    self.columns = columns
    end = columns.whole.x(of: 0) + columns.whole.width(of: 0)
    append([Int?](repeating: nil, count: itemCount))
  }

  var rowCount: Int { firstItems.count }

  var storedByteCount: Int {
    (firstItems.capacity + starts.capacity + widths.capacity) * MemoryLayout<Int32>.stride
  }

  func firstItem(ofRow row: Int) -> Int { Int(firstItems[row]) }

  func requestedWidth(of item: Int) -> Int? { widths[item] > 0 ? Int(widths[item]) : nil }

  func extent(of item: Int) -> Range<Int> {
    let start = Int(starts[item])
    return start..<start + (requestedWidth(of: item).map(fitted) ?? -Int(widths[item]))
  }

  /// No item is wider than a row.
  private func fitted(_ width: Int) -> Int { min(width, end - columns.x(of: 0)) }

  /// O(log rows).
  func row(of item: Int) -> Int {
    var low = 0
    var high = rowCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if firstItems[middle] <= item { low = middle } else { high = middle }
    }
    return low
  }

  /// nil stands for the width of a column: in a row that begins with such items they lie in the columns, as they would
  /// without items of other widths. O(number of widths).
  mutating func append(_ widths: [Int?]) {
    for requested in widths {
      let next = starts.isEmpty ? end : extent(of: starts.count - 1).upperBound + columns.spacing
      let isInColumns = fillsColumns
      let column = isInColumns ? starts.count - firstItem(ofRow: rowCount - 1) : 0
      let width =
        requested.map(fitted) ?? (isInColumns && column < columns.count ? columns.width(of: column) : columns.width)
      let fits = width > 0 && next + width <= end && (!isInColumns || column < columns.count)
      if !fits { firstItems.append(UInt32(starts.count)) }
      starts.append(Int32(fits ? next : columns.x(of: 0)))
      self.widths.append(Int32(requested ?? -(fits ? width : columns.width(of: 0))))
      fillsColumns = requested == nil && (isInColumns || !fits)
      if requested != nil { ownWidthCount += 1 }
    }
  }

  /// Removes all but the first rows. O(removed items).
  mutating func truncate(toRow row: Int) {
    guard row < rowCount else { return }
    let count = firstItem(ofRow: row)
    ownWidthCount -= widths[count...].count { $0 > 0 }
    starts.removeSubrange(count...)
    widths.removeSubrange(count...)
    firstItems.removeSubrange(row...)
    fillsColumns = false
    if let first = firstItems.last { fillsColumns = widths[Int(first)...].allSatisfy { $0 <= 0 } }
  }
}
