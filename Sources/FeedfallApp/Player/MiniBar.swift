import FeedfallScreen
import WaterfallEngine

struct MiniBar {
  var screen: PlayerScreen
  var words: Words
  var spinner: String
  var widths: TextWidths

  private static let leastTitleWidth = 12
  private static let gap = 2

  private var session: PlaySession { screen.session }

  private var signWidth: Int { widths.width(of: "▶") + 1 }

  /// The texts on both sides of the progress bar, from the longest to the shortest.
  private var edges: [(left: String, right: String)] {
    let progress = PlayerProgress(screen)
    let (left, total) = ("\(progress.timeText) ", " \(progress.totalText)")
    let signs = Words.signs(of: session.settings)
    let level = screen.level.map { [(left, "\(total) \(Words.level($0, in: session.settings))")] } ?? []
    return level + [
      (left, "\(total)\(signs)\(words.wayBack)"), (left, "\(total)\(signs)"),
      // The next video has these settings as well.
      (left, signs.isEmpty ? total : signs),
    ]
  }

  private func layout(width: Int) -> (left: String, bar: Int, right: String)? {
    for edge in edges {
      let room = width - signWidth - Self.leastTitleWidth - Self.gap - widths.width(of: edge.left + edge.right)
      guard room >= PlayerProgress.leastWidth else { continue }
      return (edge.left, min(room, max(PlayerProgress.leastWidth, width / 3)), edge.right)
    }
    return nil
  }

  /// The parts that a click distinguishes; the rest is the title. `bar` is nil if there is no room for it.
  func parts(in row: Rect) -> (sign: Rect, bar: Rect?) {
    let sign = Rect(x: row.minX, y: row.minY, width: signWidth, height: 1)
    guard screen.failure == nil, let layout = layout(width: row.width) else { return (sign, nil) }
    let end = row.maxX - widths.width(of: layout.right)
    return (sign, Rect(x: end - layout.bar, y: row.minY, width: layout.bar, height: 1))
  }

  func draw(in row: Rect, on canvas: inout Canvas) {
    if let failure = screen.failure { return draw(failure, in: row, on: &canvas) }
    canvas.fill(row, style: .plain)
    canvas.write(Words.sign(of: screen, spinner: spinner), at: row.origin, style: Style(.key))
    let title = Point(x: row.minX + signWidth, y: row.minY)
    let words = screen.title
    guard let layout = layout(width: row.width), let bar = parts(in: row).bar else {
      let time = "\(Words.signs(of: session.settings))  \(PlayerProgress(screen).timeText)"
      let room = max(0, row.maxX - title.x - widths.width(of: time))
      let width = canvas.write(widths.truncated(words, width: room), at: title, style: Style(.title))
      canvas.write(time, at: Point(x: title.x + width, y: row.minY), style: .plain)
      return
    }
    let start = bar.minX - widths.width(of: layout.left)
    canvas.write(widths.truncated(words, width: start - Self.gap - title.x), at: title, style: Style(.title))
    canvas.write(layout.left, at: Point(x: start, y: row.minY), style: .plain)
    PlayerProgress(screen).draw(in: bar, on: &canvas)
    canvas.write(layout.right, at: Point(x: bar.maxX, y: row.minY), style: .plain)
  }

  private func draw(_ failure: PlayFailure, in row: Rect, on canvas: inout Canvas) {
    canvas.fill(row, style: Style(.alert))
    let words = words.playFailed(failure, title: screen.title)
    canvas.write(widths.truncated(words, width: row.width), at: row.origin, style: Style(.alert))
  }
}
