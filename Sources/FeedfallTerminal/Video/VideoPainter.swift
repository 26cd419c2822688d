import FeedfallScreen
import WaterfallEngine

struct VideoPainter {
  private(set) var region: Canvas.VideoRegion?
  private(set) var isStale = false
  private var picture: PixelBuffer?
  /// Whether the picture is finer than two pixels for each cell of a region that it was shown in. It stays so in a
  /// larger region, until a picture of the new size arrives.
  private var isFine = false
  /// The number of pixels for each column of cells: one, or two for quarters.
  private var columnCount = 1
  /// Whether the picture was in a region of its size, which shows the number of columns.
  private var hasKnownColumns = false
  /// The row that was refreshed last, counted from the region's first.
  private var refreshedRow = 0
  private var light = BrightnessTable(brightness: 50)

  /// Sets the newest picture: two rows of pixels for each row of cells, and one or two columns for each column.
  mutating func setPicture(_ picture: PixelBuffer?) {
    self.picture = picture
    isStale = true
    isFine = false
    hasKnownColumns = false
    updateFineness()
  }

  /// Returns the newest picture with the region's brightness, if it is finer than two pixels for each cell; it then
  /// counts as painted. `ground` is the letterbox's color; nil for black.
  mutating func dequeueFinePicture(ground: RGB?) -> PixelBuffer? {
    updateFineness()
    guard region != nil, var picture, isFine else { return nil }
    isStale = false
    if light.brightness != 50 {
      let bytes = picture.bytes.map { light[$0] }
      picture = PixelBuffer(size: picture.size, bytes: bytes, content: picture.content) ?? picture
    }
    if let ground { picture.fillLetterbox(with: ground) }
    return picture
  }

  private mutating func updateFineness() {
    guard let region, let picture else { return }
    isFine = isFine || picture.size.height > region.frame.height * 2
    guard !hasKnownColumns, picture.size.height == region.frame.height * 2 else { return }
    for count in 1...2 where picture.size.width == region.frame.width * count {
      columnCount = count
      hasKnownColumns = true
    }
  }

  mutating func postpone() { isStale = true }

  var hasPicture: Bool { picture != nil }

  mutating func setRegion(_ new: Canvas.VideoRegion?) {
    guard new != region else { return }
    region = new
    isStale = new != nil
    if let new, light.brightness != new.brightness { light = BrightnessTable(brightness: new.brightness) }
  }

  /// The cells of `shown` become those of the picture. `ground` is the color beside it.
  mutating func paint(
    _ quality: VideoPace.Quality, on shown: inout ShownScreen, _ writer: CellWriter, blocks: Blocks,
    ground: CellColor = .standard
  ) -> OutputParts {
    isStale = false
    updateFineness()
    guard let region, let picture else { return OutputParts() }
    var strokes = Strokes(writer: writer, tolerance: quality.tolerance, hasBlocks: blocks != .none)
    let view = PictureView(
      picture, columnCount: columnCount, in: region.frame, light: light, usesPalette: quality.usesPalette,
      blocks: blocks, ground: ground)
    for part in region.parts {
      for y in part.minY..<part.maxY { strokes.paint(y, part.minX..<part.maxX, view, on: &shown) }
    }
    if quality == .full, strokes.parts.rows.count * 2 > region.frame.height {
      refreshRow(region, view, on: &shown, with: &strokes)
    }
    return strokes.finish()
  }

  /// Rewrites one row, the next one in each frame: some fonts draw beyond their cells, and these remains stay until the
  /// cells change.
  private mutating func refreshRow(
    _ region: Canvas.VideoRegion, _ view: borrowing PictureView, on shown: inout ShownScreen,
    with strokes: inout Strokes
  ) {
    refreshedRow = (refreshedRow + 1) % region.frame.height
    let y = region.frame.minY + refreshedRow
    for part in region.parts where part.minY <= y && y < part.maxY {
      strokes.paint(y, part.minX..<part.maxX, view, on: &shown, isWhole: true)
    }
  }

  private struct Strokes {
    var parts = OutputParts()
    private var writer: CellWriter
    private let tolerance: Int
    private let hasBlocks: Bool

    init(writer: CellWriter, tolerance: Int, hasBlocks: Bool) {
      (self.writer, self.tolerance, self.hasBlocks) = (writer, tolerance, hasBlocks)
    }

    mutating func paint(
      _ y: Int, _ columns: Range<Int>, _ view: borrowing PictureView, on shown: inout ShownScreen, isWhole: Bool = false
    ) {
      let start = writer.bytes.count
      for x in columns {
        let wanted = view[x, y]
        if !isWhole, FilmCell(shown[x, y])?.matches(wanted, tolerance: tolerance) == true { continue }
        shown[x, y] = writer.write(wanted, at: Point(x: x, y: y), tolerance: tolerance, hasBlocks: hasBlocks)
      }
      guard writer.bytes.count > start else { return }
      parts.rows.append(OutputParts.Row(y: y, columns: columns))
      parts.ends.append(writer.bytes.count)
    }

    /// The attributes need no reset, because the cursor is restored after a frame.
    mutating func finish() -> OutputParts {
      parts.bytes = writer.bytes
      return parts
    }
  }
}
