import FeedfallScreen
import WaterfallEngine

/// A rectangle to fill with blanks of one color before its characters are written.
///
/// Filled from top to bottom, a rectangle takes one sequence for its color and a short one for each row, where curses
/// selects color and column again in each row.
struct ScreenFill: Equatable {
  var area: Rect
  let style: Style

  /// Characters in the area, on its color.
  struct Ink: Equatable {
    var row: Int
    var columns: Range<Int>
  }

  fileprivate var cell: Cell { Cell(.blank, style) }
  fileprivate var columns: Range<Int> { area.minX..<area.maxX }
  fileprivate static let leastCellCount = 8
}

extension Canvas {
  /// Returns disjoint rectangles that are worth filling on a screen that shows `old`, a canvas of the same size, in the
  /// order in which to write them. They cut no wide character. Complexity: O(number of cells).
  func fills(from old: Canvas) -> [ScreenFill] {
    var fills: [ScreenFill] = []
    // The fills that end in the row above.
    var open: Range<Int> = 0..<0
    for y in 0..<size.height {
      let start = fills.count
      if !rowIsEqual(y, to: old) { addFills(inRow: y, below: open, from: old, to: &fills) }
      open = start..<fills.count
    }
    // Fills below each other follow each other, because the way from one to the next is short.
    return fills.filter { $0.area.height > 1 }.sorted {
      ($0.area.minX, $0.area.minY) < ($1.area.minX, $1.area.minY)
    }
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

  /// Returns the characters to write together with a fill: those of its role and on its color, as long as `isNarrow` is
  /// true for them. Curses would select both colors again in each row.
  func inks(in fill: ScreenFill, isNarrow: (Glyph) -> Bool) -> [ScreenFill.Ink] {
    var inks: [ScreenFill.Ink] = []
    for y in fill.area.minY..<fill.area.maxY {
      let row = cells.span.extracting(y * size.width..<(y + 1) * size.width)
      var x = fill.area.minX
      while x < fill.area.maxX {
        let start = x
        while x < fill.area.maxX, row[x].style == row[start].style, row[x].isInk(on: fill), isNarrow(row[x].glyph) {
          x += 1
        }
        if x == start { x += 1 } else { inks.append(ScreenFill.Ink(row: y, columns: start..<x)) }
      }
    }
    return inks
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

extension Cell {
  fileprivate func isInk(on fill: ScreenFill) -> Bool {
    guard self != fill.cell, style.foreground != nil, !style.isReserved else { return false }
    return style.role == fill.style.role && style.background == fill.style.background
  }
}
