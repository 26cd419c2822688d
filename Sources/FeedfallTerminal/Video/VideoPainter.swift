import FeedfallScreen
import WaterfallEngine

/// Paints the newest picture of a video into its region, bypassing curses. Tracks the contents of each cell and writes
/// only the differences.
struct VideoPainter {
  private(set) var region: Canvas.VideoRegion?
  /// Whether the screen may differ from the picture.
  private(set) var isStale = false
  private var picture: PixelBuffer?
  /// Whether the picture is finer than two pixels for each cell of a region that it was shown in. It stays so in a
  /// larger region, until a picture of the new size arrives.
  private var isFine = false
  /// The number of pixels for each column of cells: one, or two for quarters.
  private var columnCount = 1
  /// Whether the picture was in a region of its size, which shows the number of columns.
  private var hasKnownColumns = false
  /// The cells of the screen that `shown` covers.
  private var area = Rect.zero
  private var shown: [Cell] = []
  /// The row that was refreshed last, counted from the area's first.
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
  /// counts as painted. Complexity: O(number of pixels) with a changed brightness or a letterbox.
  ///
  /// - Parameter ground: the letterbox's color; nil for black.
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

  /// Sets the region on a screen of this size. Returns the cells that have left it: curses must rewrite them, because
  /// it does not know their contents.
  mutating func setRegion(_ new: Canvas.VideoRegion?, screen: Size) -> [Rect] {
    guard new != region else { return [] }
    let (oldArea, old) = (area, shown)
    let isInPlace = new?.frame == region?.frame
    region = new
    isStale = new != nil
    area = (new?.frame ?? .zero).intersection(Rect(origin: .zero, size: screen))
    shown = Array(repeating: .foreign, count: area.width * area.height)
    for part in new?.parts ?? [] {
      for y in part.minY..<part.maxY {
        for x in part.minX..<part.maxX {
          let index = index(x, y)
          shown[index] = isInPlace && old[index] != .foreign ? old[index] : .unknown
        }
      }
    }
    if let new, light.brightness != new.brightness { light = BrightnessTable(brightness: new.brightness) }
    return releasedCells(of: oldArea, old)
  }

  /// One rectangle per row, which may contain other cells.
  private func releasedCells(of oldArea: Rect, _ old: [Cell]) -> [Rect] {
    (oldArea.minY..<oldArea.maxY).compactMap { y in
      let isReleased = { x in
        old[(y - oldArea.minY) * oldArea.width + x - oldArea.minX] != .foreign && !isVideo(x, y)
      }
      let columns = oldArea.minX..<oldArea.maxX
      guard let first = columns.first(where: isReleased), let last = columns.last(where: isReleased) else { return nil }
      return Rect(x: first, y: y, width: last + 1 - first, height: 1)
    }
  }

  private func isVideo(_ x: Int, _ y: Int) -> Bool {
    x >= area.minX && x < area.maxX && y >= area.minY && y < area.maxY && shown[index(x, y)] != .foreign
  }

  private func index(_ x: Int, _ y: Int) -> Int { (y - area.minY) * area.width + x - area.minX }

  mutating func invalidate(_ columns: Range<Int>, row y: Int) {
    let columns = columns.clamped(to: area.minX..<area.maxX)
    guard y >= area.minY, y < area.maxY else { return }
    for x in columns where shown[index(x, y)] != .foreign {
      shown[index(x, y)] = .unknown
      isStale = true
    }
  }

  /// Returns the bytes that show the picture; none if it is already shown. Complexity: O(number of cells).
  ///
  /// - Parameter ground: the color of cells beside the picture.
  mutating func paint(
    _ quality: VideoPace.Quality, screenWidth: Int, blocks: Blocks, ground: Color = .standard
  ) -> Strokes {
    isStale = false
    updateFineness()
    guard let region, let picture else { return Strokes() }
    let ink = Ink(screenWidth: screenWidth, tolerance: quality.tolerance, hasBlocks: blocks != .none)
    var strokes = Strokes(ink: ink)
    let view = PictureView(
      picture, columnCount: columnCount, in: region.frame, light: light, usesPalette: quality.usesPalette,
      blocks: blocks, ground: ground)
    for part in region.parts {
      for y in part.minY..<part.maxY { paintRow(y, part.minX..<part.maxX, view, quality, with: &strokes) }
    }
    if quality == .full, strokes.rows.count * 2 > area.height { refreshRow(region.parts, view, with: &strokes) }
    return strokes
  }

  /// Rewrites one row, the next one in each frame: some fonts draw beyond their cells, and these remains stay until the
  /// cells change.
  private mutating func refreshRow(
    _ parts: [Rect], _ view: borrowing PictureView, with strokes: inout Strokes
  ) {
    refreshedRow = (refreshedRow + 1) % area.height
    let y = area.minY + refreshedRow
    for part in parts where part.minY <= y && y < part.maxY {
      let columns = part.minX..<part.maxX
      for x in columns { shown[index(x, y)] = .unknown }
      paintRow(y, columns, view, .full, with: &strokes)
    }
  }

  private mutating func paintRow(
    _ y: Int, _ columns: Range<Int>, _ view: borrowing PictureView, _ quality: VideoPace.Quality,
    with strokes: inout Strokes
  ) {
    let first = index(columns.lowerBound, y)
    let tolerance = quality.tolerance
    let start = strokes.ink.bytes.count
    shown.withUnsafeMutableBufferPointer { shown in
      for x in columns {
        let wanted = view[x, y]
        let place = first + x - columns.lowerBound
        if shown[place].matches(wanted, tolerance: tolerance) { continue }
        shown[place] = strokes.ink.write(wanted, at: Point(x: x, y: y))
      }
    }
    let end = strokes.ink.bytes.count
    if end > start {
      strokes.rows.append(OutputParts.Row(y: y, columns: columns))
      strokes.ends.append(end)
    }
  }

  struct Strokes {
    var ink: Ink
    var rows: [OutputParts.Row] = []
    var ends: [Int] = []

    var parts: OutputParts { OutputParts(bytes: ink.bytes, ends: ends, rows: rows) }

    init(ink: Ink = Ink(screenWidth: 0, tolerance: 0)) { self.ink = ink }
  }
}
