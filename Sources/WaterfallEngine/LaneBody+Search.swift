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

  /// How long the column's items among these are, with a gap for each.
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

  /// The last block in which the column's next item starts at or above `row`; the first if none does. The search sets
  /// out from a block near it. O(log distance).
  func lastBlock(of column: Int, startingAtOrAbove row: Int, near guess: Int) -> Int {
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

  /// A block near a row in a column: where it is if all items are equally high, put right once by how far off that is.
  func guessedBlock(of column: Int, at row: Int) -> Int {
    let row = min(max(row, 0), height)
    let blocksPerRow = Double(blockCount) / Double(max(height, 1))
    let guess = min(Int(Double(row) * blocksPerRow), blockCount - 1)
    let distance = Double(row - start(ofBlock: guess, column: column)) * blocksPerRow
    return min(max(guess + Int(distance), 0), blockCount - 1)
  }

  /// The first block from `block` on in which the column grows; the number of blocks if none. O(log distance).
  func block(from block: Int, inWhichGrows column: Int) -> Int {
    let start = start(ofBlock: block, column: column)
    var low = block
    var step = 1
    // The column is no longer at the beginning of `low` than at that of `block`.
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
      guard let next = hasFlatItems ? block - 1 : self.block(before: block, inWhichGrew: column) else { return nil }
      end = (next + 1) << blockBits
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
      let next = hasFlatItems || block + 1 >= blockCount ? block + 1 : self.block(from: block + 1, inWhichGrows: column)
      first = next << blockBits
    }
    return nil
  }

  @inline(__always)
  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    var column = words[item].column + step
    while column >= 0, column < columns.count, !usedColumns[column] { column += step }
    guard column >= 0, column < columns.count else { return nil }
    if let home = goal.home?.item, words.indices.contains(home), words[home].column == column,
      words[home].height == 0
    {
      return (home, column)
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

  /// The item nearest to a row in a used column, the upper of two as near. The search sets out from a block.
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

  /// With where the next one starts; -1 if there is none. Without branches: whether an item lies in the column would be
  /// guessed wrong too often.
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
