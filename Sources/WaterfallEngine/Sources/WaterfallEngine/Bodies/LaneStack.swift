/// Items that lie in columns, by rank: 4 bytes an item for its height and column, and for each block of items the
/// position at which every column's next item starts. Starts and ends are always those that stacking the items yields.
struct LaneStack: Sendable {
  struct Item {
    var word: ItemWord
    /// The number of columns that the host requested.
    var span: UInt16
  }

  let columnCount: Int
  let lineSpacing: Int
  /// A block holds two to this power items: about eight for each column.
  let blockBits: Int

  private(set) var words: ContiguousArray<ItemWord> = []
  /// The number of columns that the host requested for each item; empty while it is one for all.
  private(set) var spans: ContiguousArray<UInt16> = []
  private(set) var storesSpans = false
  /// The start of each column's next item, for every block, column by column.
  private(set) var starts: ContiguousArray<Int> = []
  /// The start of each column's next item after all items.
  private(set) var ends: ContiguousArray<Int>

  init(columnCount: Int, lineSpacing: Int) {
    (self.columnCount, self.lineSpacing) = (columnCount, lineSpacing)
    blockBits = max(5, Int.bitWidth - (8 * columnCount - 1).leadingZeroBitCount)
    ends = ContiguousArray(repeating: 0, count: columnCount)
  }

  init(continuing other: LaneStack, before rank: Int) {
    self.init(columnCount: other.columnCount, lineSpacing: other.lineSpacing)
    ends = other.ends(before: rank)
  }

  var itemCount: Int { words.count }
  var blockSize: Int { 1 << blockBits }
  var blockCount: Int { starts.count / columnCount }
  var hasWideItems: Bool { storesSpans && columnCount > 1 }

  func stored(_ item: LaneItem, column: Int) -> Item {
    Item(word: ItemWord(item, column: column, isWide: item.span(among: columnCount) > 1), span: item.span)
  }

  func item(atRank rank: Int) -> Item { Item(word: words[rank], span: storesSpans ? spans[rank] : 1) }

  @inline(__always)
  func ranks(ofBlock block: Int) -> Range<Int> { block << blockBits..<min((block + 1) << blockBits, itemCount) }

  @inline(__always)
  func columns(atRank rank: Int) -> Range<Int> {
    let word = words[rank]
    return word.column..<word.column + (word.isWide ? min(Int(spans[rank]), columnCount) : 1)
  }

  /// The start of the column's next item at the beginning of a block; after the last block, at the end. O(1).
  @inline(__always)
  func start(ofBlock block: Int, column: Int) -> Int {
    let place = block * columnCount + column
    return place < starts.count ? starts[place] : ends[column]
  }

  /// The start of each column's next item just before a rank. O(columns + items of a block).
  func ends(before rank: Int) -> ContiguousArray<Int> {
    guard rank < itemCount else { return ends }
    var ends = ends(ofBlock: rank >> blockBits)
    stack((rank >> blockBits) << blockBits..<rank, onto: &ends)
    return ends
  }

  private func ends(ofBlock block: Int) -> ContiguousArray<Int> {
    ContiguousArray(starts[block * columnCount..<(block + 1) * columnCount])
  }

  /// Whether an item of a block spans columns. O(1), O(items of the block) where any item does.
  func hasWideItem(inBlock block: Int) -> Bool { block < blockCount && hasWideItem(ranks(ofBlock: block)) }

  @inline(__always)
  func hasWideItem(_ ranks: Range<Int>) -> Bool {
    guard hasWideItems, !ranks.isEmpty else { return false }
    let words = words.span.extracting(ranks)
    var bits: UInt32 = 0
    for place in words.indices { bits |= words[unchecked: place].bits }
    return ItemWord(bits: bits).isWide
  }

  /// Places items. Fills block after block through one output for the words and one for the starts: an append for each
  /// block takes as long as the search for the columns.
  mutating func append(_ items: Span<some LaneItem.Convertible>, _ columns: some LaneBody.ColumnQueue) {
    let count = items.count
    let (columnCount, blockSize, spacing) = (columnCount, blockSize, lineSpacing)
    let used = itemCount & (blockSize - 1)
    let newStartCount = ((itemCount + count + blockSize - 1) >> blockBits - blockCount) * columnCount
    var (columns, ends) = (columns, ContiguousArray<Int>())
    swap(&ends, &self.ends)
    words.reserveGrowth(count)
    starts.reserveGrowth(newStartCount)
    words.append(addingCapacity: count) { words in
      starts.append(addingCapacity: newStartCount) { starts in
        var next = columns
        var first = 0
        var room = (blockSize - used) & (blockSize - 1)
        while first < count {
          if room == 0 {
            let block = starts.count
            for _ in 0..<columnCount { starts.append(0) }
            next.visitEnds { starts[block + $0] = $1 }
            room = blockSize
          }
          let last = min(first + room, count)
          // An append for each item would load and store the output's count.
          words.withUnsafeMutableBufferPointer { words, count in
            var place = count
            for number in first..<last {
              let item = items[unchecked: number].laneItem
              let isWide = item.span > 1 && columnCount > 1
              let length = item.height &+ spacing
              let column = isWide ? next.placeWide(length, item.span(among: columnCount), &ends) : next.nextColumn
              words.initializeElement(at: place, to: ItemWord(item, column: column, isWide: isWide))
              if !isWide { next.lengthen(column, by: length) }
              place &+= 1
            }
            count = place
          }
          room -= last - first
          first = last
        }
        columns = next
      }
    }
    columns.visitEnds { ends[$0] = $1 }
    self.ends = ends
    guard storesSpans else { return }
    spans.reserveGrowth(count)
    spans.append(addingCapacity: count) { spans in
      spans.withUnsafeMutableBufferPointer { spans, count in
        for number in items.indices { spans.initializeElement(at: number, to: items[unchecked: number].laneItem.span) }
        count = items.count
      }
    }
  }

  mutating func replace(from rank: Int, with items: [Item]) {
    words.removeSubrange(rank...)
    words.reserveGrowth(items.count)
    for item in items { words.append(item.word) }
    if storesSpans {
      spans.removeSubrange(rank...)
      spans.reserveGrowth(items.count)
      for item in items { spans.append(item.span) }
    }
    restack(from: rank)
  }

  mutating func insert(_ other: LaneStack, at rank: Int) {
    if other.storesSpans { storeSpans() }
    if storesSpans {
      var other = other
      other.storeSpans()
      spans.insert(contentsOf: other.spans, at: rank)
    }
    words.insert(contentsOf: other.words, at: rank)
    restack(from: rank)
  }

  /// O(items of a block + blocks behind × number removed), and moves the words behind; O(items from the first rank on)
  /// if items span columns or many are removed.
  mutating func remove(_ ranks: Range<Int>) {
    let areFew = !hasWideItems && ranks.count <= LaneStack.fewRemoved
    if areFew { moveStarts(removing: ranks) }
    words.removeSubrange(ranks)
    if storesSpans { spans.removeSubrange(ranks) }
    if !areFew { restack(from: ranks.lowerBound) }
  }

  /// For more, stacking the items behind again is faster.
  private static let fewRemoved = 8

  /// Updates the starts and ends before items are removed: each block behind them loses as many items to the block
  /// before it. O(blocks behind × number removed).
  private mutating func moveStarts(removing ranks: Range<Int>) {
    let count = columnCount
    var distances = ContiguousArray(repeating: 0, count: count)
    for rank in ranks { distances[words[rank].column] -= words[rank].height + lineSpacing }
    let newBlockCount = (itemCount - ranks.count + blockSize - 1) >> blockBits
    starts.removeSubrange(newBlockCount * count..<starts.count)
    let block = ranks.lowerBound >> blockBits + 1
    moveStarts(fromBlock: block, by: distances)
    for column in 0..<count { ends[column] += distances[column] }
    var allStarts: ContiguousArray<Int> = []
    swap(&allStarts, &starts)
    defer { swap(&allStarts, &starts) }
    var starts = allStarts.mutableSpan
    let (words, spacing, blockSize) = (words.span, lineSpacing, blockSize)
    for number in ranks.indices {
      var rank = block << blockBits + number - ranks.lowerBound
      var place = block * count
      while place < starts.count {
        let word = words[unchecked: rank]
        starts[unchecked: place &+ word.column] &+= word.height &+ spacing
        rank &+= blockSize
        place &+= count
      }
    }
  }

  /// Changes the heights of items from a number on. Returns the range of the ranks whose heights differ, nil if none.
  /// O(items of the changed blocks + columns × blocks behind), and O(items of blocks with items that span columns).
  mutating func setHeights(
    _ heights: [Int], from first: Int, _ ranking: LaneBody.Ranking, areEstimates: Bool
  ) -> ClosedRange<Int>? {
    var low = itemCount
    var high = -1
    for (number, height) in heights.enumerated() {
      let rank = ranking.rank(of: first + number)
      let old = words[rank].height
      words[rank].setHeight(height, isEstimate: areEstimates)
      guard height != old else { continue }
      low = min(low, rank)
      high = max(high, rank)
    }
    guard low <= high else { return nil }
    restack(low...high)
    return low...high
  }

  /// Changes an item, which keeps its column if it fits there. O(items from the rank on).
  mutating func setItem(_ item: LaneItem, atRank rank: Int) {
    if item.span != 1 { storeSpans() }
    let stored = stored(item, column: min(words[rank].column, columnCount - item.span(among: columnCount)))
    words[rank] = stored.word
    if storesSpans { spans[rank] = stored.span }
    restack(from: rank)
  }

  mutating func reserveCapacity(_ count: Int) { words.reserveCapacity(count) }

  mutating func storeSpans() {
    if !storesSpans { spans = ContiguousArray(repeating: 1, count: itemCount) }
    storesSpans = true
  }

  private func stack(_ ranks: Range<Int>, onto allEnds: inout ContiguousArray<Int>) {
    var ends = allEnds.mutableSpan
    let words = words.span
    let spacing = lineSpacing
    guard hasWideItems else {
      for rank in ranks {
        let word = words[unchecked: rank]
        ends[unchecked: word.column] &+= word.height &+ spacing
      }
      return
    }
    for rank in ranks {
      let word = words[unchecked: rank]
      if word.isWide {
        _ = LaneStack.drop(word.height + spacing, columns(atRank: rank), &ends)
      } else {
        ends[unchecked: word.column] &+= word.height &+ spacing
      }
    }
  }

  /// Drops an item of a length with its gap, and returns its top.
  @inline(__always)
  static func drop(_ length: Int, _ columns: Range<Int>, _ ends: inout MutableSpan<Int>) -> Int {
    var top = ends[columns.lowerBound]
    for column in columns { top = max(top, ends[column]) }
    for column in columns { ends[column] = top + length }
    return top
  }

  /// Recomputes the starts from the block of a rank on. O(items from there on).
  private mutating func restack(from rank: Int) {
    let block = rank >> blockBits
    let first = block << blockBits
    var ends = block < blockCount ? ends(ofBlock: block) : ends
    var starts = starts
    self.starts = []
    starts.removeSubrange(min(block * columnCount, starts.count)...)
    let newCount = (itemCount - first + blockSize - 1) >> blockBits * columnCount
    starts.reserveGrowth(newCount)
    starts.append(addingCapacity: newCount) { starts in
      var next = first
      while next < itemCount {
        for column in ends.indices { starts.append(ends[column]) }
        let last = min(next + blockSize, itemCount)
        stack(next..<last, onto: &ends)
        next = last
      }
    }
    (self.starts, self.ends) = (starts, ends)
  }

  /// Recomputes the starts after the heights of items among these ranks have changed: the columns below move as a whole
  /// from block to block, except where items span columns. O(items of the blocks + columns × blocks behind).
  private mutating func restack(_ ranks: ClosedRange<Int>) {
    let count = columnCount
    var block = ranks.lowerBound >> blockBits
    let lastChanged = ranks.upperBound >> blockBits
    var newEnds = ends(ofBlock: block)
    var distances = ContiguousArray(repeating: 0, count: count)
    var mustStack = true
    while block < blockCount {
      if mustStack {
        for column in 0..<count { starts[block * count + column] = newEnds[column] }
        stack(self.ranks(ofBlock: block), onto: &newEnds)
        for column in 0..<count { distances[column] = newEnds[column] - start(ofBlock: block + 1, column: column) }
      } else if !hasWideItems {
        moveStarts(fromBlock: block, by: distances)
        break
      } else {
        for column in 0..<count { starts[block * count + column] += distances[column] }
      }
      block += 1
      mustStack = block <= lastChanged || hasWideItem(inBlock: block)
      if mustStack, block < blockCount, block > lastChanged {
        newEnds = ends(ofBlock: block)
        for column in 0..<count { newEnds[column] += distances[column] }
      }
    }
    for column in 0..<count { ends[column] += distances[column] }
  }

  /// O(columns × blocks behind).
  private mutating func moveStarts(fromBlock block: Int, by distances: ContiguousArray<Int>) {
    let count = columnCount
    var starts = starts.mutableSpan
    for column in 0..<count where distances[column] != 0 {
      let distance = distances[column]
      var place = block * count + column
      while place < starts.count {
        starts[unchecked: place] &+= distance
        place += count
      }
    }
  }
}

// MARK: - Appending

// MARK: - Editing

// MARK: - Stacking
