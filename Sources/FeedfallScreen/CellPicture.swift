import WaterfallEngine

/// A picture made into cells, ready to be copied to a canvas as often as it is shown.
public struct CellPicture: Equatable, Sendable {
  /// In cells.
  public let size: Size
  /// `size.width * size.height` cells, row by row.
  let cells: [Cell]

  init(size: Size, cells: [Cell]) {
    precondition(cells.count == size.width * size.height, "\(cells.count) cells for \(size)")
    self.size = size
    self.cells = cells
  }

  /// A frame with a title's first character in its middle, for a screen without colours.
  public init(initialOf title: String, size: Size) {
    var canvas = Canvas(size: size)
    canvas.frame(canvas.bounds, style: Style(.frame))
    let initial = GlyphRun(title.first.map { $0.uppercased() } ?? "")
    if initial.width <= size.width - 2, size.height > 2 {
      let middle = Point(x: (size.width - initial.width) / 2, y: (size.height - 1) / 2)
      canvas.write(initial, at: middle, style: Style(.title))
    }
    self.init(size: canvas.size, cells: canvas.cells)
  }

  /// The cell at a column and a row, which must be the picture's.
  public subscript(x: Int, y: Int) -> Cell { cells[y * size.width + x] }
}

extension Canvas {
  /// Draws a picture, its upper left corner at the rectangle's; what lies outside of the rectangle is cut off.
  /// Complexity: O(number of cells), as fast as memory is copied.
  public mutating func draw(_ picture: CellPicture, in rect: Rect) {
    let shown = Size(width: min(rect.width, picture.size.width), height: min(rect.height, picture.size.height))
    copy(picture.cells, of: picture.size.width, to: visible(Rect(origin: rect.origin, size: shown)), from: rect.origin)
  }

  /// Draws the outline of a rectangle that is at least two cells wide and high.
  fileprivate mutating func frame(_ rect: Rect, style: Style) {
    guard rect.width > 1, rect.height > 1 else { return }
    let (right, bottom) = (rect.maxX - 1, rect.maxY - 1)
    for y in [rect.minY, bottom] {
      fill(Rect(x: rect.minX, y: y, width: rect.width, height: 1), with: Glyph("─"), style: style)
    }
    for x in [rect.minX, right] {
      fill(Rect(x: x, y: rect.minY, width: 1, height: rect.height), with: Glyph("│"), style: style)
    }
    self[rect.minX, rect.minY] = Cell(Glyph("╭"), style)
    self[right, rect.minY] = Cell(Glyph("╮"), style)
    self[rect.minX, bottom] = Cell(Glyph("╰"), style)
    self[right, bottom] = Cell(Glyph("╯"), style)
  }
}
