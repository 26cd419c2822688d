import Geometry

/// Items that lie in one column each, without holes: a height and a column for each item, 4 bytes, and for each block
/// of items where every column's next item starts. An item lies where its block's columns start and what comes before
/// it in the block says.
struct LaneBody: SectionBody {
  let columns: ColumnGeometry
  let lineSpacing: Int
  let order: ItemOrder
  private(set) var height = 0

  private(set) var words: ContiguousArray<ItemWord> = []
  /// Where each column's next item starts, for every block, column by column.
  private(set) var starts: ContiguousArray<Int> = []
  /// Where each column's next item starts at the end of all.
  private(set) var ends: ContiguousArray<Int>
  private(set) var usedColumns = ColumnSet()
  private var unusedCount: Int
  /// Whether there may be items that take no row at all, not even a gap.
  private(set) var hasFlatItems = false
  /// A block holds two to this power items: about eight for each column.
  let blockBits: Int

  /// The column that the last item has when there are no items: another body's that this one goes on from.
  private var inheritedColumn: Int?

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.init(columns: columns, lineSpacing: rules.lineSpacing, order: rules.order)
  }

  private init(columns: ColumnGeometry, lineSpacing: Int, order: ItemOrder) {
    self.columns = columns
    self.lineSpacing = lineSpacing
    self.order = order
    ends = ContiguousArray(repeating: 0, count: columns.count)
    usedColumns = ColumnSet()
    unusedCount = columns.count
    blockBits = max(5, Int.bitWidth - (8 * columns.count - 1).leadingZeroBitCount)
  }

  /// An empty body that goes on where another one is before an item.
  init(goingOnFrom other: LaneBody, before item: Int) {
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

  /// Where the column's next item starts at the beginning of a block; after the last block, at the end. O(1).
  @inline(__always)
  func start(ofBlock block: Int, column: Int) -> Int {
    let place = block * columns.count + column
    return place < starts.count ? starts[place] : ends[column]
  }
}

extension LaneBody {
  /// O(number of heights × log columns + columns).
  mutating func append(_ heights: [Int]) {
    words.growReserve(for: heights.count)
    starts.growReserve(for: ((itemCount + heights.count) >> blockBits + 1 - blockCount) * columns.count)
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
    noteItems(from: first)
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
          let column = next.take(heights[number] &+ spacing)
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

  /// Keeps what is known about all items, after some came. O(columns + items from `first` on if there are flat ones).
  private mutating func noteItems(from first: Int) {
    noteHeight()
    noteColumns(from: first)
    if lineSpacing == 0, !hasFlatItems, words[first...].contains(where: { $0.height == 0 }) { noteFlatItems() }
  }

  mutating func noteFlatItems() { hasFlatItems = hasFlatItems || lineSpacing == 0 }

  private mutating func noteHeight() { height = max(0, (ends.max() ?? 0) - lineSpacing) }

  private mutating func noteColumns(from first: Int) {
    var item = first
    while unusedCount > 0, item < itemCount {
      let column = words[item].column
      if !usedColumns[column] { unusedCount -= 1 }
      usedColumns.insert(column)
      item += 1
    }
  }
}

extension LaneBody {
  /// Where each column's next item starts just before an item. O(columns + items of a block).
  func ends(before item: Int) -> ContiguousArray<Int> {
    guard item < itemCount else { return ends }
    let block = item >> blockBits
    var ends = ContiguousArray(starts[block * columns.count..<(block + 1) * columns.count])
    for word in words[block << blockBits..<item] { ends[word.column] += word.height + lineSpacing }
    return ends
  }

  /// Leaves only the first items. O(columns + items of a block).
  mutating func truncate(to count: Int) {
    ends = ends(before: count)
    words.removeSubrange(count...)
    starts.removeSubrange((count + blockSize - 1) >> blockBits * columns.count..<starts.count)
    recountColumns()
  }

  /// Works the starts out anew, from the block of an item on. O(items from there on).
  mutating func restack(from item: Int) {
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
    recountColumns()
  }

  private mutating func recountColumns() {
    usedColumns = ColumnSet()
    unusedCount = columns.count
    noteColumns(from: 0)
    noteHeight()
  }

  /// Changes what is stored of items; the caller sees to the starts.
  mutating func changeWords(_ change: (inout ContiguousArray<ItemWord>) -> Void) { change(&words) }

  /// The caller sees to the starts. O(1).
  mutating func setWord(_ item: Int, height: Int, isEstimate: Bool) {
    words[item].setHeight(height, isEstimate: isEstimate)
    if height == 0 { noteFlatItems() }
  }

  /// Moves all that lies below an item in its column. O(blocks behind + columns).
  mutating func moveItems(below item: Int, by distance: Int) {
    let column = words[item].column
    var place = (item >> blockBits + 1) * columns.count + column
    let count = columns.count
    var starts = starts.mutableSpan
    while place < starts.count {
      starts[place] += distance
      place += count
    }
    ends[column] += distance
    noteHeight()
  }
}
