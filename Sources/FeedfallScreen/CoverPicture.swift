/// A cover as it is shown.
public struct CoverPicture: Equatable, Sendable {
  public var cells: CellPicture
  /// The same in pixels, for a terminal that can show these; nil where none were wished for.
  public var pixels: PixelBuffer?
  /// Its average colour, to stand in its place before it is there the next time.
  public var average: RGB

  public init(cells: CellPicture, pixels: PixelBuffer? = nil, average: RGB) {
    self.cells = cells
    self.pixels = pixels
    self.average = average
  }

  /// About how much memory it takes, in bytes.
  public var byteCount: Int {
    cells.size.width * cells.size.height * MemoryLayout<Cell>.stride + (pixels?.bytes.count ?? 0)
  }
}
