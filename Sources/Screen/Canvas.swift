import Geometry

/// The screen as a value: a grid of cells that programs draw on and a terminal shows.
public struct Canvas: Equatable, Sendable {
  public let size: Size
  /// The cells, row by row.
  public private(set) var cells: [Cell]
  /// Where drawing has an effect; writing outside of it is cut off.
  public var clip: Rect

  public init(size: Size) {
    self.size = size
    cells = Array(repeating: Cell(), count: max(0, size.width) * max(0, size.height))
    clip = Rect(origin: .zero, size: size)
  }

  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// The cell at a column and a row inside the canvas.
  public subscript(x: Int, y: Int) -> Cell {
    get { cells[y * size.width + x] }
    set { cells[y * size.width + x] = newValue }
  }
}
