import FeedfallScreen
import WaterfallEngine

/// A rectangle to fill with blanks of one color before its characters are written.
///
/// Filled from top to bottom, a rectangle takes one sequence for its color and a short one for each row, where curses
/// selects color and column again in each row.
struct ScreenFill: Equatable {
  var area: Rect
  let style: Style

  fileprivate var cell: Cell { Cell(.blank, style) }
  fileprivate var columns: Range<Int> { area.minX..<area.maxX }
  fileprivate static let leastCellCount = 8
}

extension Canvas {
  /// Returns disjoint rectangles that are worth filling on a screen that shows `old`, a canvas of the same size. They cut
  /// no wide character. Complexity: O(number of cells).
  func fills(from old: Canvas) -> [ScreenFill] {
    var fills: [ScreenFill] = []
    // The fills that end in the row above.
    var open: Range<Int> = 0..<0
    for y in 0..<size.height {
      let start = fills.count
      if !rowIsEqual(y, to: old) { addFills(inRow: y, below: open, from: old, to: &fills) }
      open = start..<fills.count
    }
    return fills.filter { $0.area.height > 1 }
  }

  private func addFills(inRow y: Int, below open: Range<Int>, from old: Canvas, to fills: inout [ScreenFill]) {
    let columns = y * size.width..<(y + 1) * size.width
    let (row, before) = (cells.span.extracting(columns), old.cells.span.extracting(columns))
    let first = fills.count
    // Also rows that are only partly blank, such as those with a badge.
    for index in open where Self.isWorthFilling(fills[index].columns, with: fills[index].cell, row, before) {
      fills.append(fills[index])
      fills[fills.count - 1].area.size.height += 1
      fills[index].area = .zero
    }
    var x = 0
    while x < row.count {
      let start = x
      let background = row[x].style.background
      var blank: Style?
      while x < row.count, row[x].style.background == background {
        if blank == nil, row[x].glyph == .blank { blank = row[x].style }
        x += 1
      }
      guard background != nil, let blank, x - start >= ScreenFill.leastCellCount,
        !fills[first...].contains(where: { $0.columns.overlaps(start..<x) })
      else { continue }
      let fill = ScreenFill(area: Rect(x: start, y: y, width: x - start, height: 1), style: blank)
      if Self.isWorthFilling(start..<x, with: fill.cell, row, before) { fills.append(fill) }
    }
  }

  private static func isWorthFilling(
    _ columns: Range<Int>, with cell: Cell, _ new: Span<Cell>, _ old: Span<Cell>
  ) -> Bool {
    let cutsCharacter =
      old[columns.lowerBound].glyph.isContinuation
      || columns.upperBound < old.count && old[columns.upperBound].glyph.isContinuation
    guard !cutsCharacter else { return false }
    var filled = 0
    for x in columns {
      switch (new[x] == cell, new[x] == old[x]) {
      case (true, false): filled += 1
      // The character would be written again.
      case (false, true): return false
      case (true, true), (false, false): break
      }
    }
    return filled >= ScreenFill.leastCellCount
  }
}

/// Writes sequences directly to a terminal whose entry is a `DirectColorEntry`. The cursor and the attributes are
/// undefined afterwards.
struct ScreenSequences: Equatable {
  /// Whether erasing (ECH) uses the current background.
  var canErase: Bool
  /// Whether characters can be repeated (REP).
  var canRepeat: Bool

  /// The terminfo strings that a terminal must have.
  static let required = [
    "csr": "\u{1B}[%i%p1%d;%p2%dr", "indn": "\u{1B}[%p1%dS", "rin": "\u{1B}[%p1%dT", "sc": "\u{1B}7", "rc": "\u{1B}8",
    "cup": "\u{1B}[%i%p1%d;%p2%dH",
  ]

  /// Scrolls rows (DECSTBM, SU or SD). The attributes must be reset.
  func scroll(_ shift: RowShift) -> [UInt8] {
    let scroll = shift.distance > 0 ? "\(shift.distance)S" : "\(-shift.distance)T"
    return Array("\u{1B}[\(shift.region.lowerBound + 1);\(shift.region.upperBound)r\u{1B}[\(scroll)\u{1B}[r".utf8)
  }

  /// Fills a rectangle with blanks. `color`: the number of the background, as in `DirectColorEntry`.
  func fill(_ area: Rect, color: Int32) -> [UInt8] {
    var bytes = Array(
      "\u{1B}[\(area.minY + 1);\(area.minX + 1)H\u{1B}[\(Self.parameters(of: color, isBackground: true))m".utf8)
    let row = blanks(area.width, column: area.minX)
    for y in area.minY..<area.maxY {
      if y > area.minY { bytes.append(Self.down) }
      bytes += row
    }
    return bytes
  }

  /// VT: LF may be changed into CR LF.
  private static let down: UInt8 = 0x0B

  /// Writes blanks and returns to the first one.
  private func blanks(_ count: Int, column: Int) -> [UInt8] {
    if canErase { return Array("\u{1B}[\(count)X".utf8) }
    let blanks = canRepeat ? " \u{1B}[\(count - 1)b" : String(repeating: " ", count: count)
    return Array("\(blanks)\u{1B}[\(column + 1)G".utf8)
  }

  /// Returns the parameters of SGR that select a color by its number in a `DirectColorEntry`.
  static func parameters(of color: Int32, isBackground: Bool = false) -> String {
    let start: Int32 = isBackground ? 40 : 30
    return switch color {
    case ..<8: "\(start + color)"
    case ..<16: "\(start + 60 + color - 8)"
    case ..<256: "\(start + 8);5;\(color)"
    default: "\(start + 8);2;\(color >> 16 & 255);\(color >> 8 & 255);\(color & 255)"
    }
  }
}
