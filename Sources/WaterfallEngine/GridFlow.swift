/// Rows of items of any width, each with as many as fit, from the left.
struct GridFlow: Sendable {
  private let columns: ColumnGeometry
  private let end: Int
  private var firstItems: ContiguousArray<UInt32> = []
  private var starts: ContiguousArray<Int32> = []
  private var ends: ContiguousArray<Int32> = []

  /// Takes over rows of columns. O(itemCount).
  init(columns: ColumnGeometry, itemCount: Int) {
    self.columns = columns
    end = columns.whole.x(of: 0) + columns.whole.width(of: 0)
    for item in 0..<itemCount {
      let column = item % columns.count
      if column == 0 { firstItems.append(UInt32(item)) }
      starts.append(Int32(columns.x(of: column)))
      ends.append(Int32(columns.x(of: column) + columns.width(of: column)))
    }
  }

  var rowCount: Int { firstItems.count }

  var storedByteCount: Int { (firstItems.capacity + starts.capacity + ends.capacity) * MemoryLayout<Int32>.stride }

  func firstItem(ofRow row: Int) -> Int { Int(firstItems[row]) }

  func widths(of item: Int) -> Range<Int> { Int(starts[item])..<Int(ends[item]) }

  /// O(log rows).
  func row(of item: Int) -> Int {
    var low = 0
    var high = rowCount
    while high - low > 1 {
      let middle = (low + high) / 2
      if firstItems[middle] <= item { low = middle } else { high = middle }
    }
    return low
  }

  /// nil stands for a column's width. O(number of widths).
  mutating func append(_ widths: [Int?]) {
    for width in widths {
      let left = columns.x(of: 0)
      let width = min(width ?? columns.width, end - left)
      var x = ends.last.map { Int($0) + columns.spacing } ?? left
      if ends.isEmpty || x + width > end {
        x = left
        firstItems.append(UInt32(ends.count))
      }
      starts.append(Int32(x))
      ends.append(Int32(x + width))
    }
  }

  /// Leaves only the first rows. O(1) amortized.
  mutating func truncate(toRow row: Int) {
    guard row < rowCount else { return }
    let count = firstItem(ofRow: row)
    starts.removeSubrange(count...)
    ends.removeSubrange(count...)
    firstItems.removeSubrange(row...)
  }
}
