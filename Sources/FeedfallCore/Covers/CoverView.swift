import FeedfallScreen
import WaterfallEngine

/// A loaded cover; the same number always stands for the same picture.
struct ShownCover: Equatable, Sendable {
  var picture: CoverPicture
  var id: Int
}

/// Draws a video's cover or its placeholder, with the duration on it.
struct CoverView {
  enum Ground: Equatable {
    case picture(ShownCover)
    /// A placeholder until the picture arrives.
    case color(RGB)
    /// A frame with the title's first letter, for terminals without colors.
    case initial(of: String)
  }

  var ground: Ground
  /// The text in the corner.
  var badge: GlyphRun?
  /// Whether there is a play mark in the middle.
  var hasPlayMark = false
  var hasRoundedTop = false

  func draw(in frame: Rect, on canvas: inout Canvas) {
    guard !frame.isEmpty else { return }
    switch ground {
    case .picture(let cover):
      canvas.draw(cover.picture.cells, in: frame)
      if let pixels = cover.picture.pixels { canvas.place(pixels, id: cover.id, over: frame) }
    // Blank cells need no foreground: setting it would cost bytes.
    case .color(let color): canvas.fill(frame, style: Style(.cover, background: color))
    case .initial(let title): canvas.draw(CellPicture(initialOf: title, size: frame.size), in: frame)
    }
    if hasRoundedTop { roundTop(of: frame, on: &canvas) }
    if hasPlayMark { drawMark(inMiddleOf: frame, on: &canvas) }
    if let badge { draw(badge, in: frame, on: &canvas) }
  }

  /// Cuts a quarter off the cells in the upper corners. A frame without colors has its own corners.
  private func roundTop(of frame: Rect, on canvas: inout Canvas) {
    if case .initial = ground { return }
    guard frame.width >= 2, frame.height >= 2 else { return }
    for (x, corner) in [(frame.minX, "▟"), (frame.maxX - 1, "▙")] {
      let color = canvas[x, frame.minY].style.background
      canvas.write(corner, at: Point(x: x, y: frame.minY), style: Style(.cover, foreground: color))
    }
  }

  private func draw(_ badge: GlyphRun, in frame: Rect, on canvas: inout Canvas) {
    let width = badge.width + 1
    guard width < frame.width else { return }
    let start = Point(x: frame.maxX - width, y: frame.maxY - 1)
    switch ground {
    case .color(let color):
      canvas.write(badge, at: start, style: Style(.cover, foreground: color.readableText, background: color))
    // The picture could be of any color.
    case .picture: drawBlock(badge, at: start, on: &canvas)
    // The frame's corner stays visible.
    case .initial where width + 2 < frame.width:
      drawBlock(badge, at: Point(x: start.x - 1, y: start.y), on: &canvas)
    case .initial: break
    }
  }

  /// Draws text on its own background, with a blank on either side.
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
