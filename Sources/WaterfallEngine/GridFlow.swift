/// Rows of items of any width, each with as many as fit, from the left.
struct GridFlow: Sendable {
  private let columns: ColumnGeometry
  private let end: Int
  private var firstItems: ContiguousArray<UInt32> = []
  private var starts: ContiguousArray<Int32> = []
  /// The widths that the host wants; 0 for a column's.
  private var wantedWidths: ContiguousArray<Int32> = []
  /// How many items have widths of their own.
  private(set) var ownWidthCount = 0

  /// Lays items without widths of their own out. O(itemCount).
  init(columns: ColumnGeometry, itemCount: Int) {
    self.columns = columns
    end = columns.whole.x(of: 0) + columns.whole.width(of: 0)
    append([Int?](repeating: nil, count: itemCount))
  }

  var rowCount: Int { firstItems.count }

  var storedByteCount: Int {
    (firstItems.capacity + starts.capacity + wantedWidths.capacity) * MemoryLayout<Int32>.stride
  }

  func firstItem(ofRow row: Int) -> Int { Int(firstItems[row]) }

  func wantedWidth(of item: Int) -> Int? { wantedWidths[item] > 0 ? Int(wantedWidths[item]) : nil }

  func extent(of item: Int) -> Range<Int> {
    let start = Int(starts[item])
    return start..<start + width(for: wantedWidth(of: item))
  }

  /// No item is wider than a row.
  private func width(for wanted: Int?) -> Int { min(wanted ?? columns.width, end - columns.x(of: 0)) }

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
    let left = columns.x(of: 0)
    for wanted in widths {
      let next = starts.isEmpty ? end : extent(of: starts.count - 1).upperBound + columns.spacing
      let fits = !starts.isEmpty && next + width(for: wanted) <= end
      if !fits { firstItems.append(UInt32(starts.count)) }
      starts.append(Int32(fits ? next : left))
      wantedWidths.append(Int32(wanted ?? 0))
      if wanted != nil { ownWidthCount += 1 }
    }
  }

  /// Leaves only the first rows. O(items that go).
  mutating func truncate(toRow row: Int) {
    guard row < rowCount else { return }
    let count = firstItem(ofRow: row)
    ownWidthCount -= wantedWidths[count...].count { $0 > 0 }
    starts.removeSubrange(count...)
    wantedWidths.removeSubrange(count...)
    firstItems.removeSubrange(row...)
  }
}
