import Geometry
import Screen

/// A video's cover: a calm block in a colour of the video's own, with the duration on it.
struct CoverView {
  var color: RGB
  /// What stands in its corner.
  var badge: GlyphRun?

  func draw(in frame: Rect, on canvas: inout Canvas) {
    guard !frame.isEmpty else { return }
    let style = Style(.cover, foreground: color.readableText, background: color)
    // Blank cells say nothing of a foreground: that would be told to the terminal for nothing.
    canvas.fill(frame, style: Style(.cover, background: color))
    if frame.width >= 2 {
      canvas.write("╭", at: frame.origin, style: style)
      canvas.write("╮", at: Point(x: frame.maxX - 1, y: frame.minY), style: style)
    }
    guard let badge else { return }
    let width = badge.width + 1
    guard width < frame.width else { return }
    canvas.write(badge, at: Point(x: frame.maxX - width, y: frame.maxY - 1), style: style)
  }

}
