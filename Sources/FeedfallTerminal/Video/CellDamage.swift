import WaterfallEngine

/// The cells in which a frame of curses' may have changed what is seen: in each row those from the first to the last.
struct CellDamage: Equatable {
  private(set) var rows: [Int: Range<Int>] = [:]

  mutating func add(_ columns: Range<Int>, row: Int) {
    guard let old = rows[row] else {
      rows[row] = columns
      return
    }
    rows[row] = min(old.lowerBound, columns.lowerBound)..<max(old.upperBound, columns.upperBound)
  }

  mutating func add(rows: Range<Int>, of size: Size) {
    for row in rows.clamped(to: 0..<size.height) { add(0..<size.width, row: row) }
  }

  /// What it comes to when these bytes are what makes the changes.
  func caused(by frame: [UInt8], size: Size) -> CellDamage {
    var damage = self
    if CellMovement.clears(frame) || CellMovement.scrolls(frame) {
      damage.add(rows: 0..<size.height, of: size)
    } else if CellMovement.changesRests(ofRowsBy: frame) {
      for row in rows.keys { damage.add(0..<size.width, row: row) }
    } else {
      // Curses goes some cells to the right by writing once more what is there.
      for (row, columns) in rows {
        damage.add(columns.lowerBound - Self.longestStep..<columns.upperBound + Self.longestStep, row: row)
      }
    }
    return damage
  }

  private static let longestStep = 10
}
