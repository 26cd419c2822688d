import WaterfallEngine

/// A picture drawn with cells, ready to be copied to canvases.
public struct CellPicture: Equatable, Sendable {
  /// In cells.
  public let size: Size
  /// `size.width * size.height` cells, row by row.
  let cells: [Cell]

  init(size: Size, cells: [Cell]) {
    precondition(cells.count == size.width * size.height, "\(cells.count) cells for \(size)")
    (self.size, self.cells) = (size, cells)
  }

  /// Draws a frame with a title's first character in its middle, for screens without colours.
  public init(initialOf title: String, size: Size, _ widths: TextWidths) {
    var canvas = Canvas(size: size, widths: widths)
    canvas.frame(canvas.bounds, style: Style(.frame))
    let initial = GlyphRun(title.first.map { $0.uppercased() } ?? "", widths: widths)
    if initial.width <= size.width - 2, size.height > 2 {
      let middle = Point(x: (size.width - initial.width) / 2, y: (size.height - 1) / 2)
      canvas.write(initial, at: middle, style: Style(.title))
    }
    self.init(size: canvas.size, cells: canvas.cells)
  }

  /// Returns the picture in another size, coarsely: each cell is the nearest one of this picture.
  public func scaled(to size: Size) -> CellPicture {
    guard !cells.isEmpty, size.width > 0, size.height > 0 else { return self }
    let columns = (0..<size.width).map { $0 * self.size.width / size.width }
    let scaled = (0..<size.height).flatMap { y in
      columns.map { self[$0, y * self.size.height / size.height] }
    }
    return CellPicture(size: size, cells: scaled)
  }

  /// The cell at a column and a row, which must exist.
  public subscript(x: Int, y: Int) -> Cell { cells[y * size.width + x] }
}

/// A cover, ready to be shown.
public struct CoverPicture: Equatable, Sendable {
  public var cells: CellPicture
  /// The pixels for terminals that show them; nil if they were not requested.
  public var pixels: PixelBuffer?
  /// The average colour, shown as a placeholder the next time.
  public var average: RGB
  /// The length of the video that it was made of, in seconds; nil for other pictures.
  public var videoSeconds: Double?
  /// Whether a server has just sent it.
  public var isFromServer = false
  /// The size in pixels of the whole picture, upright, or a smaller one of the same proportions; nil if it is unknown.
  public var originalSize: Size?
  /// The time from which a retry by the user requests the picture again, and the time at which it becomes stale, in
  /// seconds since 1970; nil for a local picture, which is read once.
  public var freshness: Range<Int>?

  public init(cells: CellPicture, pixels: PixelBuffer? = nil, average: RGB) {
    (self.cells, self.pixels, self.average) = (cells, pixels, average)
  }

  /// Whether both look the same on the screen.
  public func looksEqual(to other: CoverPicture) -> Bool {
    average == other.average && cells == other.cells && pixels == other.pixels
  }

  /// The approximate size in memory, in bytes.
  public var byteCount: Int {
    cells.size.width * cells.size.height * MemoryLayout<Cell>.stride + (pixels?.bytes.count ?? 0)
  }
}

/// The user's choice of how pictures are shown.
public enum PictureChoice: String, CaseIterable, Sendable {
  /// The best that the terminal supports.
  case auto
  case kitty, sixel
  /// Quarters and eighths of cells, with two colours a cell.
  case cells
  /// Also finer block characters, which some fonts lack.
  case symbols
  case none
}

/// Returns the height of a picture in cells for a width of `columns` cells.
///
/// `aspect` is the picture's width divided by its height, `cellSize` a cell's size in any unit. The result is rounded
/// and between 1 and 4,096. An aspect that is not a positive number counts as 16:9, and a cell without a size as half
/// as wide as high.
public func pictureHeight(forWidth columns: Int, aspect: Double, cellSize: Size) -> Int {
  let ratio = aspect.isFinite && aspect > 0 ? aspect : 16.0 / 9.0
  let hasSize = cellSize.width > 0 && cellSize.height > 0
  let cellRatio = hasSize ? Double(cellSize.width) / Double(cellSize.height) : 0.5
  let rows = Double(max(0, columns)) * cellRatio / ratio
  return Int(max(1, min(rows, 4096)) + 0.5)
}

/// A picture in pixels, placed over cells of a canvas that approximate it.
public struct PlacedPicture: Equatable, Sendable {
  /// Identifies the picture: the same `id` and the same size in cells mean the same pixels.
  public let id: Int
  public let pixels: PixelBuffer
  /// The cells of the whole picture, including those that are clipped or covered.
  public internal(set) var frame: Rect
  /// Whether the upper corners of the pixels are rounded.
  public let hasRoundedTop: Bool
  /// Whether the picture is shown with less contrast (see `Canvas.fade`).
  public internal(set) var isFaded = false
  /// The part of `frame` inside of the clip in effect when the picture was placed.
  var area: Rect
  /// The visible cells, as disjoint rectangles from top to bottom; only for `Canvas.visiblePictures`.
  public internal(set) var parts: [Rect] = []

  /// The pixels as they are shown. Complexity: O(number of pixels) for a faded picture.
  public var shownPixels: PixelBuffer { isFaded ? pixels.faded : pixels }

  public static func == (one: PlacedPicture, other: PlacedPicture) -> Bool {
    one.id == other.id && one.frame == other.frame && one.area == other.area
      && one.hasRoundedTop == other.hasRoundedTop && one.isFaded == other.isFaded && one.parts == other.parts
  }
}
