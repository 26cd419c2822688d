// Reading only: no member here changes the body.

extension LaneBody {
  var columnEnds: [Int] { lanes.ends.map { max(0, $0 - lineSpacing) } }

  func size(of item: Int) -> ItemSize {
    let rank = ranking.rank(of: item)
    var size = ItemSize(height: lanes.words[rank].height, isEstimate: lanes.words[rank].isEstimate)
    if lanes.storesSpans {
      size.span = lanes.spans[rank] == LaneItem.fullSpan ? .full : .columns(Int(lanes.spans[rank]))
    }
    return size
  }

  @inline(__always)
  func frame(of item: Int) -> Rect { frame(atRank: ranking.rank(of: item)) }

  /// O(items of a block).
  @inline(__always)
  private func frame(atRank rank: Int) -> Rect {
    let word = lanes.words[rank]
    let column = word.column
    let block = rank >> lanes.blockBits
    guard !lanes.hasWideItem(block << lanes.blockBits..<rank + 1) else { return wideFrame(atRank: rank) }
    let start = lanes.starts[block * columns.count + column] + length(of: column, in: block << lanes.blockBits..<rank)
    return Rect(x: columns.x(of: column), y: start, width: columns.width(of: column), height: word.height)
  }

  private func wideFrame(atRank rank: Int) -> Rect {
    var top = 0
    forEachPlace(inBlock: rank >> lanes.blockBits, upTo: rank + 1) { _, _, itemTop in top = itemTop }
    return frame(lanes.columns(atRank: rank), top: top, height: lanes.words[rank].height)
  }

  @inline(__always)
  private func frame(_ range: Range<Int>, top: Int, height: Int) -> Rect {
    Rect(
      x: columns.x(of: range.lowerBound), y: top, width: columns.width(of: range.lowerBound, spanning: range.count),
      height: height)
  }

  /// Calls `body` with the rank, the columns and the top of each item of a block before a rank.
  @inline(__always)
  private func forEachPlace(inBlock block: Int, upTo end: Int, _ body: (Int, Range<Int>, Int) -> Void) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: columns.count) { buffer in
      _ = buffer.initialize(fromContentsOf: lanes.starts[block * columns.count..<(block + 1) * columns.count])
      var ends = buffer.mutableSpan
      for rank in block << lanes.blockBits..<min((block + 1) << lanes.blockBits, end) {
        let columns = lanes.columns(atRank: rank)
        body(rank, columns, LaneStack.drop(lanes.words[rank].height + lineSpacing, columns, &ends))
      }
    }
  }

  /// The length of the column's items among these, with a gap for each. Without branches, as `lastItem`.
  @inline(__always)
  private func length(of column: Int, in items: Range<Int>) -> Int {
    let (column, spacing) = (UInt32(truncatingIfNeeded: column), UInt32(truncatingIfNeeded: lineSpacing))
    let words = lanes.words.span.extracting(items)
    var length: UInt64 = 0
    for number in words.indices {
      let bits = words[unchecked: number].bits
      let mask: UInt32 = bits & ItemWord.columnMask == column ? .max : 0
      length &+= UInt64((bits >> ItemWord.heightShift &+ spacing) & mask)
    }
    return Int(truncatingIfNeeded: length)
  }

  /// The last block in which the column's next item starts at or above `row`; the first if none does. The search begins
  /// at `guess`. O(log distance).
  private func lastBlock(of column: Int, startingAtOrAbove row: Int, near guess: Int) -> Int {
    var low = min(max(guess, 0), lanes.blockCount - 1)
    var high = low + 1
    var step = 1
    while low > 0, lanes.start(ofBlock: low, column: column) > row {
      high = low
      low = max(0, low - step)
      step *= 2
    }
    while high < lanes.blockCount, lanes.start(ofBlock: high, column: column) <= row {
      low = high
      high = min(lanes.blockCount, high + step)
      step *= 2
    }
    return (low + 1..<high).partitioningIndex { lanes.start(ofBlock: $0, column: column) > row } - 1
  }

  /// A block near a row in a column: its place if all items were equally high, corrected once by the error there.
  private func guessedBlock(of column: Int, at row: Int) -> Int {
    let row = min(max(row, 0), height)
    let blocksPerRow = Double(lanes.blockCount) / Double(max(height, 1))
    let guess = min(Int(Double(row) * blocksPerRow), lanes.blockCount - 1)
    let distance = Double(row - lanes.start(ofBlock: guess, column: column)) * blocksPerRow
    return min(max(guess + Int(distance), 0), lanes.blockCount - 1)
  }

  /// The first block from `block` on in which the column grows; the number of blocks if none. O(log distance).
  private func block(from block: Int, inWhichGrows column: Int) -> Int {
    let start = lanes.start(ofBlock: block, column: column)
    var low = block
    var step = 1
    // At the beginning of `low` the column is as long as at that of `block`.
    while low + step <= lanes.blockCount, lanes.start(ofBlock: low + step, column: column) == start {
      low += step
      step *= 2
    }
    var high = min(low + step, lanes.blockCount + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lanes.start(ofBlock: middle, column: column) == start { low = middle } else { high = middle }
    }
    return low
  }

  /// The last block before `block` in which the column grows; nil if none. O(log distance).
  private func block(before block: Int, inWhichGrew column: Int) -> Int? {
    let end = lanes.start(ofBlock: block, column: column)
    guard end > 0 else { return nil }
    return lastBlock(of: column, startingAtOrAbove: end - 1, near: block - 1)
  }

  /// Searches the item's columns from the nearest to the goal's column on. The goal stays, so that the opposite moves
  /// pass the same items.
  @inline(__always)
  func item(from item: Int, step: Int, goal: inout NavigationGoal?) -> Int? {
    let rank = ranking.rank(of: item)
    guard lanes.hasWideItems else {
      goal = nil
      return self.rank(of: lanes.words[rank].column, beyond: rank, step: step)
    }
    let own = lanes.columns(atRank: rank)
    let wanted = goal?.column ?? own.lowerBound
    goal = NavigationGoal(column: wanted)
    let nearest = column(nearestTo: wanted, in: own)
    for number in 0..<2 * own.count {
      let column = number.isMultiple(of: 2) ? nearest + number / 2 : nearest - (number + 1) / 2
      guard own.contains(column), let found = self.rank(of: column, beyond: rank, step: step) else { continue }
      return ranking.number(at: found)
    }
    return nil
  }

  private func column(nearestTo column: Int, in columns: Range<Int>) -> Int {
    min(max(column, columns.lowerBound), columns.upperBound - 1)
  }

  @inline(__always)
  private func covers(_ rank: Int, _ column: Int) -> Bool {
    lanes.words[rank].column == column || (lanes.words[rank].isWide && lanes.columns(atRank: rank).contains(column))
  }

  /// The column's next item behind a rank, or before it if `step` is -1. O(items of a block + log items).
  @inline(__always)
  private func rank(of column: Int, beyond rank: Int, step: Int) -> Int? {
    guard !lanes.hasWideItems else { return wideRank(of: column, beyond: rank, step: step) }
    return step < 0
      ? self.rank(of: column, before: rank, amongWide: false) : self.rank(of: column, from: rank + 1, amongWide: false)
  }

  @inline(never)
  private func wideRank(of column: Int, beyond rank: Int, step: Int) -> Int? {
    step < 0
      ? self.rank(of: column, before: rank, amongWide: true) : self.rank(of: column, from: rank + 1, amongWide: true)
  }

  @inline(__always)
  private func rank(of column: Int, before end: Int, amongWide: Bool) -> Int? {
    var end = end
    let words = lanes.words.span
    while end > 0 {
      let block = (end - 1) >> lanes.blockBits
      var rank = end - 1
      while rank >= block << lanes.blockBits {
        if words[unchecked: rank].column == column || (amongWide && covers(rank, column)) { return rank }
        rank &-= 1
      }
      let flat = flatItems.last(of: column, before: block << lanes.blockBits)
      let next = self.block(before: block, inWhichGrew: column)
      guard flat != nil || next != nil else { return nil }
      end = max(((next ?? -1) + 1) << lanes.blockBits, (flat ?? -1) + 1)
    }
    return nil
  }

  @inline(__always)
  private func rank(of column: Int, from first: Int, amongWide: Bool) -> Int? {
    var first = first
    let words = lanes.words.span
    while first < words.count {
      let block = first >> lanes.blockBits
      let end = min((block + 1) << lanes.blockBits, words.count)
      for rank in first..<end {
        if words[unchecked: rank].column == column || (amongWide && covers(rank, column)) { return rank }
      }
      guard block + 1 < lanes.blockCount else { return nil }
      let next = self.block(from: block + 1, inWhichGrows: column)
      first = next << lanes.blockBits
      if !flatItems.isEmpty { first = min(first, flatItems.first(of: column, from: end) ?? .max) }
    }
    return nil
  }

  @inline(__always)
  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    let rank = ranking.rank(of: item)
    guard !lanes.hasWideItems else { return wideItem(beside: rank, step: step, top: top, goal: &goal) }
    var column = lanes.words[rank].column + step
    while column >= 0, column < columns.count, !isUsed(column) { column += step }
    guard column >= 0, column < columns.count else { return nil }
    if let origin = goal.origin?.item, lanes.words.indices.contains(origin), lanes.words[origin].column == column,
      lanes.words[origin].height == 0
    {
      return (origin, column)
    }
    let row = goal.row(for: frame(atRank: rank), top: top) - top
    return (self.rank(inColumn: column, nearestTo: row, near: rank >> lanes.blockBits), column)
  }

  private func wideItem(
    beside rank: Int, step: Int, top: Int, goal: inout NavigationGoal
  ) -> (item: Int, column: Int)? {
    let row = goal.row(for: frame(atRank: rank), top: top) - top
    let own = lanes.columns(atRank: rank)
    var column = self.column(nearestTo: goal.column ?? own.lowerBound, in: own) + step
    while (0..<columns.count).contains(column) {
      if isUsed(column) {
        let found =
          origin(of: goal, inColumn: column, row)
          ?? self.rank(inColumn: column, nearestTo: row, near: rank >> lanes.blockBits)
        if found != rank { return (ranking.number(at: found), column) }
      }
      column += step
    }
    return nil
  }

  /// The item where the moves began, if it covers the row in the column, even without height.
  private func origin(of goal: NavigationGoal, inColumn column: Int, _ row: Int) -> Int? {
    guard let number = goal.origin?.item, lanes.words.indices.contains(number) else { return nil }
    let rank = ranking.rank(of: number)
    guard covers(rank, column) else { return nil }
    let frame = frame(atRank: rank)
    return (frame.minY...frame.maxY).contains(row) ? rank : nil
  }

  func lane(of item: Int, column: Int?) -> Range<Int> {
    let rank = ranking.rank(of: item)
    let column = self.column(nearestTo: column ?? lanes.columns(atRank: rank).lowerBound, in: 0..<columns.count)
    return columns.x(of: column)..<columns.x(of: column) + columns.width(of: column)
  }

  func column(nearestTo lane: Range<Int>) -> Int? {
    guard lanes.hasWideItems else { return nil }
    return columns.column(nearestTo: lane.lowerBound, lane.upperBound) { isUsed($0) }
  }

  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    let column = columns.column(nearestTo: minX, maxX) { isUsed($0) }
    return item(inColumn: column ?? 0, nearestTo: row)
  }

  func item(inColumn column: Int, nearestTo row: Int) -> Int {
    ranking.number(at: rank(inColumn: column, nearestTo: row, near: guessedBlock(of: column, at: row)))
  }

  /// The item nearest to a row in a used column, the upper of two equally near. The search begins at `guess`.
  /// O(log distance + items of a block).
  @inline(__always)
  private func rank(inColumn column: Int, nearestTo row: Int, near guess: Int) -> Int {
    let block = lastBlock(of: column, startingAtOrAbove: max(row, 0), near: guess)
    guard !lanes.hasWideItems else { return wideRank(inColumn: column, nearestTo: row, block) }
    let (rank, end) = lastItem(of: column, inBlock: block, startingAtOrAbove: max(row, 0))
    // Only the last block may lack the column.
    guard rank >= 0 else { return self.rank(of: column, before: block << lanes.blockBits, amongWide: false) ?? 0 }
    guard row - (end - lineSpacing - 1) > end - row else { return rank }
    return self.rank(of: column, from: rank + 1, amongWide: false) ?? rank
  }

  /// An item may start far below the one before it in its column.
  private func wideRank(inColumn column: Int, nearestTo row: Int, _ block: Int) -> Int {
    var upper: Int?
    if lanes.hasWideItem(inBlock: block) {
      forEachPlace(inBlock: block, upTo: itemCount) { rank, columns, top in
        if top <= max(row, 0), columns.contains(column) { upper = rank }
      }
    } else {
      let found = lastItem(of: column, inBlock: block, startingAtOrAbove: max(row, 0)).item
      upper = found < 0 ? nil : found
    }
    upper = upper ?? wideRank(of: column, beyond: block << lanes.blockBits, step: -1)
    let lower = wideRank(of: column, beyond: upper ?? block << lanes.blockBits - 1, step: 1)
    guard let upper, let lower else { return upper ?? lower ?? 0 }
    let distance = row - (frame(atRank: upper).maxY - 1)
    return distance > 0 && distance > frame(atRank: lower).minY - row ? lower : upper
  }

  /// The item, -1 if there is none, and the start of the next one. Without branches: the processor would mispredict too
  /// often whether an item lies in the column.
  @inline(__always)
  private func lastItem(of column: Int, inBlock block: Int, startingAtOrAbove row: Int) -> (item: Int, end: Int) {
    let column = UInt32(truncatingIfNeeded: column)
    var start = lanes.starts[block * columns.count + Int(column)]
    var found = -1
    var foundEnd = 0
    let first = block << lanes.blockBits
    let words = lanes.words.span.extracting(first..<min(first + lanes.blockSize, itemCount))
    for number in words.indices {
      let bits = words[unchecked: number].bits
      let isColumn = bits & ItemWord.columnMask == column
      let isFound = isColumn && start <= row
      start &+= isColumn ? Int(bits >> ItemWord.heightShift) &+ lineSpacing : 0
      found = isFound ? number : found
      foundEnd = isFound ? start : foundEnd
    }
    return (found < 0 ? found : first + found, foundEnd)
  }

  /// A column while a query reads block after block.
  private struct Cursor {
    /// The next block that may hold items of the search area; `Int.max` when there is none.
    var block = Int.max
    /// The start of the column's next item; below the search area while the cursor is at another block.
    var end = Cursor.idle
    var x = 0
    var width = 0

    static let idle = 1 << 61
  }

  /// The data of the items without spans that a query reads.
  private struct Places {
    let words: ContiguousArray<ItemWord>
    let starts: ContiguousArray<Int>
    let columnCount: Int
    let blockBits: Int
    let lineSpacing: Int

    func read(
      _ block: Int, _ allCursors: inout ContiguousArray<Cursor>, _ area: SearchArea, _ rows: Range<Int>,
      into found: inout OutputSpan<LayoutAttributes>
    ) {
      var cursors = allCursors.mutableSpan
      for column in cursors.indices {
        cursors[column].end =
          cursors[column].block == block ? starts[block * columnCount + column] : Cursor.idle
      }
      let first = block << blockBits
      let words = words.span.extracting(first..<min(first + 1 << blockBits, words.count))
      for number in words.indices {
        // Every word's column is a valid index.
        let word = words[unchecked: number]
        let column = word.column
        let start = cursors[unchecked: column].end
        let end = start &+ word.height
        cursors[unchecked: column].end = end &+ lineSpacing
        guard max(start, rows.lowerBound) < min(end, rows.upperBound) else { continue }
        let frame = Rect(
          x: cursors[unchecked: column].x, y: start &+ area.top, width: cursors[unchecked: column].width,
          height: word.height)
        let path = ElementPath(section: area.section, item: first &+ number)
        found.append(LayoutAttributes(kind: .item, path: path, frame: frame))
      }
    }
  }

  /// Reads, for every column, only the blocks that hold its items in the searched rows, so that one giant item does not
  /// make the search read all blocks beside it. O(columns × log items + found × block).
  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    let rows = area.rows
    guard height > 0, rows.lowerBound < height, rows.upperBound > 0 else { return }
    if found.isEmpty { found.reserveCapacity(expectedCount(in: rows)) }
    // A closure that captured the body would retain each of its arrays.
    let places = Places(
      words: lanes.words, starts: lanes.starts, columnCount: columns.count, blockBits: lanes.blockBits,
      lineSpacing: lineSpacing)
    var cursors = cursors(in: area, rows)
    // Columns that touch the rect with the spacing behind them are read for items that span it.
    let readsBeside = lanes.hasWideItems && cursors.contains { $0.block < .max && $0.x + $0.width <= area.rect.minX }
    var block = cursors.reduce(Int.max) { min($0, $1.block) }
    let first = found.count
    while block < lanes.blockCount {
      if lanes.hasWideItem(inBlock: block) {
        found.append(addingCapacity: lanes.blockSize) { readWide(block, &cursors, area, into: &$0) }
      } else {
        found.append(addingCapacity: lanes.blockSize) { places.read(block, &cursors, area, rows, into: &$0) }
      }
      block = advance(&cursors, from: block, end: rows.upperBound)
    }
    if readsBeside { found.removeAll(from: first, outside: area.rect) }
    if !ranking.isByNumber { sortByNumber(&found, from: first) }
  }

  /// Replaces ranks by numbers. O(found) where few items have another rank than their number.
  private func sortByNumber(_ found: inout [LayoutAttributes], from first: Int) {
    for place in first..<found.count {
      found[place].path.item = ranking.number(at: found[place].path.item)
      var place = place
      while place > first, found[place - 1].path.item > found[place].path.item {
        found.swapAt(place - 1, place)
        place -= 1
      }
    }
  }

  private func cursors(in area: SearchArea, _ rows: Range<Int>) -> ContiguousArray<Cursor> {
    var cursors = ContiguousArray(repeating: Cursor(), count: columns.count)
    // In a block that starts at or above this row all items before it have ended, with their gaps, above the area.
    let row = rows.lowerBound + lineSpacing
    var guess: Int?
    for column in cursors.indices {
      let x = columns.x(of: column)
      let width = columns.width(of: column)
      cursors[column].x = x
      cursors[column].width = width
      // An item that spans columns lies over the spacing too.
      let reach = lanes.hasWideItems ? width + columns.spacing : width
      guard max(x, area.rect.minX) < min(x + reach, area.rect.maxX) else { continue }
      let near = guess ?? guessedBlock(of: column, at: rows.lowerBound)
      let block = lastBlock(of: column, startingAtOrAbove: row, near: near)
      cursors[column].block = block
      guess = block
    }
    return cursors
  }

  private func readWide(
    _ block: Int, _ cursors: inout ContiguousArray<Cursor>, _ area: SearchArea,
    into found: inout OutputSpan<LayoutAttributes>
  ) {
    for column in cursors.indices where cursors[column].block == block {
      cursors[column].end = lanes.starts[block * columns.count + column]
    }
    forEachPlace(inBlock: block, upTo: itemCount) { rank, columns, top in
      let height = lanes.words[rank].height
      for column in columns { cursors[column].end = top + height + lineSpacing }
      let frame = frame(columns, top: top + area.top, height: height)
      guard frame.intersects(area.rect) else { return }
      found.append(
        LayoutAttributes(kind: .item, path: ElementPath(section: area.section, item: rank), frame: frame))
    }
  }

  private func advance(_ allCursors: inout ContiguousArray<Cursor>, from block: Int, end: Int) -> Int {
    var cursors = allCursors.mutableSpan
    var nearest = Int.max
    for column in cursors.indices {
      if cursors[column].block == block {
        if cursors[column].end >= end || block + 1 >= lanes.blockCount {
          cursors[column].block = .max
        } else if cursors[column].end == lanes.starts[block * columns.count + column] {
          cursors[column].block = self.block(from: block + 1, inWhichGrows: column)
        } else {
          cursors[column].block = block + 1
        }
      }
      nearest = min(nearest, cursors[column].block)
    }
    return nearest
  }

  /// The number of items between two rows if all were equally high, and a quarter more.
  private func expectedCount(in rows: Range<Int>) -> Int {
    let visible = min(rows.upperBound, height) - max(rows.lowerBound, 0)
    let expected = Double(itemCount) * Double(visible) / Double(height)
    return min(itemCount, Int(expected * 1.25)) + lanes.blockSize
  }
}

// MARK: - Navigation

// MARK: - Queries
