/// Where items lie once it is known in which columns.
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

  /// Keeps what is known about all items, after some came. O(columns + items from `first` on if there are flat ones).
  mutating func noteItems(from first: Int) {
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
