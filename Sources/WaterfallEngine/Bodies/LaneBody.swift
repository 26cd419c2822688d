/// Items that lie in one column each, without holes: 4 bytes an item for its height and column, and for each block of
/// items the position at which every column's next item starts. An item's frame follows from the starts of its block and
/// the items before it in the block.
struct LaneBody: SectionBody {
  let columns: ColumnGeometry
  let lineSpacing: Int
  private let order: ItemOrder
  private(set) var height = 0

  private(set) var words: ContiguousArray<ItemWord> = []
  /// The start of each column's next item, for every block, column by column.
  private(set) var starts: ContiguousArray<Int> = []
  /// The start of each column's next item after all items.
  private(set) var ends: ContiguousArray<Int>
  private(set) var usedColumns = ColumnSet()
  private var unusedCount: Int
  /// The items that occupy no row, not even a gap.
  private(set) var flatItems = FlatItems()
  /// A block holds two to this power items: about eight for each column.
  let blockBits: Int

  /// The column of the last item when there are no items: that of the body that this one continues.
  private var inheritedColumn: Int?

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.init(columns: columns, lineSpacing: rules.lineSpacing, order: rules.order)
  }

  private init(columns: ColumnGeometry, lineSpacing: Int, order: ItemOrder) {
    self.columns = columns
    self.lineSpacing = lineSpacing
    self.order = order
    ends = ContiguousArray(repeating: 0, count: columns.count)
    unusedCount = columns.count
    blockBits = max(5, Int.bitWidth - (8 * columns.count - 1).leadingZeroBitCount)
  }

  /// An empty body that continues another one before an item.
  private init(continuing other: LaneBody, before item: Int) {
    self.init(columns: other.columns, lineSpacing: other.lineSpacing, order: other.order)
    ends = other.ends(before: item)
    inheritedColumn = item > 0 ? other.words[item - 1].column : nil
  }

  var itemCount: Int { words.count }
  private var lastColumn: Int? { words.last?.column ?? inheritedColumn }
  var blockSize: Int { 1 << blockBits }
  var blockCount: Int { starts.count / columns.count }

  var storedByteCount: Int {
    words.capacity * MemoryLayout<ItemWord>.stride
      + (starts.capacity + ends.capacity) * MemoryLayout<Int>.stride
  }

  func size(of item: Int) -> ItemSize {
    ItemSize(height: words[item].height, isEstimate: words[item].isEstimate)
  }

  /// The start of the column's next item at the beginning of a block; after the last block, at the end. O(1).
  @inline(__always)
  func start(ofBlock block: Int, column: Int) -> Int {
    let place = block * columns.count + column
    return place < starts.count ? starts[place] : ends[column]
  }
}

// MARK: - Appending

extension LaneBody {
  /// O(number of heights × log columns + columns).
  mutating func append(_ heights: [Int]) -> Int {
    let row = ends.min() ?? 0
    words.reserveGrowth(heights.count)
    starts.reserveGrowth(((itemCount + heights.count) >> blockBits + 1 - blockCount) * columns.count)
    let first = itemCount
    switch (order, columns.count) {
    case (.shortest, 1): dealToOne(heights.span)
    case (.shortest, ...4): deal(heights.span, SortedKeys<4>(key))
    case (.shortest, ...8): deal(heights.span, SortedKeys<8>(key))
    case (.shortest, _): deal(heights.span, Tournament(count: columns.count, key))
    case (.leftToRight, _): dealStrictly(heights.span, step: 1)
    case (.rightToLeft, _): dealStrictly(heights.span, step: -1)
    case (.tolerance(let tolerance), ...4): deal(heights.span, TolerantColumns<4>(ends, tolerance, after: lastColumn))
    case (.tolerance(let tolerance), ...8): deal(heights.span, TolerantColumns<8>(ends, tolerance, after: lastColumn))
    case (.tolerance(let tolerance), _): deal(heights.span, tolerance: tolerance)
    }
    updateSummary(from: first)
    return row
  }

  private func key(_ column: Int) -> Int {
    column < columns.count ? ends[column] << Tournament.numberBits | column : .max
  }

  /// Calls `body` with portions that end where blocks end, after the block's starts were stored.
  @inline(__always)
  private mutating func forEachBlock(
    of heights: Span<Int>, _ body: (inout LaneBody, Span<Int>) -> Void
  ) {
    var first = 0
    while first < heights.count {
      let used = itemCount & (blockSize - 1)
      if used == 0 { starts.append(contentsOf: ends) }
      let last = min(first + blockSize - used, heights.count)
      body(&self, heights.extracting(first..<last))
      first = last
    }
  }

  @inline(__always)
  private mutating func deal(_ heights: Span<Int>, _ keys: some SmallestKey) {
    var keys = keys
    let spacing = lineSpacing << Tournament.numberBits
    forEachBlock(of: heights) { body, heights in
      body.words.append(addingCapacity: heights.count) { words in
        var next = keys
        for number in heights.indices {
          let end = next.smallest
          let height = heights[number] << Tournament.numberBits
          words.append(ItemWord(bits: UInt32(truncatingIfNeeded: height | end & Tournament.numberMask)))
          next.replaceSmallest(with: end &+ height &+ spacing)
        }
        keys = next
      }
      keys.visitKeys { body.ends[$0 & Tournament.numberMask] = $0 >> Tournament.numberBits }
    }
  }

  private mutating func dealToOne(_ heights: Span<Int>) {
    let spacing = lineSpacing
    forEachBlock(of: heights) { body, heights in
      var end = body.ends[0]
      body.words.append(addingCapacity: heights.count) { words in
        for number in heights.indices {
          words.append(ItemWord(height: heights[number], column: 0))
          end &+= heights[number] &+ spacing
        }
      }
      body.ends[0] = end
    }
  }

  private mutating func dealStrictly(_ heights: Span<Int>, step: Int) {
    let count = columns.count
    var column = lastColumn.map { ($0 + step + count) % count } ?? (step > 0 ? 0 : count - 1)
    forEachBlock(of: heights) { body, heights in
      for number in heights.indices {
        body.words.append(ItemWord(height: heights[number], column: column))
        body.ends[column] += heights[number] + body.lineSpacing
        column += step
        if column == count { column = 0 } else if column < 0 { column = count - 1 }
      }
    }
  }

  private mutating func deal<let count: Int>(_ heights: Span<Int>, _ columns: TolerantColumns<count>) {
    var columns = columns
    let spacing = lineSpacing
    forEachBlock(of: heights) { body, heights in
      body.words.append(addingCapacity: heights.count) { words in
        var next = columns
        for number in heights.indices {
          let column = next.columnForItem(ofLength: heights[number] &+ spacing)
          words.append(ItemWord(height: heights[number], column: column))
        }
        columns = next
      }
      for column in body.ends.indices { body.ends[column] = columns.ends[column] }
    }
  }

  private mutating func deal(_ heights: Span<Int>, tolerance: Int) {
    var cursor = lastColumn.map { $0 + 1 } ?? 0
    forEachBlock(of: heights) { body, heights in
      for number in heights.indices {
        let column = toleratedColumn(body.ends.span, from: cursor, tolerance: tolerance)
        body.words.append(ItemWord(height: heights[number], column: column))
        body.ends[column] += heights[number] + body.lineSpacing
        cursor = column + 1
      }
    }
  }
}

// MARK: - Editing

extension LaneBody {
  /// Each new item goes under the column that the order chooses at its place. Only the items below it in that column
  /// move down. In a strict order all following items are distributed again. O(items behind + number added).
  mutating func insert(_ items: [ItemSize], at index: Int) -> Int {
    guard index < itemCount else { return appendSizes(items) }
    var inserted = LaneBody(continuing: self, before: index)
    let row = inserted.appendSizes(items)
    words.insert(contentsOf: inserted.words, at: index)
    restack(from: index)
    return order.isStrict ? repack(from: index) : row
  }

  private mutating func appendSizes(_ items: [ItemSize]) -> Int {
    let first = itemCount
    let row = append(items.map(\.height))
    guard items.contains(where: \.isEstimate) else { return row }
    for (number, item) in items.enumerated() { words[first + number].isEstimate = item.isEstimate }
    return row
  }

  /// The items below in the same columns move up. In a strict order all following items are distributed again. O(items
  /// behind).
  mutating func remove(_ range: Range<Int>) -> Int {
    let row = row(before: range.lowerBound)
    words.removeSubrange(range)
    restack(from: range.lowerBound)
    return order.isStrict ? repack(from: range.lowerBound) : row
  }

  /// O(changed × blocks behind) for a few, O(items behind) for many.
  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int {
    let row = row(before: index)
    let isFew = heights.count <= 8
    for (number, height) in heights.enumerated() {
      let distance = height - words[index + number].height
      words[index + number].setHeight(height, isEstimate: areEstimates)
      guard isFew, distance != 0 else { continue }
      moveItems(below: index + number, by: distance)
      if lineSpacing == 0 { flatItems.setContains(index + number, height == 0, column: words[index + number].column) }
    }
    if !isFew { restack(from: index) }
    return row
  }

  /// A row above which the items before a number end. O(columns + items of a block).
  private func row(before item: Int) -> Int { ends(before: item).min() ?? 0 }

  /// O(items from `index` on × log columns).
  mutating func repack(from index: Int) -> Int {
    let items = words[index...]
    truncate(to: index)
    let row = append(items.map(\.height))
    for (number, item) in items.enumerated() where item.isEstimate { words[index + number].isEstimate = true }
    return row
  }

  /// The start of each column's next item just before an item. O(columns + items of a block).
  private func ends(before item: Int) -> ContiguousArray<Int> {
    guard item < itemCount else { return ends }
    let block = item >> blockBits
    var ends = ContiguousArray(starts[block * columns.count..<(block + 1) * columns.count])
    for word in words[block << blockBits..<item] { ends[word.column] += word.height + lineSpacing }
    return ends
  }

  /// Removes all but the first `count` items. O(columns + items of a block).
  mutating func truncate(to count: Int) {
    ends = ends(before: count)
    words.removeSubrange(count...)
    starts.removeSubrange((count + blockSize - 1) >> blockBits * columns.count..<starts.count)
    resummarize(from: count)
  }

  /// Recomputes the starts from the block of an item on. O(items from there on).
  private mutating func restack(from item: Int) {
    let block = min(item >> blockBits, blockCount - 1)
    if block < 0 {
      ends = ContiguousArray(repeating: 0, count: columns.count)
    } else {
      ends = ContiguousArray(starts[block * columns.count..<(block + 1) * columns.count])
      starts.removeSubrange(block * columns.count..<starts.count)
    }
    var first = max(block, 0) << blockBits
    while first < itemCount {
      starts.append(contentsOf: ends)
      let last = min(first + blockSize, itemCount)
      for word in words[first..<last] { ends[word.column] += word.height + lineSpacing }
      first = last
    }
    resummarize(from: item)
  }

  /// Moves all items below an item in its column. O(blocks behind + columns).
  private mutating func moveItems(below item: Int, by distance: Int) {
    let column = words[item].column
    var place = (item >> blockBits + 1) * columns.count + column
    let count = columns.count
    var starts = starts.mutableSpan
    while place < starts.count {
      starts[place] += distance
      place += count
    }
    ends[column] += distance
    updateHeight()
  }
}

// MARK: - Summary

extension LaneBody {
  /// Updates the summary after items were appended. O(columns + items from `first` on if there are flat ones).
  private mutating func updateSummary(from first: Int) {
    updateHeight()
    markUsedColumns(from: first)
    if lineSpacing == 0 { flatItems.update(from: first, words) }
  }

  /// Updates the summary after the items from `first` on have changed. O(columns + items from there on).
  private mutating func resummarize(from first: Int) {
    if lineSpacing == 0 { flatItems.update(from: first, words) }
    usedColumns = ColumnSet()
    unusedCount = columns.count
    markUsedColumns(from: 0)
    updateHeight()
  }

  private mutating func updateHeight() { height = max(0, (ends.max() ?? 0) - lineSpacing) }

  private mutating func markUsedColumns(from first: Int) {
    var item = first
    while unusedCount > 0, item < itemCount {
      let column = words[item].column
      if !usedColumns[column] { unusedCount -= 1 }
      usedColumns.insert(column)
      item += 1
    }
  }
}
