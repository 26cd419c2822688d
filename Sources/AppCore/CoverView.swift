import Geometry
import Screen

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

  /// A block of its own, where the ground could be of any colour.
  private func draw(_ badge: GlyphRun, in frame: Rect, on canvas: inout Canvas) {
    let width = badge.width + 1
    guard width < frame.width else { return }
    let start = Point(x: frame.maxX - width, y: frame.maxY - 1)
    if case .color(let color) = ground {
      let style = Style(.cover, foreground: color.readableText, background: color)
      canvas.write(badge, at: start, style: style)
    } else {
      canvas.fill(Rect(x: start.x - 1, y: start.y, width: width + 1, height: 1), style: Style(.badge))
      canvas.write(badge, at: start, style: Style(.badge))
    }
  }

  private func drawMark(inMiddleOf frame: Rect, on canvas: inout Canvas) {
    let mark = Rect(x: frame.minX + (frame.width - 3) / 2, y: frame.minY + (frame.height - 1) / 2, width: 3, height: 1)
    guard frame.width > 4, frame.height > 1 else { return }
    canvas.fill(mark, style: Style(.badge))
    canvas.write("▶", at: Point(x: mark.minX + 1, y: mark.minY), style: Style(.badge))
  }
}
