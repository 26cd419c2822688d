import WaterfallEngine

/// The cells that a frame written by curses may have changed: one range of columns for each row.
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

  mutating func add(_ other: CellDamage) {
    for (row, columns) in other.rows { add(columns, row: row) }
  }

  /// Returns the damage extended by the side effects of the frame's bytes.
  func caused(by frame: [UInt8], size: Size) -> CellDamage {
    var damage = self
    if CellMovement.clears(frame) || CellMovement.scrolls(frame) {
      damage.add(rows: 0..<size.height, of: size)
    } else if CellMovement.changesRowEnds(frame) {
      for row in rows.keys { damage.add(0..<size.width, row: row) }
    } else {
      // Curses moves the cursor a few cells to the right by writing their characters again.
      for (row, columns) in rows {
        damage.add(columns.lowerBound - Self.longestStep..<columns.upperBound + Self.longestStep, row: row)
      }
    }
    return damage
  }

  private static let longestStep = 10
}

/// The side effects of a frame on cells that it does not write.
enum CellMovement {
  /// Whether the frame moves rows: by scrolling, or by inserting and deleting lines.
  static func scrolls(_ frame: [UInt8]) -> Bool { contains(moving, escapes: Array("MD".utf8), frame) }

  /// Whether the frame clears the screen, or all cells below a position.
  static func clears(_ frame: [UInt8]) -> Bool { contains(Array("J".utf8), escapes: Array("c".utf8), frame) }

  /// Whether the frame clears or shifts the end of a row.
  static func changesRowEnds(_ frame: [UInt8]) -> Bool { contains(Array("K@P".utf8), escapes: [], frame) }

  /// Whether one of the letters ends a control sequence, or one of the escapes follows ESC.
  private static func contains(_ letters: [UInt8], escapes: [UInt8], _ frame: [UInt8]) -> Bool {
    var rest = frame[...]
    while let escape = rest.firstIndex(of: 0x1B) {
      rest = rest[(escape + 1)...]
      guard let kind = rest.popFirst() else { return false }
      if escapes.contains(kind) { return true }
      guard kind == UInt8(ascii: "["), let end = rest.firstIndex(where: { $0 >= 0x40 }) else { continue }
      if letters.contains(rest[end]) { return true }
      rest = rest[(end + 1)...]
    }
    return false
  }

  private static let moving = Array("rSTLM".utf8)
}
