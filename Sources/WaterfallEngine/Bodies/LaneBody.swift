/// Items that lie in columns: 4 bytes an item for its height and column, and for each block of items the position at
/// which every column's next item starts. An item's frame follows from the starts of its block and the items before it
/// in the block.
///
/// Items are stored by rank, their order from top to bottom in the columns: dropped onto each other by rank, they come
/// to lie in their places. Only items that go first to fill a hole above one that spans columns have a rank that is not
/// their number.
struct LaneBody: SectionBody {
  let columns: ColumnGeometry
  private let rules: PackingRules
  private(set) var height = 0

  private(set) var words: ContiguousArray<ItemWord> = []
  /// The start of each column's next item, for every block, column by column.
  private(set) var starts: ContiguousArray<Int> = []
  /// The start of each column's next item after all items.
  private(set) var ends: ContiguousArray<Int>
  private(set) var usedColumns = ColumnSet()
  private var unusedCount: Int
  /// The ranks of the items that occupy no row, not even a gap.
  private(set) var flatItems = FlatItems()
  /// A block holds two to this power items: about eight for each column.
  let blockBits: Int

  /// The number of columns that the host requested for each item; empty while it is one for all.
  private(set) var spans: ContiguousArray<UInt16> = []
  private(set) var storesSpans = false
  private(set) var ranking = Ranking()
  /// The holes that dense packing may still fill.
  private var holes: [SpanPacker.Hole] = []
  /// The columns of the last item when there are no items: those of the body that this one continues.
  private var inheritedColumns: Range<Int>?

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.columns = columns
    self.rules = rules
    ends = ContiguousArray(repeating: 0, count: columns.count)
    unusedCount = columns.count
    blockBits = max(5, Int.bitWidth - (8 * columns.count - 1).leadingZeroBitCount)
  }

  /// An empty body that continues another one before a rank.
  private init(continuing other: LaneBody, before rank: Int) {
    self.init(columns: other.columns, rules: other.rules)
    ends = other.ends(before: rank)
    inheritedColumns = rank > 0 ? other.columns(atRank: rank - 1) : nil
  }

  static func == (left: LaneBody, right: LaneBody) -> Bool {
    guard left.columns == right.columns, left.rules == right.rules, left.words == right.words else { return false }
    guard left.storesSpans || right.storesSpans else { return true }
    return left.words.indices.allSatisfy { left.size(of: $0) == right.size(of: $0) }
      && left.words.indices.allSatisfy { left.ranking.rank(of: $0) == right.ranking.rank(of: $0) }
  }

  var itemCount: Int { words.count }
  var lineSpacing: Int { rules.lineSpacing }
  var blockSize: Int { 1 << blockBits }
  var blockCount: Int { starts.count / columns.count }
  /// Whether an item may span columns.
  var hasWideItems: Bool { storesSpans && columns.count > 1 }
  private var lastColumns: Range<Int>? { words.isEmpty ? inheritedColumns : columns(atRank: itemCount - 1) }

  var storedByteCount: Int {
    words.capacity * MemoryLayout<ItemWord>.stride + spans.capacity * MemoryLayout<UInt16>.stride
      + (starts.capacity + ends.capacity) * MemoryLayout<Int>.stride
      + ranking.storedByteCount + flatItems.storedByteCount
  }

  @inline(__always)
  func columns(atRank rank: Int) -> Range<Int> {
    let word = words[rank]
    return word.column..<word.column + (word.isWide ? LaneBody.span(spans[rank], of: columns.count) : 1)
  }

  /// The number of columns that an item covers.
  @inline(__always)
  private static func span(_ requested: UInt16, of columnCount: Int) -> Int { min(Int(requested), columnCount) }

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
    guard holes.isEmpty else { return append(heights.map { ItemSize(height: $0) }) }
    let row = ends.min() ?? 0
    deal(heights.span)
    return row
  }

  /// Places items of one column each, while there are no holes to fill.
  private mutating func deal(_ heights: Span<Int>) {
    let first = itemCount
    words.reserveGrowth(heights.count)
    starts.reserveGrowth(newBlockCount(adding: heights.count) * columns.count)
    switch (rules.order, columns.count) {
    case (.shortest, 1): deal(heights, SortedKeys<1>(ends))
    case (.shortest, ...4): deal(heights, SortedKeys<4>(ends))
    case (.shortest, ...8): deal(heights, SortedKeys<8>(ends))
    case (.shortest, ...16): deal(heights, SortedKeys<16>(ends))
    case (.shortest, _): deal(heights, Tournament(ends))
    case (.leftToRight, _): dealInTurn(heights, step: 1)
    case (.rightToLeft, _): dealInTurn(heights, step: -1)
    case (.tolerance(let tolerance), ...4): deal(heights, TolerantColumns<4>(ends, tolerance, after: lastColumns))
    case (.tolerance(let tolerance), ...8): deal(heights, TolerantColumns<8>(ends, tolerance, after: lastColumns))
    case (.tolerance(let tolerance), _): deal(heights, tolerance: tolerance)
    }
    if storesSpans { spans.append(contentsOf: repeatElement(1, count: heights.count)) }
    ranking.append(heights.count)
    updateSummary(from: first)
  }

  @inline(__always)
  private func newBlockCount(adding count: Int) -> Int { (itemCount + count + blockSize - 1) >> blockBits - blockCount }

  /// Fills block after block through one output for the words and one for the starts: an append for each block takes
  /// as long as the search for the columns.
  @inline(__always)
  private mutating func deal(_ heights: Span<Int>, _ keys: some SmallestKey) {
    let spacing = lineSpacing << Tournament.numberBits
    let columnCount = columns.count
    let blockSize = blockSize
    let used = itemCount & (blockSize - 1)
    let newBlockCount = newBlockCount(adding: heights.count)
    var keys = keys
    words.append(addingCapacity: heights.count) { words in
      starts.append(addingCapacity: newBlockCount * columnCount) { starts in
        var next = keys
        var first = 0
        var room = (blockSize - used) & (blockSize - 1)
        while first < heights.count {
          if room == 0 {
            let block = starts.count
            for _ in 0..<columnCount { starts.append(0) }
            next.visitKeys { starts[block + $0 & Tournament.numberMask] = $0 >> Tournament.numberBits }
            room = blockSize
          }
          let last = min(first + room, heights.count)
          for number in first..<last {
            let end = next.smallest
            let height = heights[unchecked: number] << Tournament.numberBits
            words.append(ItemWord(bits: UInt32(truncatingIfNeeded: height | end & Tournament.numberMask)))
            next.replaceSmallest(with: end &+ height &+ spacing)
          }
          room -= last - first
          first = last
        }
        keys = next
      }
    }
    keys.visitKeys { ends[$0 & Tournament.numberMask] = $0 >> Tournament.numberBits }
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

  private mutating func dealInTurn(_ heights: Span<Int>, step: Int) {
    let count = columns.count
    let next = step > 0 ? lastColumns?.upperBound ?? 0 : (lastColumns?.lowerBound ?? count) - 1
    var column = (next + count) % count
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
    var cursor = lastColumns?.upperBound ?? 0
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

// MARK: - Appending items that span columns

extension LaneBody {
  /// Up to 1 µs an item among those that span columns; the cost of heights for long runs without.
  private mutating func append(_ items: [ItemSize]) -> Int {
    let first = itemCount
    var row = ends.min() ?? 0
    if !holes.isEmpty || items.contains(where: { $0.span != .columns(1) }) {
      row = min(row, appendRuns(items))
    } else {
      let heights = items.map(\.height)
      deal(heights.span)
    }
    for (number, item) in items.enumerated() where item.isEstimate {
      words[ranking.rank(of: first + number)].isEstimate = true
    }
    return row
  }

  private static let longRun = 64

  /// Returns the top of the highest item that fills a hole.
  private mutating func appendRuns(_ items: [ItemSize]) -> Int {
    storeSpans()
    guard rules.reach > 0 || rules.spanPacking == .dense else {
      placeInOrder(items)
      return .max
    }
    let requested = items.map { LaneBody.requestedSpan($0.span) }
    let wide = requested.indices.filter { LaneBody.span(requested[$0], of: columns.count) > 1 }
    var nextWide = 0
    var first = 0
    var row = Int.max
    while first < items.count {
      while nextWide < wide.count, wide[nextWide] < first { nextWide += 1 }
      let run = (nextWide < wide.count ? wide[nextWide] : items.count) - first
      if holes.isEmpty, run >= LaneBody.longRun || first + run == items.count {
        let heights = items[first..<first + run].map(\.height)
        deal(heights.span)
        // A request for columns of which there is only one.
        for number in 0..<run { spans[itemCount - run + number] = requested[first + number] }
        first += run
      } else {
        let last = endOfMixedRun(from: first, wide[nextWide...], count: items.count)
        row = min(row, place(Array(items[first..<last]), Array(requested[first..<last])))
        first = last
      }
    }
    return row
  }

  /// About 10 ns an item.
  private mutating func placeInOrder(_ items: [ItemSize]) {
    let first = itemCount
    let newStartCount = newBlockCount(adding: items.count) * columns.count
    words.reserveGrowth(items.count)
    spans.reserveGrowth(items.count)
    starts.reserveGrowth(newStartCount)
    var packer = SpanPacker(ends: ends, last: lastColumns, holes: [], rules: rules)
    let (columnCount, blockMask) = (columns.count, blockSize - 1)
    words.append(addingCapacity: items.count) { words in
      spans.append(addingCapacity: items.count) { spans in
        starts.append(addingCapacity: newStartCount) { starts in
          for number in items.indices {
            if (first + number) & blockMask == 0 {
              for column in 0..<columnCount { starts.append(packer.ends[column]) }
            }
            let requested = LaneBody.requestedSpan(items[number].span)
            let span = LaneBody.span(requested, of: columnCount)
            let height = items[number].height
            let column = packer.column(of: SpanPacker.Item(height: height, span: span))
            words.append(ItemWord(height: height, column: column, isWide: span > 1))
            spans.append(requested)
          }
        }
      }
    }
    ends = packer.ends
    ranking.append(items.count)
    updateSummary(from: first)
  }

  /// The end of the items that are placed one by one: behind it a long run follows, and no item goes first.
  private func endOfMixedRun(from first: Int, _ wide: ArraySlice<Int>, count: Int) -> Int {
    guard rules.spanPacking != .dense else { return count }
    var end = first
    for item in wide {
      guard end == first || item < end + LaneBody.longRun else { break }
      end = item + 2 * rules.reach + 1
    }
    return min(end, count)
  }

  /// Returns the top of the highest item.
  private mutating func place(_ items: [ItemSize], _ requested: [UInt16]) -> Int {
    let first = itemCount
    var packer = SpanPacker(ends: ends, last: lastColumns, holes: holes, rules: rules)
    let sizes = zip(items, requested).map {
      SpanPacker.Item(height: $0.height, span: LaneBody.span($1, of: columns.count))
    }
    let places = packer.placeAll(sizes, from: first)
    holes = packer.holes
    words.reserveGrowth(items.count)
    spans.reserveGrowth(items.count)
    var row = Int.max
    for place in places {
      let size = sizes[place.item - first]
      words.append(ItemWord(height: size.height, column: place.column, isWide: size.span > 1))
      spans.append(requested[place.item - first])
      row = min(row, place.top)
    }
    restack(from: rank(places, from: first))
    return row
  }

  /// Ranks the items that were appended to the words in the order of `places`. Returns the lowest rank that changed.
  private mutating func rank(_ places: [SpanPacker.Place], from first: Int) -> Int {
    let fillsHoles = places.contains { $0.under != nil }
    guard fillsHoles || places.indices.contains(where: { places[$0].item != first + $0 }) else {
      ranking.append(places.count)
      return first
    }
    ranking.append(places.map(\.item))
    guard fillsHoles else { return first }
    let lowest = places.reduce(first) { lowest, place in min(lowest, place.under.map { ranking.rank(of: $0) } ?? lowest)
    }
    // An item that fills a hole ranks before the one under it.
    var order = Array(lowest..<first)
    for (number, place) in places.enumerated() {
      let under = place.under.flatMap { order.lastIndex(of: ranking.rank(of: $0)) }
      order.insert(first + number, at: under ?? order.count)
    }
    words.replaceSubrange(lowest..<words.count, with: order.map { words[$0] })
    spans.replaceSubrange(lowest..<spans.count, with: order.map { spans[$0] })
    ranking.reorder(from: lowest, order)
    return lowest
  }

  private mutating func storeSpans() {
    if !storesSpans { spans = ContiguousArray(repeating: 1, count: itemCount) }
    storesSpans = true
  }

  static let fullSpan = UInt16.max

  private static func requestedSpan(_ span: ItemSize.Span) -> UInt16 {
    switch span {
    case .full: fullSpan
    case .columns(let count): UInt16(min(count, LayoutLimits.columnCount))
    }
  }
}

// MARK: - Editing

extension LaneBody {
  /// Each new item goes under the column that the order chooses at its place. Only the items below it in that column
  /// move down. In a strict order all following items are distributed again. O(items behind + number added).
  mutating func insert(_ items: [ItemSize], at index: Int) -> Int {
    guard index < itemCount else { return append(items) }
    let rank = ranking.rank(behindAllBefore: index)
    var inserted = LaneBody(continuing: self, before: rank)
    let row = inserted.append(items)
    if inserted.storesSpans || storesSpans {
      inserted.storeSpans()
      storeSpans()
      spans.insert(contentsOf: inserted.spans, at: rank)
    }
    ranking.insert(inserted.ranking, count: items.count, at: rank, number: index)
    words.insert(contentsOf: inserted.words, at: rank)
    holes = []
    restack(from: rank)
    return rules.order.isStrict ? repack(from: index) : row
  }

  /// The items below in the same columns move up. In a strict order all following items are distributed again.
  /// O(items behind), O(items) where items have ranks.
  mutating func remove(_ range: Range<Int>) -> Int {
    let row = cut(range)
    return rules.order.isStrict ? repack(from: range.lowerBound) : row
  }

  /// Removes items; those below move up in their columns.
  private mutating func cut(_ range: Range<Int>) -> Int {
    let rank = ranking.lowestRank(of: range)
    let row = row(before: rank)
    if ranking.isByNumber {
      words.removeSubrange(range)
      if storesSpans { spans.removeSubrange(range) }
    } else {
      let kept = (rank..<itemCount).filter { !range.contains(ranking.number(at: $0)) }
      words.replaceSubrange(rank..<words.count, with: kept.map { words[$0] })
      spans.replaceSubrange(rank..<spans.count, with: kept.map { spans[$0] })
    }
    ranking.remove(range)
    holes = []
    restack(from: rank)
    return row
  }

  /// O(items of the changed blocks + columns × blocks behind), and O(items of blocks with items that span columns).
  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int {
    var low = itemCount
    var high = -1
    for (number, height) in heights.enumerated() {
      let rank = ranking.rank(of: index + number)
      let old = words[rank].height
      words[rank].setHeight(height, isEstimate: areEstimates)
      guard height != old else { continue }
      low = min(low, rank)
      high = max(high, rank)
    }
    guard low <= high else { return self.height }
    holes = []
    restack(low...high)
    return row(before: low)
  }

  /// O(items from `index` on × log columns).
  mutating func repack(from index: Int) -> Int {
    guard !storesSpans else {
      let items = (index..<itemCount).map(size)
      let row = cut(index..<itemCount)
      return min(row, append(items))
    }
    let items = words[index...]
    truncate(to: index)
    let row = append(items.map(\.height))
    for (number, item) in items.enumerated() where item.isEstimate { words[index + number].isEstimate = true }
    return row
  }

  /// Needs no list of all sizes.
  mutating func moveItems(to body: LaneBody) -> Int {
    guard !storesSpans else { return moveItemSizes(to: body) }
    let items = words
    self = body
    words.reserveCapacity(items.count)
    for first in stride(from: 0, to: items.count, by: 4096) {
      _ = append(items[first..<min(first + 4096, items.count)].map(\.height))
    }
    for item in items.indices where items[item].isEstimate { words[item].isEstimate = true }
    return 0
  }

  /// A row above which the items before a rank end. O(columns + items of a block).
  private func row(before rank: Int) -> Int { ends(before: rank).min() ?? 0 }

  /// The start of each column's next item just before a rank. O(columns + items of a block).
  private func ends(before rank: Int) -> ContiguousArray<Int> {
    guard rank < itemCount else { return ends }
    let block = rank >> blockBits
    var ends = ContiguousArray(starts[block * columns.count..<(block + 1) * columns.count])
    stack(block << blockBits..<rank, onto: &ends)
    return ends
  }

  /// Removes all but the first `count` items, of which none spans columns. O(columns + items of a block).
  mutating func truncate(to count: Int) {
    ends = ends(before: count)
    ranking.remove(count..<itemCount)
    words.removeSubrange(count...)
    starts.removeSubrange((count + blockSize - 1) >> blockBits * columns.count..<starts.count)
    resummarize(from: count)
  }
}

// MARK: - Stacking

extension LaneBody {
  /// Drops the items of these ranks onto the columns' ends.
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
        _ = LaneBody.drop(word.height + spacing, columns(atRank: rank), &ends)
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
    let block = min(rank >> blockBits, blockCount)
    var ends = block < blockCount ? ends(ofBlock: block) : ends
    // Items that are not in a block yet follow the last one.
    let first = block < blockCount ? block << blockBits : rank
    precondition(block < blockCount || first & (blockSize - 1) == 0)
    var starts = starts
    self.starts = []
    starts.removeSubrange(min(block * columns.count, starts.count)...)
    let newCount = (itemCount - first + blockSize - 1) >> blockBits * columns.count
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
    self.starts = starts
    self.ends = ends
    resummarize(from: rank)
  }

  private func ends(ofBlock block: Int) -> ContiguousArray<Int> {
    ContiguousArray(starts[block * columns.count..<(block + 1) * columns.count])
  }

  /// Recomputes the starts after the heights of items among these ranks have changed: the columns below move as a whole
  /// from block to block, except where items span columns. O(items of the blocks + columns × blocks behind).
  private mutating func restack(_ ranks: ClosedRange<Int>) {
    let count = columns.count
    var block = ranks.lowerBound >> blockBits
    let lastChanged = ranks.upperBound >> blockBits
    var newEnds = ends(ofBlock: block)
    var distances = ContiguousArray(repeating: 0, count: count)
    var mustStack = true
    while block < blockCount {
      if mustStack {
        for column in 0..<count { starts[block * count + column] = newEnds[column] }
        stack(block << blockBits..<min((block + 1) << blockBits, itemCount), onto: &newEnds)
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
    updateHeight()
    if lineSpacing == 0 { updateFlatItems(ranks.lowerBound..<ranks.upperBound + 1) }
  }

  /// O(columns × blocks behind).
  private mutating func moveStarts(fromBlock block: Int, by distances: ContiguousArray<Int>) {
    let count = columns.count
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

  func hasWideItem(inBlock block: Int) -> Bool {
    block < blockCount && hasWideItem(block << blockBits..<min((block + 1) << blockBits, itemCount))
  }

  /// Whether one of the items spans columns. O(1), O(number of ranks) where any item does.
  @inline(__always)
  func hasWideItem(_ ranks: Range<Int>) -> Bool {
    guard hasWideItems, !ranks.isEmpty else { return false }
    let words = words.span.extracting(ranks)
    var bits: UInt32 = 0
    for place in words.indices { bits |= words[unchecked: place].bits }
    return ItemWord(bits: bits).isWide
  }
}

// MARK: - Summary

extension LaneBody {
  /// Updates the summary after items were appended. O(columns + items from `first` on if there are no gaps).
  private mutating func updateSummary(from first: Int) {
    updateHeight()
    markUsedColumns(from: first)
    if lineSpacing == 0 { updateFlatItems(first..<max(first, itemCount)) }
  }

  /// Updates the summary after the items from a rank on have changed. O(columns + items from there on).
  private mutating func resummarize(from rank: Int) {
    if lineSpacing == 0 { updateFlatItems(rank..<Int.max) }
    usedColumns = ColumnSet()
    unusedCount = columns.count
    markUsedColumns(from: 0)
    updateHeight()
  }

  private mutating func updateFlatItems(_ ranks: Range<Int>) {
    let found = ranks.clamped(to: 0..<itemCount).filter { words[$0].height == 0 }
    flatItems.replace(ranks, with: found.map { ($0, columns(atRank: $0)) })
  }

  private mutating func updateHeight() { height = max(0, (ends.max() ?? 0) - lineSpacing) }

  private mutating func markUsedColumns(from first: Int) {
    var rank = first
    while unusedCount > 0, rank < itemCount {
      for column in columns(atRank: rank) where !usedColumns[column] {
        usedColumns.insert(column)
        unusedCount -= 1
      }
      rank += 1
    }
  }
}
