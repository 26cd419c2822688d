/// The rows of items that follow each other in rows, from left to right and one row below the other; other items are in
/// no rows.
struct ItemRows: Sendable {
  private var firstItems: ContiguousArray<UInt32> = []
  private var itemCount = 0
  /// The first item that is in no row.
  private var firstOutside: Int?

  /// Whether all items are in rows.
  var areComplete: Bool { firstOutside == nil }

  /// Finds the rows again for the items from `first` on. O(items from there on + items of a row).
  mutating func update(_ frames: [Rect], from first: Int) {
    if let firstOutside, firstOutside < first { return }
    firstOutside = nil
    while let last = firstItems.last, last >= first { firstItems.removeLast() }
    itemCount = frames.count
    let start = firstItems.popLast().map { Int($0) } ?? 0
    var bottom = firstItems.last.map { frames[Int($0)..<start].reduce(0) { max($0, $1.maxY) } } ?? 0
    for item in start..<frames.count {
      let frame = frames[item]
      let isInRow = item > start && frame.minY == frames[item - 1].minY && frame.minX >= frames[item - 1].maxX
      guard frame.width > 0, isInRow || frame.minY >= bottom else {
        firstOutside = item
        return
      }
      if !isInRow { firstItems.append(UInt32(item)) }
      bottom = max(bottom, frame.maxY)
    }
  }

  /// The items of a row; empty if there is no such row.
  func items(ofRow row: Int) -> Range<Int> {
    guard firstItems.indices.contains(row) else { return 0..<0 }
    return Int(firstItems[row])..<(row + 1 < firstItems.count ? Int(firstItems[row + 1]) : itemCount)
  }

  /// The last row whose first item satisfies `isReached`, as those of all rows before do; the first if none does.
  /// O(log rows).
  func lastRow(where isReached: (_ firstItem: Int) -> Bool) -> Int {
    max(0, firstItems.indices.partitioningIndex { !isReached(Int(firstItems[$0])) } - 1)
  }
}
