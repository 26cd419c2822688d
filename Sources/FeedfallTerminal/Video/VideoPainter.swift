import FeedfallScreen
import WaterfallEngine

/// Paints the newest picture of a video into the cells that are left to it, beside curses: only those that differ from
/// what it has painted there. It knows of each cell what is seen there, or that nobody knows.
struct VideoPainter {
  private(set) var region: VideoRegion?
  /// Whether what is seen may be something else than the picture.
  private(set) var isSpoiled = false
  private var picture: PixelBuffer?
  /// What of the screen `shown` tells of.
  private var area = Rect.zero
  private var shown: [VideoCell] = []
  /// The row that was written anew last, counted from the area's first.
  private var freshRow = 0
  private var light = BrightnessTable(brightness: 50)

  /// Takes the newest picture: two rows of pixels for each row of cells.
  mutating func take(_ picture: PixelBuffer?) {
    self.picture = picture
    isSpoiled = true
  }

  /// Takes what of a screen of this size is the video's from now on, and answers the rows with cells that no longer are:
  /// curses believes that it knows what is seen there, and does not.
  mutating func take(_ new: VideoRegion?, screen: Size) -> [Range<Int>] {
    guard new != region else { return [] }
    let (oldArea, old) = (area, shown)
    let isInPlace = new?.frame == region?.frame
    region = new
    isSpoiled = new != nil
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
    return rowsGivenBack(of: oldArea, old)
  }

  private func rowsGivenBack(of oldArea: Rect, _ old: [VideoCell]) -> [Range<Int>] {
    (oldArea.minY..<oldArea.maxY).filter { y in
      (oldArea.minX..<oldArea.maxX).contains { x in
        old[(y - oldArea.minY) * oldArea.width + x - oldArea.minX] != .foreign && !isVideo(x, y)
      }
    }.map { $0..<$0 + 1 }
  }

  private func isVideo(_ x: Int, _ y: Int) -> Bool {
    x >= area.minX && x < area.maxX && y >= area.minY && y < area.maxY && shown[index(x, y)] != .foreign
  }

  private func index(_ x: Int, _ y: Int) -> Int { (y - area.minY) * area.width + x - area.minX }

  /// Nobody knows any more what is seen in these columns of a row.
  mutating func forget(_ columns: Range<Int>, row y: Int) {
    let columns = columns.clamped(to: area.minX..<area.maxX)
    guard y >= area.minY, y < area.maxY else { return }
    for x in columns where shown[index(x, y)] != .foreign {
      shown[index(x, y)] = .unknown
      isSpoiled = true
    }
  }

  /// The bytes that make the terminal show the picture, none where it does. Complexity: O(number of cells).
  mutating func paint(_ quality: VideoQuality, screenWidth: Int) -> VideoStrokes {
    isSpoiled = false
    guard let region, let picture else { return VideoStrokes() }
    var strokes = VideoStrokes(ink: VideoInk(screenWidth: screenWidth, tolerance: quality.tolerance))
    let view = PictureView(picture, in: region.frame, light: light, usesPalette: quality.usesPalette)
    for part in region.parts {
      for y in part.minY..<part.maxY { paintRow(y, part.minX..<part.maxX, view, quality, with: &strokes) }
    }
    if quality == .full, strokes.rows.count * 2 > area.height { freshenRow(region.parts, view, with: &strokes) }
    return strokes
  }

  /// Writes a row anew, with each frame the next one: some fonts draw beyond their cells, and what they leave there stays
  /// as long as those cells do not change.
  private mutating func freshenRow(
    _ parts: [Rect], _ view: borrowing PictureView, with strokes: inout VideoStrokes
  ) {
    freshRow = (freshRow + 1) % area.height
    let y = area.minY + freshRow
    for part in parts where part.minY <= y && y < part.maxY {
      let columns = part.minX..<part.maxX
      for x in columns { shown[index(x, y)] = .unknown }
      paintRow(y, columns, view, .full, with: &strokes)
    }
  }

  private mutating func paintRow(
    _ y: Int, _ columns: Range<Int>, _ view: borrowing PictureView, _ quality: VideoQuality,
    with strokes: inout VideoStrokes
  ) {
    let first = index(columns.lowerBound, y)
    let tolerance = quality.tolerance
    let start = strokes.ink.bytes.count
    shown.withUnsafeMutableBufferPointer { shown in
      for x in columns {
        let wanted = view[x, y]
        let place = first + x - columns.lowerBound
        if shown[place].passes(for: wanted, tolerance: tolerance) { continue }
        shown[place] = strokes.ink.put(wanted, at: Point(x: x, y: y))
      }
    }
    let end = strokes.ink.bytes.count
    if end > start { strokes.rows.append(.init(y: y, columns: columns, end: end)) }
  }
}

/// What paints a picture, and where in it each row of cells ends.
struct VideoStrokes {
  struct Row: Equatable {
    var y: Int
    var columns: Range<Int>
    /// How many bytes there are up to its end.
    var end: Int
  }

  var ink: VideoInk
  var rows: [Row] = []
  var bytes: [UInt8] { ink.bytes }

  init(ink: VideoInk = VideoInk(screenWidth: 0, tolerance: 0)) { self.ink = ink }
}
