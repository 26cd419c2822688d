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
  /// The row above which the badge must be; nil for the end of the cover.
  var badgeLimit: Int?
  /// Whether there is a play mark in the middle.
  var hasPlayMark = false
  /// Whether a picture in pixels has rounded upper corners.
  var hasRoundedTop = false

  private var hasFrame: Bool {
    if case .initial = ground { true } else { false }
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    guard !frame.isEmpty else { return }
    switch ground {
    case .picture(let cover):
      canvas.draw(cover.picture.cells, in: frame)
      if let pixels = cover.picture.pixels {
        canvas.place(pixels, id: cover.id, over: frame, hasRoundedTop: hasRoundedTop)
      }
    // Blank cells need no foreground: setting it would cost bytes.
    case .color(let color): canvas.fill(frame, style: Style(.cover, background: color))
    case .initial(let title): canvas.draw(CellPicture(initialOf: title, size: frame.size), in: frame)
    }
    if hasPlayMark { drawMark(inMiddleOf: frame, on: &canvas) }
    if let badge { draw(badge, in: frame, on: &canvas) }
  }

  /// Whether a badge fits on a cover of this width.
  static func fits(_ badge: GlyphRun, width: Int) -> Bool { badge.width + 2 <= width }

  private func draw(_ badge: GlyphRun, in frame: Rect, on canvas: inout Canvas) {
    guard Self.fits(badge, width: frame.width) else { return }
    // The corner of a frame stays visible where there is room.
    let corner = hasFrame && Self.fits(badge, width: frame.width - 2) ? 1 : 0
    let start = Point(x: frame.maxX - badge.width - 1 - corner, y: min(frame.maxY, badgeLimit ?? frame.maxY) - 1)
    drawBlock(badge, at: start, on: &canvas)
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
