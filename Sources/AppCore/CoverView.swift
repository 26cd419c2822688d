import Geometry
import Screen
import VideoFeed

/// A video's cover: a calm block in a colour of the video's own, with the duration on it.
struct CoverView {
  var video: Video

  func draw(in frame: Rect, on canvas: inout Canvas) {
    guard !frame.isEmpty else { return }
    let background = coverColor(forID: video.id)
    let style = Style(.cover, foreground: background.readableText, background: background)
    // Blank cells say nothing of a foreground: that would be told to the terminal for nothing.
    canvas.fill(frame, style: Style(.cover, background: background))
    if frame.width >= 2 {
      canvas.write("╭", at: frame.origin, style: style)
      canvas.write("╮", at: Point(x: frame.maxX - 1, y: frame.minY), style: style)
    }
    guard let badge else { return }
    let width = cellWidth(of: badge) + 1
    guard width < frame.width else { return }
    canvas.write(badge, at: Point(x: frame.maxX - width, y: frame.maxY - 1), style: style)
  }

  private var badge: String? {
    switch video.live {
    case .live: "● live"
    case .upcoming: "upcoming"
    case .ended, nil: video.duration.map(\.description)
    }
  }
}
