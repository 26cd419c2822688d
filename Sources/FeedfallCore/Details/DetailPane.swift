import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

/// All that is known of one video, as text that scrolls.
struct DetailPane: Equatable, Sendable {
  private(set) var scroll = 0
  /// Whether the cover has the whole window instead of the text.
  var showsCover = false

  struct Line: Equatable, Sendable {
    var text: String
    var role: Role
    var indent = 0
    /// What stands before the text, in the space of the indent.
    var label = ""
  }

  /// What scrolls: the cover, an empty row, and the text.
  struct Content: Equatable, Sendable {
    /// In cells; nil where there is no room for it.
    var coverSize: Size?
    var lines: [Line]

    var firstTextRow: Int { coverSize.map { $0.height + 1 } ?? 0 }
    var rowCount: Int { firstTextRow + lines.count }
  }

  /// Below this height a pane is all text.
  private static let minimumHeightWithCover = 10

  /// The cover takes no more than half of the pane, so that the text is seen as well.
  static func coverSize(aspect: Double, in pane: Size, cellSize: Size) -> Size? {
    guard pane.height >= minimumHeightWithCover else { return nil }
    let room = Size(width: pane.width, height: pane.height / 2)
    return FeedfallCore.coverSize(aspect: aspect, within: room, cellSize: cellSize)
  }

  mutating func scroll(by rows: Int, rowCount: Int, height: Int) {
    let limit = max(0, rowCount - height)
    let start = min(scroll, limit)
    scroll = rows > 0 ? start + min(rows, limit - start) : start - min(-max(rows, -limit), start)
  }

  /// The first row that is seen: a window that has grown since leaves less to scroll.
  private func firstRow(of rowCount: Int, height: Int) -> Int { min(scroll, max(0, rowCount - height)) }

  func draw(_ content: Content, cover: CoverView?, in frame: Rect, on canvas: inout Canvas) {
    canvas.fill(frame, style: .plain)
    let whole = canvas.clip
    canvas.clip = frame.intersection(whole)
    defer { canvas.clip = whole }
    let top = frame.minY - firstRow(of: content.rowCount, height: frame.height)
    if let size = content.coverSize, let cover {
      let corner = Point(x: frame.minX + (frame.width - size.width) / 2, y: top)
      cover.draw(in: Rect(origin: corner, size: size), on: &canvas)
    }
    let textTop = top + content.firstTextRow
    let rows = max(0, frame.minY - textTop)..<max(0, frame.maxY - textTop)
    for row in rows.clamped(to: content.lines.indices) {
      draw(content.lines[row], at: Point(x: frame.minX, y: textTop + row), width: frame.width, on: &canvas)
    }
  }

  private func draw(_ line: Line, at start: Point, width: Int, on canvas: inout Canvas) {
    canvas.write(line.label, at: start, maxWidth: line.indent, style: Style(.dim))
    canvas.write(
      line.text, at: Point(x: start.x + line.indent, y: start.y), maxWidth: width - line.indent,
      style: Style(line.role))
  }
}
