import WaterfallEngine

extension Canvas {
  /// Draws one line of text and returns how many cells it took, those left of the clip included.
  ///
  /// Writing stops before a character that would pass `maxWidth`, without a mark (see `truncated`), and at the
  /// clip's right edge. Complexity: O(number of cells up to that edge).
  @discardableResult
  public mutating func write(_ text: String, at point: Point, maxWidth: Int? = nil, style: Style) -> Int {
    let room = min(maxWidth ?? .max, roomRight(of: point.x))
    return write(GlyphRun(text, firstCells: room), at: point, maxWidth: maxWidth, style: style)
  }

  /// Draws text that was cut into glyphs before; as `write` of a text does.
  @discardableResult
  public mutating func write(_ run: GlyphRun, at point: Point, maxWidth: Int? = nil, style: Style) -> Int {
    let allowed = run.glyphs.wholeGlyphs(in: maxWidth ?? .max)
    let used = min(allowed, roomRight(of: point.x))
    let area = visible(Rect(x: point.x, y: point.y, width: used, height: 1))
    guard !area.isEmpty else { return used }
    let first = area.minX - point.x
    let glyphs = run.glyphs
    let next = first + area.width
    let lastIsCut = next < allowed && glyphs[next].isContinuation
    replace(area.minX..<area.maxX, y: point.y, lastIsCut: lastIsCut) { Cell(glyphs[first + $0], style) }
    return used
  }

  /// Makes every cell of a rectangle show `glyph`; a wide one takes two, and a last odd column is blank.
  public mutating func fill(_ rect: Rect, with glyph: Glyph = .blank, style: Style) {
    let area = visible(rect)
    let left = Cell(glyph.isContinuation ? .blank : glyph, style)
    let right = glyph.isWide ? Cell(.continuation, style) : left
    let lastIsCut = right != left && !area.width.isMultiple(of: 2)
    for y in area.minY..<area.maxY {
      replace(area.minX..<area.maxX, y: y, lastIsCut: lastIsCut) { $0.isMultiple(of: 2) ? left : right }
    }
  }

  /// Draws all cells of another canvas with its pictures and its video, its upper left corner at a point; the other's
  /// clip does not matter.
  public mutating func draw(_ other: Canvas, at point: Point) {
    pictures += other.pictures.map { $0.drawn(on: self, at: point) }
    if let video = other.reserved { takeOver(video.moved(by: point)) }
    copy(other.cells, of: other.size.width, to: visible(Rect(origin: point, size: other.size)), from: point)
  }

  /// Copies rows of cells, each `width` long and the first one's first cell at `origin`, to an area they cover.
  mutating func copy(_ source: [Cell], of width: Int, to area: Rect, from origin: Point) {
    for y in area.minY..<area.maxY {
      let row = (y - origin.y) * width
      let first = row + area.minX - origin.x
      let next = area.maxX - origin.x
      let lastIsCut = next < width && source[row + next].glyph.isContinuation
      replace(area.minX..<area.maxX, y: y, lastIsCut: lastIsCut, with: source[first..<first + area.width])
    }
  }

  /// How many cells there are from a column to the clip's right edge.
  private func roomRight(of column: Int) -> Int {
    let edge = visible(Rect(x: 0, y: clip.minY, width: size.width, height: clip.height)).maxX
    let (room, overflow) = edge.subtractingReportingOverflow(column)
    return overflow ? (column < 0 ? .max : 0) : max(0, room)
  }
}

extension [Glyph] {
  /// How many cells of at most `width` hold whole glyphs.
  fileprivate func wholeGlyphs(in width: Int) -> Int {
    guard width < count else { return count }
    guard width > 0 else { return 0 }
    return self[width].isContinuation ? width - 1 : width
  }
}
