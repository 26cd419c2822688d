/// Items that may span columns, each with its top: 14 bytes an item.
struct PlacedBody: SectionBody {
  let columns: ColumnGeometry
  private let rules: PackingRules
  private var words: ContiguousArray<ItemWord> = []
  /// The number of columns that the host requested for the item; `full` for all.
  private var requestedSpans: ContiguousArray<UInt16> = []
  private var tops: ContiguousArray<Int> = []
  private var packer: SpanPacker
  private var usedColumns = ColumnSet()
  private var usedCount = 0
  private var extents = ExtentTree()

  private static let full = UInt16.max

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.columns = columns
    self.rules = rules
    packer = SpanPacker(columnCount: columns.count, rules: rules)
  }

  /// Adopts the items of a body without moving them. O(items).
  init(adopting body: LaneBody, rules: PackingRules) {
    self.init(columns: body.columns, rules: rules)
    words = body.words
    requestedSpans = ContiguousArray(repeating: 1, count: body.itemCount)
    var ends = ContiguousArray(repeating: 0, count: columns.count)
    for word in words {
      tops.append(ends[word.column])
      ends[word.column] += word.height + rules.lineSpacing
    }
    for item in 0..<itemCount { packer.addPlaced(columns(of: item), bottom: bottom(of: item)) }
    measure(from: 0)
  }

  var itemCount: Int { words.count }
  var height: Int { packer.height }

  var storedByteCount: Int {
    words.capacity * MemoryLayout<ItemWord>.stride + requestedSpans.capacity * MemoryLayout<UInt16>.stride
      + tops.capacity * MemoryLayout<Int>.stride + extents.storedByteCount
  }

  private func columns(of item: Int) -> Range<Int> {
    let column = words[item].column
    return column..<column + span(of: item)
  }

  private func span(of item: Int) -> Int { min(Int(requestedSpans[item]), columns.count) }

  private func bottom(of item: Int) -> Int { tops[item] + words[item].height }

  func size(of item: Int) -> ItemSize {
    let span = requestedSpans[item]
    return ItemSize(
      height: words[item].height, span: span == PlacedBody.full ? .full : .columns(Int(span)),
      isEstimate: words[item].isEstimate)
  }

  func frame(of item: Int) -> Rect {
    let columns = columns(of: item)
    return Rect(
      x: self.columns.x(of: columns.lowerBound), y: tops[item],
      width: self.columns.width(of: columns.lowerBound, spanning: columns.count), height: words[item].height)
  }

  /// O(log items + found) if items lie roughly in their order.
  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    let rows = area.rows
    extents.visitBlocks(from: rows.lowerBound, to: rows.upperBound) { block in
      for item in ExtentTree.items(ofBlock: block, count: itemCount) {
        guard tops[item] < rows.upperBound, bottom(of: item) > rows.lowerBound else { continue }
        let frame = frame(of: item)
        guard frame.offsetBy(x: 0, y: area.top).intersects(area.rect) else { continue }
        found.append(area.attributes(of: item, frame))
      }
    }
  }
}

// MARK: - Appending

extension PlacedBody {
  mutating func append(_ heights: [Int]) -> Int { append(heights.map { ItemSize(height: $0) }) }

  /// About 10 ns an item in order, up to 1 µs with reordering.
  private mutating func append(_ items: [ItemSize]) -> Int {
    let first = itemCount
    words.reserveGrowth(items.count)
    requestedSpans.reserveGrowth(items.count)
    tops.reserveGrowth(items.count)
    if packer.reach == 0 {
      PlacedBody.place(
        items, columnCount: columns.count, words: &words, requestedSpans: &requestedSpans, tops: &tops, packer: &packer)
    } else {
      for item in items { appendUnplaced(item) }
      let places = packer.placeAll((first..<itemCount).map { (words[$0].height, span(of: $0)) })
      for (number, place) in places.enumerated() { setPlace(of: first + number, place) }
    }
    measure(from: first)
    return top(ofItemsFrom: first)
  }

  private static func place(
    _ items: [ItemSize], columnCount: Int, words: inout ContiguousArray<ItemWord>,
    requestedSpans: inout ContiguousArray<UInt16>, tops: inout ContiguousArray<Int>, packer: inout SpanPacker
  ) {
    words.append(addingCapacity: items.count) { words in
      requestedSpans.append(addingCapacity: items.count) { spans in
        tops.append(addingCapacity: items.count) { tops in
          for item in items {
            let requested = requestedSpan(item.span)
            let place = packer.place(height: item.height, span: min(Int(requested), columnCount))
            words.append(ItemWord(height: item.height, column: place.column, isEstimate: item.isEstimate))
            spans.append(requested)
            tops.append(place.top)
          }
        }
      }
    }
  }

  private mutating func appendUnplaced(_ item: ItemSize) {
    words.append(ItemWord(height: item.height, column: 0, isEstimate: item.isEstimate))
    requestedSpans.append(PlacedBody.requestedSpan(item.span))
    tops.append(0)
  }

  private static func requestedSpan(_ span: ItemSize.Span) -> UInt16 {
    switch span {
    case .full: full
    case .columns(let count): UInt16(min(count, LayoutLimits.columnCount))
    }
  }

  private mutating func setPlace(of item: Int, _ place: SpanPacker.Place) {
    words[item] = ItemWord(height: words[item].height, column: place.column, isEstimate: words[item].isEstimate)
    tops[item] = place.top
  }

  /// Updates the used columns and the extents for the items from `first` on.
  private mutating func measure(from first: Int) {
    markUsedColumns(from: first)
    for block in ExtentTree.blocks(from: first, count: itemCount) {
      extents.set(extent(ofBlock: block), ofBlock: block)
    }
  }

  private func extent(ofBlock block: Int) -> ExtentTree.Extent {
    let words = words.span
    let tops = tops.span
    var extent = ExtentTree.Extent()
    for item in ExtentTree.items(ofBlock: block, count: itemCount) {
      extent.widen(by: ExtentTree.Extent(top: tops[item], bottom: tops[item] + words[item].height))
    }
    return extent
  }

  private mutating func markUsedColumns(from first: Int) {
    var item = first
    while usedCount < columns.count, item < itemCount {
      for column in columns(of: item) where !usedColumns[column] {
        usedColumns.insert(column)
        usedCount += 1
      }
      item += 1
    }
  }
}

// MARK: - Editing

extension PlacedBody {
  /// New items go where the order chooses below those before them, and push down the items there.
  /// O(items + items below × log items).
  mutating func insert(_ items: [ItemSize], at index: Int) -> Int {
    guard index < itemCount else { return append(items) }
    let oldRow = top(ofItemsFrom: index)
    var packer = packer(before: index)
    var inserted = PlacedBody(columns: columns, rules: rules)
    for item in items { inserted.appendUnplaced(item) }
    for item in 0..<items.count {
      let place = packer.place(height: items[item].height, span: inserted.span(of: item))
      inserted.setPlace(of: item, place)
    }
    words.insert(contentsOf: inserted.words, at: index)
    requestedSpans.insert(contentsOf: inserted.requestedSpans, at: index)
    tops.insert(contentsOf: inserted.tops, at: index)
    let row = min(oldRow, tops[index..<index + items.count].min() ?? oldRow)
    return settle(from: row, settlingOrder(from: row, newItems: index..<index + items.count))
  }

  /// The items below in the same columns move up. O(items + items below × log items).
  mutating func remove(_ range: Range<Int>) -> Int {
    guard let row = tops[range].min() else { return height }
    words.removeSubrange(range)
    requestedSpans.removeSubrange(range)
    tops.removeSubrange(range)
    return settle(from: row, settlingOrder(from: row))
  }

  /// O(items + items below × log items); O(number of heights) if none differs.
  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int {
    let changed = heights.indices.filter { heights[$0] != words[index + $0].height }
    let row = changed.map { tops[index + $0] }.min()
    let order = row.map { settlingOrder(from: $0) } ?? []
    for (number, height) in heights.enumerated() {
      words[index + number].setHeight(height, isEstimate: areEstimates)
    }
    return row.map { settle(from: $0, order) } ?? height
  }

  /// Up to 1 µs an item from `index` on.
  mutating func repack(from index: Int) -> Int {
    let oldTop = top(ofItemsFrom: index)
    let items = (index..<itemCount).map(size)
    packer = packer(before: index)
    words.removeSubrange(index...)
    requestedSpans.removeSubrange(index...)
    tops.removeSubrange(index...)
    remeasure()
    return min(oldTop, append(items))
  }

  private func top(ofItemsFrom index: Int) -> Int { tops[index...].min() ?? height }

  private func packer(before index: Int) -> SpanPacker {
    var packer = SpanPacker(columnCount: columns.count, rules: rules)
    for item in 0..<index { packer.addPlaced(columns(of: item), bottom: bottom(of: item)) }
    return packer
  }

  /// Moves the items from a row on up in their columns, in this order. Returns the row above which nothing has moved.
  private mutating func settle(from row: Int, _ order: [Int]) -> Int {
    packer = SpanPacker(columnCount: columns.count, rules: rules)
    for item in 0..<itemCount where tops[item] < row { packer.addPlaced(columns(of: item), bottom: bottom(of: item)) }
    var changedRow = row
    for item in order {
      tops[item] = packer.drop(columns(of: item), height: words[item].height)
      changedRow = min(changedRow, tops[item])
    }
    remeasure()
    return changedRow
  }

  private mutating func remeasure() {
    usedColumns = ColumnSet()
    usedCount = 0
    extents = ExtentTree()
    measure(from: 0)
    if itemCount > 0 { packer.addPlaced(columns(of: itemCount - 1), bottom: 0) }
  }
}

// MARK: - Navigation

extension PlacedBody {
  func item(above item: Int, goal: inout NavigationGoal?) -> Int? {
    let place = key(item)
    return firstFound(besideGoalOf: item, &goal) { column in
      search(column, from: tops[item], by: -1) { a, b in
        key(a) > key(b)
      } where: {
        key($0) < place
      }
    }
  }

  func item(below item: Int, goal: inout NavigationGoal?) -> Int? {
    let place = key(item)
    return firstFound(besideGoalOf: item, &goal) { column in
      search(column, from: tops[item], by: 1) { a, b in
        key(a) < key(b)
      } where: {
        key($0) > place
      }
    }
  }

  /// Searches the item's columns from the nearest to the goal's column on. The goal stays, so that the opposite moves
  /// pass the same items.
  private func firstFound(
    besideGoalOf item: Int, _ goal: inout NavigationGoal?, _ search: (Int) -> Int?
  ) -> Int? {
    let own = columns(of: item)
    let wanted = goal?.column ?? own.lowerBound
    goal = NavigationGoal(column: wanted)
    let nearest = column(nearestTo: wanted, in: own)
    for distance in 0..<own.count {
      for column in Set([nearest - distance, nearest + distance]).sorted() where own.contains(column) {
        if let found = search(column) { return found }
      }
    }
    return nil
  }

  private func column(nearestTo column: Int, in columns: Range<Int>) -> Int {
    min(max(column, columns.lowerBound), columns.upperBound - 1)
  }

  /// The order of a column's items from top to bottom.
  private func key(_ item: Int) -> (Int, Int, Int) { (tops[item], bottom(of: item), item) }

  /// The best of a column's items in a direction from a row; the searched rows grow until one is found.
  private func search(
    _ column: Int, from row: Int, by step: Int, isBetter: (Int, Int) -> Bool, where isWanted: (Int) -> Bool
  ) -> Int? {
    var reach = 64
    while true {
      let rows = step > 0 ? row...row + reach : row - reach...row
      // An item that begins in the rows is nearer than any that begins outside of them.
      if let found = best(of: column, in: rows, isBetter, where: { rows.contains(tops[$0]) && isWanted($0) }) {
        return found
      }
      guard step > 0 ? row + reach < height : row - reach > 0 else { return nil }
      reach *= 4
    }
  }

  private func best(
    of column: Int, in rows: ClosedRange<Int>, _ isBetter: (Int, Int) -> Bool, where isWanted: (Int) -> Bool
  ) -> Int? {
    var best: Int?
    extents.visitBlocks(from: rows.lowerBound, to: rows.upperBound) { block in
      for item in ExtentTree.items(ofBlock: block, count: itemCount)
      where columns(of: item).contains(column) && isWanted(item) {
        if best.map({ isBetter(item, $0) }) ?? true { best = item }
      }
    }
    return best
  }
}

extension PlacedBody {
  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    let row = goal.row(for: frame(of: item), top: top) - top
    let own = columns(of: item)
    var column = self.column(nearestTo: goal.column ?? own.lowerBound, in: own)
    while true {
      column += step
      guard columnIndices.contains(column) else { return nil }
      guard usedColumns[column], let found = self.item(inColumn: column, nearestTo: row, origin: goal.origin?.item)
      else { continue }
      if found != item { return (found, column) }
    }
  }

  private var columnIndices: Range<Int> { 0..<columns.count }

  /// Prefers the item where the moves began, even if it has no height.
  private func item(inColumn column: Int, nearestTo row: Int, origin: Int?) -> Int? {
    if let origin, words.indices.contains(origin), columns(of: origin).contains(column),
      (tops[origin]...bottom(of: origin)).contains(row)
    {
      return origin
    }
    return item(inColumn: column, nearestTo: row)
  }

  func lane(of item: Int, column: Int?) -> Range<Int> {
    let column = self.column(nearestTo: column ?? columns(of: item).lowerBound, in: columnIndices)
    return columns.x(of: column)..<columns.x(of: column) + columns.width(of: column)
  }

  func column(nearestTo lane: Range<Int>) -> Int? {
    columns.column(nearestTo: lane.lowerBound, lane.upperBound) { usedColumns[$0] }
  }

  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    let column = columns.column(nearestTo: minX, maxX) { usedColumns[$0] } ?? 0
    return item(inColumn: column, nearestTo: row) ?? 0
  }

  /// The column's item nearest to a row, the upper of two equally near; nil if it has none. O(log items) where items lie
  /// about in their order.
  private func item(inColumn column: Int, nearestTo row: Int) -> Int? {
    let row = min(max(row, 0), height)
    var reach = 32
    while true {
      let rows = row - reach...row + reach
      let found = best(of: column, in: rows) { a, b in
        (distance(of: a, row), tops[a], a) < (distance(of: b, row), tops[b], b)
      } where: {
        distance(of: $0, row) <= reach
      }
      if found != nil || reach > height { return found }
      reach *= 4
    }
  }

  /// 0 for an item that covers the row.
  private func distance(of item: Int, _ row: Int) -> Int { max(0, tops[item] - row, row - bottom(of: item) + 1) }
}

// MARK: - Settling

extension PlacedBody {
  /// The items from a row on, and new ones, in an order that preserves each column's order when they are dropped onto
  /// each other. New items have no place in their columns yet: they come after all items before them by number.
  /// O(items + those from the row on × log items), without the logarithm where items lie in their order.
  private func settlingOrder(from row: Int, newItems: Range<Int> = 0..<0) -> [Int] {
    let items = (0..<itemCount).filter { tops[$0] >= row || newItems.contains($0) }
    guard mayLieOutOfOrder else { return items }
    let fromTop = sortedFromTop(items.filter { !newItems.contains($0) })
    return newItems.isEmpty ? fromTop : byNumber(items, fromTop)
  }

  private var mayLieOutOfOrder: Bool {
    switch rules.spanPacking {
    case .inOrder: false
    case .reordering: !rules.order.isStrict
    case .dense: true
    }
  }

  private func sortedFromTop(_ items: [Int]) -> [Int] {
    // Items without height lie above those that begin in the same row.
    let keys = items.map { (tops[$0] << 1 | (words[$0].height > 0 ? 1 : 0), $0) }
    return keys.sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }.map(\.1)
  }

  /// By number, except that an item comes after all that lie above it in its columns.
  private func byNumber(_ items: [Int], _ fromTop: [Int]) -> [Int] {
    let above = itemsAbove(fromTop)
    var order: [Int] = []
    var isPlaced = [Bool](repeating: false, count: itemCount)
    var waiting: [Int] = []
    for item in items where !isPlaced[item] {
      waiting.append(item)
      while let next = waiting.last {
        if let missing = above[next].first(where: { !isPlaced[$0] }) {
          waiting.append(missing)
        } else {
          waiting.removeLast()
          isPlaced[next] = true
          order.append(next)
        }
      }
    }
    return order
  }

  /// For each item the items directly above it in its columns.
  private func itemsAbove(_ fromTop: [Int]) -> [[Int]] {
    var above = [[Int]](repeating: [], count: itemCount)
    var last = [Int?](repeating: nil, count: columns.count)
    for item in fromTop {
      for column in columns(of: item) {
        if let upper = last[column] { above[item].append(upper) }
        last[column] = item
      }
    }
    return above
  }
}
