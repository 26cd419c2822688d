import Geometry

/// Items in rows of equal columns, top-aligned; a row is as high as its highest item. At most 12 bytes an item.
struct RowBody: SectionBody {
  let columns: ColumnGeometry
  let lineSpacing: Int
  private var heights: ContiguousArray<Int32> = []
  /// The top of each row, below the items' top.
  private var rowTops: ContiguousArray<Int> = []
  private var lastRowHeight = 0

  init(columns: ColumnGeometry, lineSpacing: Int) {
    self.columns = columns
    self.lineSpacing = lineSpacing
  }

  var itemCount: Int { heights.count }
  var usedColumnCount: Int { min(columns.count, itemCount) }
  var height: Int { (rowTops.last ?? 0) + lastRowHeight }

  var storedByteCount: Int {
    heights.capacity * MemoryLayout<Int32>.stride + rowTops.capacity * MemoryLayout<Int>.stride
  }

  /// O(number of heights).
  mutating func append(_ heights: [Int]) {
    precondition(heights.count <= LayoutLimits.itemCount - itemCount, "a section holds at most 2^30 items")
    self.heights.growReserve(for: heights.count)
    rowTops.growReserve(for: (itemCount + heights.count + columns.count - 1) / columns.count - rowTops.count)
    var room = rowTops.count * columns.count - itemCount
    for height in heights {
      if room == 0 {
        openRow()
        room = columns.count
      }
      let height = height.asItemHeight
      self.heights.append(Int32(height))
      lastRowHeight = max(lastRowHeight, height)
      room -= 1
    }
  }

  private mutating func openRow() {
    rowTops.append(rowTops.isEmpty ? 0 : height + lineSpacing)
    lastRowHeight = 0
  }

  /// O(1).
  func frame(of item: Int) -> Rect {
    let (row, column) = item.quotientAndRemainder(dividingBy: columns.count)
    return frame(of: item, row: row, column: column)
  }

  private func frame(of item: Int, row: Int, column: Int) -> Rect {
    Rect(
      x: columns.x(of: column), y: rowTops[row], width: columns.width(of: column), height: Int(heights[item]))
  }

  /// O(log rows + items of the rows found).
  func collect(in rect: Rect, section: Int, top: Int, into found: inout [LayoutAttributes]) {
    let area = rect.offsetBy(x: 0, y: -top)
    guard area.minY < height, area.maxY > 0 else { return }
    for row in self.row(at: area.minY)..<rowTops.count {
      guard rowTops[row] < area.maxY else { return }
      let first = row * columns.count
      for item in first..<min(first + columns.count, itemCount) {
        let frame = frame(of: item, row: row, column: item - first)
        guard frame.intersects(area) else { continue }
        found.append(
          LayoutAttributes(
            kind: .item, path: ElementPath(section: section, item: item), frame: frame.offsetBy(x: 0, y: top))
        )
      }
    }
  }

  /// The last row that starts at or above `row`; the first if none does.
  private func row(at position: Int) -> Int {
    var low = 0
    var high = rowTops.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if rowTops[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }
}

extension RowBody {
  func column(of item: Int) -> Int { item % columns.count }

  func item(above item: Int) -> Int? { item >= columns.count ? item - columns.count : nil }

  func item(below item: Int) -> Int? { item < itemCount - columns.count ? item + columns.count : nil }

  /// O(log rows).
  func item(inColumn column: Int, nearestTo row: Int) -> Int {
    let item = self.row(at: row) * columns.count + column
    return item < itemCount ? item : item - columns.count
  }
}
