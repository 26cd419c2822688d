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
    var writer: CellWriter
    let tolerance: Int
    let hasBlocks: Bool

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

  enum Blocks {
    /// None, because they take two cells in a terminal for East Asian text: each cell has one color.
    case none
    case halves
    case quarters
  }

  /// Maps cells of a frame to the pixels of a centered picture, cropped or surrounded by the background.
  struct PictureView {
    private let picture: PixelBuffer
    /// The pixels that are no letterbox.
    private let content: Rect
    private let origin: Point
    /// The number of pixels for each column of cells: one or two.
    private let columnCount: Int
    private let light: BrightnessTable
    private let usesPalette: Bool
    private let blocks: Blocks
    private let ground: CellColor

    init(
      _ picture: PixelBuffer, columnCount: Int, in frame: Rect, light: BrightnessTable, usesPalette: Bool,
      blocks: Blocks, ground: CellColor
    ) {
      self.picture = picture
      content = picture.content
      (self.columnCount, self.light, self.usesPalette) = (columnCount, light, usesPalette)
      (self.blocks, self.ground) = (blocks, ground)
      let columns = (picture.size.width + columnCount - 1) / columnCount
      let rows = (picture.size.height + 1) / 2
      origin = Point(x: frame.minX + (frame.width - columns) >> 1, y: frame.minY + (frame.height - rows) >> 1)
    }

    @inline(__always)
    subscript(x: Int, y: Int) -> FilmCell {
      let (column, row) = ((x - origin.x) * columnCount, (y - origin.y) * 2)
      guard column + columnCount > content.minX, column < content.maxX, row + 1 >= content.minY, row < content.maxY
      else { return FilmCell(ground) }
      if blocks == .none { return plain(column, row) }
      return columnCount == 1 ? halves(column, row) : quarters(column, row)
    }

    /// At least one of the pixels is in the content.
    private func plain(_ column: Int, _ row: Int) -> FilmCell {
      let columns = max(column, content.minX)..<min(column + columnCount, content.maxX)
      let rows = max(row, content.minY)..<min(row + 2, content.maxY)
      let count = columns.count * rows.count
      var (red, green, blue) = (count / 2, count / 2, count / 2)
      for row in rows {
        for column in columns {
          let pixel = pixel(column, row)
          red += Int(pixel.red)
          green += Int(pixel.green)
          blue += Int(pixel.blue)
        }
      }
      return FilmCell(color(RGB(red: UInt8(red / count), green: UInt8(green / count), blue: UInt8(blue / count))))
    }

    @inline(__always)
    private func halves(_ column: Int, _ row: Int) -> FilmCell {
      FilmCell(
        first: row >= content.minY ? color(pixel(column, row)) : ground,
        second: row + 1 < content.maxY ? color(pixel(column, row + 1)) : ground, quarters: FilmCell.upperHalf)
    }

    @inline(__always)
    private func quarters(_ column: Int, _ row: Int) -> FilmCell {
      guard column >= content.minX, column + 1 < content.maxX, row >= content.minY, row + 1 < content.maxY else {
        return edge(column, row)
      }
      let (upper, lower) = (
        (pixel(column, row), pixel(column + 1, row)), (pixel(column, row + 1), pixel(column + 1, row + 1))
      )
      guard blocks == .quarters else {
        return FilmCell(first: mean(upper.0, upper.1), second: mean(lower.0, lower.1), quarters: FilmCell.upperHalf)
      }
      let split = BlockGlyphs.QuarterSplit(upper.0, upper.1, lower.0, lower.1)
      let ground = color(split.ground)
      return split.quarters == 0
        ? FilmCell(ground) : FilmCell(first: color(split.ink), second: ground, quarters: split.quarters)
    }

    /// The pixels in one color on the background.
    private func edge(_ column: Int, _ row: Int) -> FilmCell {
      let columns = max(column, content.minX)...min(column + 1, content.maxX - 1)
      let rows = max(row, content.minY)...min(row + 1, content.maxY - 1)
      let ink = mean(pixel(columns.lowerBound, rows.lowerBound), pixel(columns.upperBound, rows.upperBound))
      let inRow: UInt8 =
        blocks == .quarters ? (columns.contains(column) ? 1 : 0) | (columns.contains(column + 1) ? 2 : 0) : 3
      let quarters = (rows.contains(row) ? inRow : 0) | (rows.contains(row + 1) ? inRow << 2 : 0)
      return quarters == FilmCell.whole ? FilmCell(ink) : FilmCell(first: ink, second: ground, quarters: quarters)
    }

    @inline(__always)
    private func pixel(_ column: Int, _ row: Int) -> RGB {
      let pixel = picture[column, row]
      return RGB(red: light[pixel.red], green: light[pixel.green], blue: light[pixel.blue])
    }

    @inline(__always)
    private func mean(_ one: RGB, _ other: RGB) -> CellColor {
      func mean(_ one: UInt8, _ other: UInt8) -> UInt8 { UInt8((Int(one) + Int(other) + 1) / 2) }
      return color(
        RGB(red: mean(one.red, other.red), green: mean(one.green, other.green), blue: mean(one.blue, other.blue)))
    }

    @inline(__always)
    private func color(_ pixel: RGB) -> CellColor {
      let color = CellColor(red: pixel.red, green: pixel.green, blue: pixel.blue)
      return usesPalette ? CellColor(nearestTo: color) : color
    }
  }

  struct BrightnessTable {
    /// From 0 to 100: 0 is black, 50 is unchanged, 100 is twice as bright.
    let brightness: Int
    private let levels: [UInt8]

    init(brightness: Int) {
      self.brightness = brightness
      let factor = max(0, min(brightness, 100))
      levels = (0..<256).map { UInt8(min(255, $0 * factor / 50)) }
    }

    @inline(__always)
    subscript(level: UInt8) -> UInt8 { levels[Int(level)] }
  }
}

struct FilmCell: Equatable, BitwiseCopyable {
  /// The color of the upper left quarter.
  var first: CellColor
  var second: CellColor
  /// The quarters with the first color, one bit each: upper left, upper right, lower left, lower right.
  var quarters: UInt8

  static let upperHalf: UInt8 = 0b0011
  static let whole: UInt8 = 0b1111

  /// The last byte in UTF-8, and of the scalar, of each block character that draws these quarters.
  static let blocks: InlineArray<16, UInt8> = [
    0, 0x98, 0x9D, 0x80, 0x96, 0x8C, 0x9E, 0x9B, 0x97, 0x9A, 0x90, 0x9C, 0x84, 0x99, 0x9F, 0x88,
  ]

  /// The quarters that a block character from U+2580 to U+259F draws; 0 for others.
  private static let quartersOfBlocks: InlineArray<32, UInt8> = {
    var quarters = InlineArray<32, UInt8>(repeating: 0)
    for index in 1..<16 { quarters[Int(blocks[index]) & 31] = UInt8(index) }
    return quarters
  }()

  /// - Parameter quarters: with the first color; any but none or all, also without the upper left one.
  @inline(__always)
  init(first: CellColor, second: CellColor, quarters: UInt8) {
    let isInOrder = quarters & 1 != 0
    self.first = isInOrder ? first : second
    self.second = isInOrder ? second : first
    self.quarters = isInOrder ? quarters : Self.whole & ~quarters
  }

  @inline(__always)
  init(_ color: CellColor) { self.init(first: color, second: color, quarters: Self.upperHalf) }

  /// Fails for a cell that was not written for a film, or whose colors are unknown.
  @inline(__always)
  init?(_ shown: ShownCell) {
    guard shown.kind == .film, shown.glyph != ShownCell.unknown.glyph else { return nil }
    let quarters = shown.glyph == .blank ? 0 : Self.quartersOfBlocks[Int(shown.glyph.base) & 31]
    switch quarters {
    case 0: self.init(shown.pen.ground)
    case Self.whole: self.init(shown.pen.text)
    default: self.init(first: shown.pen.text, second: shown.pen.ground, quarters: quarters)
    }
  }

  /// Whether this cell can stay instead of `wanted`. The quarters of a cell of one color do not matter.
  @inline(__always)
  func matches(_ wanted: FilmCell, tolerance: Int) -> Bool {
    (quarters == wanted.quarters || first == second || wanted.first == wanted.second)
      && first.matches(wanted.first, tolerance: tolerance) && second.matches(wanted.second, tolerance: tolerance)
  }
}
