// Reading only: no member here changes the body.

extension LaneBody {
  /// O(items of a block).
  @inline(__always)
  func frame(of item: Int) -> Rect {
    let word = words[item]
    let column = word.column
    let block = item >> blockBits
    let start = starts[block * columns.count + column] + length(of: column, in: block << blockBits..<item)
    return Rect(x: columns.x(of: column), y: start, width: columns.width(of: column), height: word.height)
  }

  /// The length of the column's items among these, with a gap for each.
  @inline(__always)
  private func length(of column: Int, in items: Range<Int>) -> Int {
    let column = UInt32(truncatingIfNeeded: column)
    let words = words.span
    var length = 0
    for item in items {
      let bits = words[unchecked: item].bits
      let isColumn = bits & ItemWord.columnMask == column
      length &+= isColumn ? Int(bits >> ItemWord.heightShift) &+ lineSpacing : 0
    }
    return length
  }

  /// The last block in which the column's next item starts at or above `row`; the first if none does. The search begins
  /// at `guess`. O(log distance).
  private func lastBlock(of column: Int, startingAtOrAbove row: Int, near guess: Int) -> Int {
    let blockCount = blockCount
    var low = min(max(guess, 0), blockCount - 1)
    var high = low + 1
    var step = 1
    while low > 0, start(ofBlock: low, column: column) > row {
      high = low
      low = max(0, low - step)
      step *= 2
    }
    while high < blockCount, start(ofBlock: high, column: column) <= row {
      low = high
      high = min(blockCount, high + step)
      step *= 2
    }
    while high - low > 1 {
      let middle = (low + high) / 2
      if start(ofBlock: middle, column: column) <= row { low = middle } else { high = middle }
    }
    return low
  }

  /// A block near a row in a column: its place if all items were equally high, corrected once by the error there.
  private func guessedBlock(of column: Int, at row: Int) -> Int {
    let row = min(max(row, 0), height)
    let blocksPerRow = Double(blockCount) / Double(max(height, 1))
    let guess = min(Int(Double(row) * blocksPerRow), blockCount - 1)
    let distance = Double(row - start(ofBlock: guess, column: column)) * blocksPerRow
    return min(max(guess + Int(distance), 0), blockCount - 1)
  }

  /// The first block from `block` on in which the column grows; the number of blocks if none. O(log distance).
  private func block(from block: Int, inWhichGrows column: Int) -> Int {
    let start = start(ofBlock: block, column: column)
    var low = block
    var step = 1
    // At the beginning of `low` the column is as long as at that of `block`.
    while low + step <= blockCount, self.start(ofBlock: low + step, column: column) == start {
      low += step
      step *= 2
    }
    var high = min(low + step, blockCount + 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self.start(ofBlock: middle, column: column) == start { low = middle } else { high = middle }
    }
    return low
  }

  /// The last block before `block` in which the column grows; nil if none. O(log distance).
  private func block(before block: Int, inWhichGrew column: Int) -> Int? {
    let end = start(ofBlock: block, column: column)
    guard end > 0 else { return nil }
    return lastBlock(of: column, startingAtOrAbove: end - 1, near: block - 1)
  }
}

// MARK: - Navigation

extension LaneBody {
  @inline(__always)
  func item(above item: Int, goal: inout NavigationGoal?) -> Int? {
    goal = nil
    return self.item(of: words[item].column, before: item)
  }

  @inline(__always)
  func item(below item: Int, goal: inout NavigationGoal?) -> Int? {
    goal = nil
    return self.item(of: words[item].column, from: item + 1)
  }

  /// The column's last item before a number. O(items of a block + log items).
  @inline(__always)
  private func item(of column: Int, before end: Int) -> Int? {
    var end = end
    while end > 0 {
      let block = (end - 1) >> blockBits
      for item in (block << blockBits..<end).reversed() where words[item].column == column { return item }
      let flat = flatItems.last(of: column, before: block << blockBits)
      let next = self.block(before: block, inWhichGrew: column)
      guard flat != nil || next != nil else { return nil }
      end = max(((next ?? -1) + 1) << blockBits, (flat ?? -1) + 1)
    }
    return nil
  }

  /// The column's first item from a number on. O(items of a block + log items).
  @inline(__always)
  private func item(of column: Int, from first: Int) -> Int? {
    var first = first
    while first < itemCount {
      let block = first >> blockBits
      let end = min((block + 1) << blockBits, itemCount)
      for item in first..<end where words[item].column == column { return item }
      guard block + 1 < blockCount else { return nil }
      let next = self.block(from: block + 1, inWhichGrows: column)
      first = min(next << blockBits, flatItems.first(of: column, from: end) ?? .max)
    }
    return nil
  }

  @inline(__always)
  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    var column = words[item].column + step
    while column >= 0, column < columns.count, !usedColumns[column] { column += step }
    guard column >= 0, column < columns.count else { return nil }
    if let origin = goal.origin?.item, words.indices.contains(origin), words[origin].column == column,
      words[origin].height == 0
    {
      return (origin, column)
    }
    let row = goal.row(for: frame(of: item), top: top) - top
    return (self.item(inColumn: column, nearestTo: row, near: item >> blockBits), column)
  }

  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    let column = columns.column(nearestTo: minX, maxX) { usedColumns[$0] }
    return item(inColumn: column ?? 0, nearestTo: row)
  }

  func item(inColumn column: Int, nearestTo row: Int) -> Int {
    item(inColumn: column, nearestTo: row, near: guessedBlock(of: column, at: row))
  }

  /// The item nearest to a row in a used column, the upper of two equally near. The search begins at `guess`.
  /// O(log distance + items of a block).
  @inline(__always)
  private func item(inColumn column: Int, nearestTo row: Int, near guess: Int) -> Int {
    let block = lastBlock(of: column, startingAtOrAbove: max(row, 0), near: guess)
    let (item, end) = lastItem(of: column, inBlock: block, startingAtOrAbove: max(row, 0))
    // Only the last block may lack the column.
    guard item >= 0 else { return self.item(of: column, before: block << blockBits) ?? 0 }
    guard row - (end - lineSpacing - 1) > end - row else { return item }
    return self.item(of: column, from: item + 1) ?? item
  }

  /// The item, -1 if there is none, and the start of the next one. Without branches: the processor would mispredict too
  /// often whether an item lies in the column.
  @inline(__always)
  private func lastItem(of column: Int, inBlock block: Int, startingAtOrAbove row: Int) -> (item: Int, end: Int) {
    let column = UInt32(truncatingIfNeeded: column)
    var start = starts[block * columns.count + Int(column)]
    var found = -1
    var foundEnd = 0
    let first = block << blockBits
    let words = words.span.extracting(first..<min(first + blockSize, itemCount))
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
}

// MARK: - Queries

/// A column while a query reads block after block.
private struct LaneCursor {
  /// The next block that may hold items of the search area; `Int.max` when there is none.
  var block = Int.max
  /// The start of the column's next item; below the search area while the cursor is at another block.
  var end = LaneCursor.idle
  var x = 0
  var width = 0

  static let idle = 1 << 61
}

extension LaneBody {
  /// Reads, for every column, only the blocks that hold its items in the searched rows, so that one giant item does not
  /// make the search read all blocks beside it. O(columns × log items + found × block).
  func collect(in area: SearchArea, into found: inout [LayoutAttributes]) {
    let rows = area.rows
    guard height > 0, rows.lowerBound < height, rows.upperBound > 0 else { return }
    if found.isEmpty { found.reserveCapacity(expectedCount(in: rows)) }
    var cursors = cursors(in: area, rows)
    var block = cursors.reduce(Int.max) { min($0, $1.block) }
    while block < blockCount {
      found.append(addingCapacity: blockSize) { read(block, &cursors, area, rows, into: &$0) }
      block = advance(&cursors, from: block, end: rows.upperBound)
    }
  }

  private func cursors(in area: SearchArea, _ rows: Range<Int>) -> ContiguousArray<LaneCursor> {
    var cursors = ContiguousArray(repeating: LaneCursor(), count: columns.count)
    // In a block that starts at or above this row all items before it have ended, with their gaps, above the area.
    let row = rows.lowerBound + lineSpacing
    var guess: Int?
    for column in cursors.indices {
      let x = columns.x(of: column)
      let width = columns.width(of: column)
      cursors[column].x = x
      cursors[column].width = width
      guard max(x, area.rect.minX) < min(x + width, area.rect.maxX) else { continue }
      let near = guess ?? guessedBlock(of: column, at: rows.lowerBound)
      let block = lastBlock(of: column, startingAtOrAbove: row, near: near)
      cursors[column].block = block
      guess = block
    }
    return cursors
  }

  private func read(
    _ block: Int, _ allCursors: inout ContiguousArray<LaneCursor>, _ area: SearchArea, _ rows: Range<Int>,
    into found: inout OutputSpan<LayoutAttributes>
  ) {
    var cursors = allCursors.mutableSpan
    for column in cursors.indices {
      cursors[column].end =
        cursors[column].block == block ? starts[block * columns.count + column] : LaneCursor.idle
    }
    let first = block << blockBits
    let words = words.span.extracting(first..<min(first + blockSize, itemCount))
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

  /// Returns the next block that a column needs.
  private func advance(_ allCursors: inout ContiguousArray<LaneCursor>, from block: Int, end: Int) -> Int {
    var cursors = allCursors.mutableSpan
    var nearest = Int.max
    for column in cursors.indices {
      if cursors[column].block == block {
        if cursors[column].end >= end || block + 1 >= blockCount {
          cursors[column].block = .max
        } else if cursors[column].end == starts[block * columns.count + column] {
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
    return min(itemCount, Int(expected * 1.25)) + blockSize
  }
}
