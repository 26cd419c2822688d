import WaterfallEngine

/// The screen as a value: a grid of cells to draw on.
///
/// A wide character has a cell for each of its halves, side by side in one row. If the clip or other drawing cuts one
/// in two, the remaining half becomes blank. No position traps: drawing outside of the canvas has no effect.
public struct Canvas: Equatable, Sendable {
  /// The size, limited to 4,096 columns and 4,194,304 cells, which is beyond any terminal.
  public let size: Size
  /// The widths of the text that is written.
  public let widths: TextWidths
  /// The cells, row by row.
  public private(set) var cells: [Cell]
  /// The area that drawing affects.
  public var clip: Rect { didSet { window = Self.part(of: clip, inside: bounds) } }
  private var window: Rect
  /// The pictures over the cells, from back to front.
  public private(set) var pictures: [PlacedPicture] = []
  /// Including cells that later drawing has covered.
  private var links: [Link] = []
  /// The video's frame and brightness, without its visible parts.
  private var reserved: VideoRegion?
  /// Whether nothing has moved for a while, so that new pictures are worth sending to the terminal.
  public var isAtRest = false

  /// Creates a canvas of plain blanks. Complexity: O(number of cells).
  public init(size: Size, widths: TextWidths = TextWidths()) {
    let width = max(0, min(size.width, 4096))
    let height = max(0, min(size.height, 4_194_304 / max(1, width)))
    self.size = Size(width: width, height: height)
    self.widths = widths
    cells = Array(unsafeUninitializedCapacity: width * height) { buffer, count in
      count = width * height
      buffer[..<count].fill(with: Cell())
    }
    clip = Rect(origin: .zero, size: self.size)
    window = clip
  }

  public var bounds: Rect { Rect(origin: .zero, size: size) }

  /// The cell at a column and a row; a plain blank outside of the canvas.
  ///
  /// Setting works like `write`: only inside the clip, and a wide character also takes the cell to its right.
  public subscript(x: Int, y: Int) -> Cell {
    get {
      guard x >= 0 && y >= 0 && x < size.width && y < size.height else { return Cell() }
      return cells[y * size.width + x]
    }
    set {
      let (glyph, isVisible) = (newValue.glyph, !visible(Rect(x: x, y: y, width: 1, height: 1)).isEmpty)
      guard isVisible, !(glyph.isContinuation && x > 0 && self[x, y].glyph.isContinuation) else { return }
      fill(Rect(x: x, y: y, width: glyph.isWide ? 2 : 1, height: 1), with: glyph, style: newValue.style)
    }
  }

  private func visible(_ rect: Rect) -> Rect { Self.part(of: rect, inside: window) }

  /// Returns the part of a rectangle inside of another, whose coordinates are those of a canvas; zero if there is none.
  private static func part(of rect: Rect, inside window: Rect) -> Rect {
    let left = max(window.minX, rect.minX)
    let top = max(window.minY, rect.minY)
    let right = min(window.maxX, end(rect.minX, rect.width))
    let bottom = min(window.maxY, end(rect.minY, rect.height))
    guard left < right && top < bottom else { return .zero }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Halves of wide characters that lose their other half become blank; `lastIsCut` means that the last new cell is a
  /// left half. The columns must not be empty and must lie inside of the canvas.
  private mutating func replace(_ columns: Range<Int>, y: Int, lastIsCut: Bool, with newCell: (Int) -> Cell) {
    let places = blankOutside(columns, y: y)
    var span = cells.mutableSpan
    for index in places { span[index] = newCell(index - places.lowerBound) }
    blankCutEnds(of: places, lastIsCut: lastIsCut)
  }

  /// The cell is no half of a wide character.
  private mutating func replace(_ columns: Range<Int>, y: Int, withCopiesOf cell: Cell) {
    let places = blankOutside(columns, y: y)
    cells.withUnsafeMutableBufferPointer { $0[places].fill(with: cell) }
  }

  private mutating func replace(
    _ columns: Range<Int>, y: Int, lastIsCut: Bool, with glyphs: ArraySlice<Glyph>, _ style: Style
  ) {
    precondition(glyphs.count == columns.count, "\(glyphs.count) glyphs for \(columns)")
    let places = blankOutside(columns, y: y)
    cells.withUnsafeMutableBufferPointer { cells in
      glyphs.withUnsafeBufferPointer { glyphs in
        for offset in glyphs.indices { cells[places.lowerBound + offset] = Cell(glyphs[offset], style) }
      }
    }
    blankCutEnds(of: places, lastIsCut: lastIsCut)
  }

  private mutating func replace(_ columns: Range<Int>, y: Int, lastIsCut: Bool, with newCells: ArraySlice<Cell>) {
    precondition(newCells.count == columns.count, "\(newCells.count) cells for \(columns)")
    let places = blankOutside(columns, y: y)
    cells.withUnsafeMutableBufferPointer { cells in
      newCells.withUnsafeBufferPointer { _ = cells[places].update(fromContentsOf: $0) }
    }
    blankCutEnds(of: places, lastIsCut: lastIsCut)
  }

  /// Returns the columns' indices in `cells`.
  private mutating func blankOutside(_ columns: Range<Int>, y: Int) -> Range<Int> {
    let first = y * size.width + columns.lowerBound
    let end = first + columns.count
    if cells[first].glyph.isContinuation { cells[first - 1].glyph = .blank }
    if columns.upperBound < size.width && cells[end].glyph.isContinuation { cells[end].glyph = .blank }
    return first..<end
  }

  private mutating func blankCutEnds(of places: Range<Int>, lastIsCut: Bool) {
    if cells[places.lowerBound].glyph.isContinuation { cells[places.lowerBound].glyph = .blank }
    if lastIsCut { cells[places.upperBound - 1].glyph = .blank }
  }

  /// Draws one line of text and returns the number of cells it takes, including those left of the clip.
  ///
  /// Drawing stops before a character that would exceed `maxWidth`, without an ellipsis (see `truncated`), and at the
  /// clip's right edge. Complexity: O(number of cells up to that edge).
  @discardableResult
  public mutating func write(_ text: String, at point: Point, maxWidth: Int? = nil, style: Style) -> Int {
    let room = min(maxWidth ?? .max, roomRight(of: point.x))
    return write(GlyphRun(text, firstCells: room, widths: widths), at: point, maxWidth: maxWidth, style: style)
  }

  /// Draws text that is already split into glyphs; see `write` of a text.
  @discardableResult
  public mutating func write(_ run: GlyphRun, at point: Point, maxWidth: Int? = nil, style: Style) -> Int {
    let allowed = run.glyphs.wholeGlyphs(in: maxWidth ?? .max)
    let used = min(allowed, roomRight(of: point.x))
    let area = visible(Rect(x: point.x, y: point.y, width: used, height: 1))
    guard !area.isEmpty else { return used }
    let first = area.minX - point.x
    let next = first + area.width
    let lastIsCut = next < allowed && run.glyphs[next].isContinuation
    replace(area.minX..<area.maxX, y: point.y, lastIsCut: lastIsCut, with: run.glyphs[first..<next], style)
    return used
  }

  /// Fills a rectangle with a glyph. A wide one takes two cells, and a last odd column is blank.
  public mutating func fill(_ rect: Rect, with glyph: Glyph = .blank, style: Style) {
    let area = visible(rect)
    let left = Cell(glyph.isContinuation ? .blank : glyph, style)
    guard glyph.isWide else {
      for y in area.minY..<area.maxY { replace(area.minX..<area.maxX, y: y, withCopiesOf: left) }
      return
    }
    let right = Cell(.continuation, style)
    let lastIsCut = !area.width.isMultiple(of: 2)
    for y in area.minY..<area.maxY {
      replace(area.minX..<area.maxX, y: y, lastIsCut: lastIsCut) { $0.isMultiple(of: 2) ? left : right }
    }
  }

  /// Draws the outline of a rectangle that is at least two cells wide and high.
  public mutating func frame(_ rect: Rect, style: Style) {
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

  /// Mixes the colors of cells and of pictures that lie inside with gray, and dims text without colors of its own,
  /// except badges. Complexity: O(number of cells).
  public mutating func fade(_ rect: Rect) {
    for index in pictures.indices where pictures[index].frame.intersection(rect) == pictures[index].frame {
      pictures[index].isFaded = true
    }
    changeStyles(in: visible(rect)) { $0.fade() }
  }

  private mutating func changeStyles(in area: Rect, _ change: (inout Style) -> Void) {
    for y in area.minY..<area.maxY {
      for x in area.minX..<area.maxX { change(&cells[y * size.width + x].style) }
    }
  }

  /// Draws a picture with its upper left corner at the rectangle's; the parts outside of the rectangle are cut off.
  /// Complexity: O(number of cells), at the speed of copying memory.
  public mutating func draw(_ picture: CellPicture, in rect: Rect) {
    let width = picture.size.width
    let shown = Size(width: min(rect.width, width), height: min(rect.height, picture.size.height))
    let area = visible(Rect(origin: rect.origin, size: shown))
    for y in area.minY..<area.maxY {
      let row = (y - rect.origin.y) * width
      let first = row + area.minX - rect.origin.x
      let next = area.maxX - rect.origin.x
      let lastIsCut = next < width && picture.cells[row + next].glyph.isContinuation
      replace(area.minX..<area.maxX, y: y, lastIsCut: lastIsCut, with: picture.cells[first..<first + area.width])
    }
  }

  private func roomRight(of column: Int) -> Int {
    let (room, overflow) = window.maxX.subtractingReportingOverflow(column)
    return overflow ? (column < 0 ? .max : 0) : max(0, room)
  }

  /// Places a picture over cells that are already drawn. Terminals without pictures show the cells.
  ///
  /// Later drawing covers the picture. The same `id` and the same size in cells always mean the same pixels, which
  /// should have the proportions of the cells that they cover. Complexity: O(number of cells).
  public mutating func place(_ pixels: PixelBuffer, id: Int, over frame: Rect, hasRoundedTop: Bool = false) {
    let area = visible(frame)
    guard !area.isEmpty else { return }
    pictures.append(PlacedPicture(id: id, pixels: pixels, frame: frame, hasRoundedTop: hasRoundedTop, area: area))
    changeStyles(in: area) { $0.isUnderPicture = true }
  }

  /// The visible pictures, with their visible parts. Complexity: O(number of cells that pictures take).
  public var visiblePictures: [PlacedPicture] {
    guard !pictures.isEmpty else { return [] }
    let owners = pictureOwners
    return pictures.indices.compactMap { index in
      var picture = pictures[index]
      picture.parts = parts(in: picture.area) { owners[$0] == Int32(index + 1) }
      return picture.parts.isEmpty ? nil : picture
    }
  }

  /// For each cell the index of its visible picture plus one; 0 for none.
  private var pictureOwners: [Int32] {
    var owners = [Int32](repeating: 0, count: cells.count)
    for (index, picture) in pictures.enumerated() {
      let area = picture.area
      for y in area.minY..<area.maxY {
        for cell in y * size.width + area.minX..<y * size.width + area.maxX where cells[cell].style.isUnderPicture {
          owners[cell] = Int32(index + 1)
        }
      }
    }
    return owners
  }

  /// Returns the cells of an area whose index satisfies the predicate, as disjoint rectangles from top to bottom.
  private func parts(in area: Rect, where isPart: (Int) -> Bool) -> [Rect] {
    var parts: [Rect] = []
    for y in area.minY..<area.maxY {
      var x = area.minX
      while x < area.maxX {
        let start = x
        while x < area.maxX, isPart(y * size.width + x) { x += 1 }
        if start < x { parts.add(Rect(x: start, y: y, width: x - start, height: 1)) }
        x += 1
      }
    }
    return parts
  }

  /// Cells that are a link, for terminals that can open it.
  public struct Link: Equatable, Sendable {
    public let address: String
    public let frame: Rect
  }

  /// Makes drawn cells a link to an address. Later drawing covers it. Complexity: O(number of cells).
  public mutating func link(_ frame: Rect, to address: String) {
    let area = visible(frame)
    guard !area.isEmpty else { return }
    links.append(Link(address: address, frame: area))
    changeStyles(in: area) { $0.isLinked = true }
  }

  /// The visible parts of the links. Complexity: O(number of cells that they take).
  public var visibleLinks: [Link] {
    links.flatMap { link in
      parts(in: link.frame) { cells[$0].style.isLinked }.map { Link(address: link.address, frame: $0) }
    }
  }

  /// A part of a canvas that is reserved for video frames, which the terminal paints.
  public struct VideoRegion: Equatable, Sendable {
    /// The cells of the whole picture, including those that are clipped or covered.
    public let frame: Rect
    /// From 0 to 100; 50 is unchanged.
    public let brightness: Int
    /// The visible cells, as disjoint rectangles from top to bottom.
    public fileprivate(set) var parts: [Rect] = []
  }

  /// Reserves a frame for a video, instead of an earlier one; later drawing covers it. Complexity: O(number of cells).
  public mutating func reserve(_ frame: Rect, brightness: Int = 50) {
    let area = visible(frame)
    guard !area.isEmpty else { return }
    if let old = reserved { changeStyles(in: Self.part(of: old.frame, inside: bounds)) { $0.isReserved = false } }
    reserved = VideoRegion(frame: frame, brightness: brightness)
    var style = Style(.cover)
    style.isReserved = true
    fill(frame, style: style)
  }

  /// The video, if it is at least partly visible. Complexity: O(number of cells that it takes).
  public var video: VideoRegion? {
    guard var video = reserved else { return nil }
    video.parts = parts(in: Self.part(of: video.frame, inside: bounds)) { cells[$0].style.isReserved }
    return video.parts.isEmpty ? nil : video
  }

  /// Returns the cells as a terminal shows them after scrolling: rows that are scrolled in are plain blanks. Pictures
  /// and the video are omitted. Complexity: O(number of cells), at the speed of copying memory.
  public func scrolled(by shift: RowShift) -> Canvas {
    var result = Canvas(size: size, widths: widths)
    for y in 0..<size.height {
      let source = shift.region.contains(y) ? y + shift.distance : y
      guard shift.region.contains(y) == shift.region.contains(source), hasRow(source) else { continue }
      let row = y * size.width..<(y + 1) * size.width
      result.cells.replaceSubrange(row, with: cells[source * size.width..<(source + 1) * size.width])
    }
    return result
  }

  /// The text of the canvas: its rows without trailing blanks, joined by line feeds.
  public var text: String {
    (0..<size.height).map { y in
      var glyphs = cells[y * size.width..<(y + 1) * size.width].map(\.glyph)
      glyphs.removeTrailingBlanks()
      return String(glyphs)
    }.joined(separator: "\n")
  }

  /// Complexity: O(number of cells), at the speed of reading memory.
  public static func == (one: Canvas, other: Canvas) -> Bool {
    one.size == other.size && one.clip == other.clip && one.isAtRest == other.isAtRest
      && one.pictures == other.pictures && one.links == other.links && one.reserved == other.reserved
      && haveSameBytes(one.cells.span, other.cells.span)
  }

  /// Whether a row is the same in both canvases; false if one has no such row or the widths differ.
  public func rowIsEqual(_ y: Int, to other: Canvas) -> Bool {
    guard hasRow(y), other.hasRow(y), size.width == other.size.width else { return false }
    let row = y * size.width..<(y + 1) * size.width
    return haveSameBytes(cells.span.extracting(row), other.cells.span.extracting(row))
  }

  private func hasRow(_ y: Int) -> Bool { y >= 0 && y < size.height }
}

/// Returns the end of a range, or the largest number on overflow.
private func end(_ start: Int, _ length: Int) -> Int {
  let (sum, overflow) = start.addingReportingOverflow(length)
  return overflow ? (length > 0 ? .max : .min) : sum
}

extension [Glyph] {
  fileprivate func wholeGlyphs(in width: Int) -> Int {
    guard width < count else { return count }
    guard width > 0 else { return 0 }
    return self[width].isContinuation ? width - 1 : width
  }
}

extension [Rect] {
  /// Adds a part of a row to the rectangle directly above it, or as a new rectangle.
  fileprivate mutating func add(_ row: Rect) {
    let above = firstIndex { $0.maxY == row.minY && $0.minX == row.minX && $0.width == row.width }
    guard let above else { return append(row) }
    let old = self[above]
    self[above] = Rect(x: old.minX, y: old.minY, width: old.width, height: old.height + 1)
  }
}
