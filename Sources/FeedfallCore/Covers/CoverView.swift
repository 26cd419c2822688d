import FeedfallScreen
import WaterfallEngine

/// A cover that is there; with the same number it is always the same picture.
struct ShownCover: Equatable, Sendable {
  var picture: CoverPicture
  var id: Int
}

/// A video's cover, or what stands in its place, with the duration on it.
struct CoverView {
  enum Ground: Equatable {
    case picture(ShownCover)
    /// A calm block, until the picture is there.
    case color(RGB)
    /// A frame with the title's first letter, where there are no colours.
    case initial(of: String)
  }

  var ground: Ground
  /// What stands in its corner.
  var badge: GlyphRun?
  /// Whether a player's mark stands in its middle.
  var hasPlayMark = false

  func draw(in frame: Rect, on canvas: inout Canvas) {
    guard !frame.isEmpty else { return }
    switch ground {
    case .picture(let cover):
      canvas.draw(cover.picture.cells, in: frame)
      if let pixels = cover.picture.pixels { canvas.place(pixels, id: cover.id, over: frame) }
    case .color(let color): drawBlock(color, in: frame, on: &canvas)
    case .initial(let title): canvas.draw(CellPicture(initialOf: title, size: frame.size), in: frame)
    }
    if hasPlayMark { drawMark(inMiddleOf: frame, on: &canvas) }
    if let badge { draw(badge, in: frame, on: &canvas) }
  }

  private func drawBlock(_ color: RGB, in frame: Rect, on canvas: inout Canvas) {
    let style = Style(.cover, foreground: color.readableText, background: color)
    // Blank cells say nothing of a foreground: that would be told to the terminal for nothing.
    canvas.fill(frame, style: Style(.cover, background: color))
    guard frame.width >= 2 else { return }
    canvas.write("╭", at: frame.origin, style: style)
    canvas.write("╮", at: Point(x: frame.maxX - 1, y: frame.minY), style: style)
  }

  private func draw(_ badge: GlyphRun, in frame: Rect, on canvas: inout Canvas) {
    let width = badge.width + 1
    guard width < frame.width else { return }
    let start = Point(x: frame.maxX - width, y: frame.maxY - 1)
    switch ground {
    case .color(let color):
      canvas.write(badge, at: start, style: Style(.cover, foreground: color.readableText, background: color))
    // The ground could be of any colour.
    case .picture: drawBlock(badge, at: start, on: &canvas)
    // The frame keeps its corner.
    case .initial where width + 2 < frame.width:
      drawBlock(badge, at: Point(x: start.x - 1, y: start.y), on: &canvas)
    case .initial: break
    }
  }

  /// Words with a ground of their own, a blank on either side.
  private func drawBlock(_ words: GlyphRun, at start: Point, on canvas: inout Canvas) {
    let block = Rect(x: start.x - 1, y: start.y, width: words.width + 2, height: 1)
    canvas.fill(block, style: Style(.badge))
    canvas.write(words, at: start, style: Style(.badge))
  }

  private func drawMark(inMiddleOf frame: Rect, on canvas: inout Canvas) {
    guard frame.width > 4, frame.height > 1 else { return }
    let middle = Point(x: frame.minX + (frame.width - 1) / 2, y: frame.minY + (frame.height - 1) / 2)
    drawBlock(GlyphRun("▶"), at: middle, on: &canvas)
  }
}
