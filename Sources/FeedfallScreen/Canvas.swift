import WaterfallEngine

/// The screen as a value: a grid of cells that programs draw on and a terminal shows.
///
/// A wide character has a cell for each of its halves, always side by side in one row: whatever cuts one in two, the
/// clip or other writing, leaves blanks. Nothing traps on a position: what lies outside is not drawn.
public struct Canvas: Sendable {
  /// What it was made with; at most 4,096 cells wide and 4,194,304 cells in all, beyond any terminal.
  public let size: Size
  /// The cells, row by row.
  public internal(set) var cells: [Cell]
  /// Where drawing has an effect; writing outside of it is cut off.
  public var clip: Rect
  /// The pictures that may lie over cells, a later one over an earlier.
  public internal(set) var pictures: [PlacedPicture] = []
  /// What of it somebody else paints, where there is anything.
  var reserved: VideoRegion?
  /// Whether nothing has moved for a while, so that it is worth while to send new pictures to the terminal.
  public var isAtRest = false

  /// A canvas of plain blanks. Complexity: O(number of cells).
  public init(size: Size) {
    let width = max(0, min(size.width, 4096))
    let height = max(0, min(size.height, 4_194_304 / max(1, width)))
    self.size = Size(width: width, height: height)
    cells = Array(repeating: Cell(), count: width * height)
    clip = Rect(origin: .zero, size: self.size)
  }

  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// The cell at a column and a row; outside of the canvas a plain blank.
  ///
  /// Setting draws as `write` does: only inside the clip, and a wide character takes the cell to its right as well.
  public subscript(x: Int, y: Int) -> Cell {
    get {
      guard x >= 0 && y >= 0 && x < size.width && y < size.height else { return Cell() }
      return cells[y * size.width + x]
    }
    set {
      let area = visible(Rect(x: x, y: y, width: 1, height: 1))
      if !area.isEmpty { put(newValue, x: x, y: y) }
    }
  }

  /// The part of a rectangle that lies inside of the clip and of the canvas; empty when none does.
  func visible(_ rect: Rect) -> Rect {
    let left = max(0, clip.minX, rect.minX)
    let top = max(0, clip.minY, rect.minY)
    let right = min(size.width, end(clip.minX, clip.width), end(rect.minX, rect.width))
    let bottom = min(size.height, end(clip.minY, clip.height), end(rect.minY, rect.height))
    guard left < right && top < bottom else { return .zero }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  private mutating func put(_ cell: Cell, x: Int, y: Int) {
    let index = y * size.width + x
    if cell.glyph.isContinuation {
      let belongs = x > 0 && cells[index].glyph.isContinuation
      if !belongs { replace(x..<x + 1, y: y) { _ in Cell(.blank, cell.style) } }
    } else if !cell.glyph.isWide {
      replace(x..<x + 1, y: y) { _ in cell }
    } else if visible(Rect(x: x + 1, y: y, width: 1, height: 1)).isEmpty {
      replace(x..<x + 1, y: y) { _ in Cell(.blank, cell.style) }
    } else {
      replace(x..<x + 2, y: y) { $0 == 0 ? cell : Cell(.continuation, cell.style) }
    }
  }

  /// Puts others in the place of some cells of a row, asking for each with its distance from the first.
  ///
  /// Where only half of a wide character goes or comes, blanks take the place of what remains of it: `lastIsCut`
  /// tells that the last new cell is a left half. There must be a column, and all must be of the canvas.
  mutating func replace(_ columns: Range<Int>, y: Int, lastIsCut: Bool = false, with newCell: (Int) -> Cell) {
    let places = makeRoom(columns, y: y)
    var span = cells.mutableSpan
    for index in places { span[index] = newCell(index - places.lowerBound) }
    mendEnds(of: places, lastIsCut: lastIsCut)
  }

  /// The same with cells that are there already, as many as there are columns.
  mutating func replace(_ columns: Range<Int>, y: Int, lastIsCut: Bool, with newCells: ArraySlice<Cell>) {
    precondition(newCells.count == columns.count, "\(newCells.count) cells for \(columns)")
    let places = makeRoom(columns, y: y)
    cells.withUnsafeMutableBufferPointer { cells in
      newCells.withUnsafeBufferPointer { _ = cells[places].update(fromContentsOf: $0) }
    }
    mendEnds(of: places, lastIsCut: lastIsCut)
  }

  /// Blanks the halves of wide characters that will lose their other half; answers where in `cells` the columns are.
  private mutating func makeRoom(_ columns: Range<Int>, y: Int) -> Range<Int> {
    let first = y * size.width + columns.lowerBound
    let end = first + columns.count
    if cells[first].glyph.isContinuation { cells[first - 1].glyph = .blank }
    if columns.upperBound < size.width && cells[end].glyph.isContinuation { cells[end].glyph = .blank }
    return first..<end
  }

  /// Blanks the halves of wide characters that came without the other one.
  private mutating func mendEnds(of places: Range<Int>, lastIsCut: Bool) {
    if cells[places.lowerBound].glyph.isContinuation { cells[places.lowerBound].glyph = .blank }
    if lastIsCut { cells[places.upperBound - 1].glyph = .blank }
  }
}

/// Where a stretch ends, or the end of all numbers.
private func end(_ start: Int, _ length: Int) -> Int {
  let (sum, overflow) = start.addingReportingOverflow(length)
  return overflow ? (length > 0 ? .max : .min) : sum
}
