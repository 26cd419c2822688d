import WaterfallEngine

/// The cells that bytes have changed on the screen, and whose pixels and links are gone.
struct CellDamage: Equatable {
  /// The changed columns of each row.
  private(set) var rows: [[Range<Int>]]
  /// Whether rows may have moved.
  private(set) var movesRows = false
  private let width: Int

  /// No damage.
  init(on size: Size) {
    rows = Array(repeating: [], count: size.height)
    width = size.width
  }

  func overlaps(_ area: Rect) -> Bool {
    (max(0, area.minY)..<max(0, min(area.maxY, rows.count))).contains { y in
      rows[y].contains { $0.overlaps(area.minX..<area.maxX) }
    }
  }

  mutating func add(_ columns: Range<Int>, row y: Int) {
    let columns = columns.clamped(to: 0..<width)
    guard rows.indices.contains(y), !columns.isEmpty else { return }
    guard let last = rows[y].last, last.lowerBound <= columns.lowerBound, columns.lowerBound <= last.upperBound else {
      return rows[y].append(columns)
    }
    rows[y][rows[y].count - 1] = last.lowerBound..<max(last.upperBound, columns.upperBound)
  }

  mutating func formUnion(_ other: CellDamage) {
    for (y, ranges) in other.rows.enumerated() { for columns in ranges { add(columns, row: y) } }
    movesRows = movesRows || other.movesRows
  }

  mutating func add(rows changed: Range<Int>) {
    for y in changed { add(0..<width, row: y) }
  }

  mutating func addMoved(rows moved: Range<Int>) {
    add(rows: moved)
    movesRows = true
  }
}
