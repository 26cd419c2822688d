import FeedfallScreen
import WaterfallEngine

struct DetailsScreen: Equatable, Sendable {
  private(set) var scroll = 0
  var showsCover = false
  /// Whether playing a video from the cards has opened the details, so that leaving the player closes them.
  var areOpenedToPlay = false

  mutating func followPlayer() { self = DetailsScreen(areOpenedToPlay: areOpenedToPlay) }

  mutating func scroll(by rows: Int, in view: DetailsView?) {
    guard let view else { return }
    let limit = max(0, view.rowCount - view.frame.height)
    let start = min(scroll, limit)
    scroll = rows > 0 ? start + min(rows, limit - start) : start - min(-max(rows, -limit), start)
  }
}

/// The cover, an empty row, and the text.
struct DetailsView {
  var frame: Rect
  /// In cells; nil if there is no room for it.
  var coverSize: Size?
  var lines: [DetailsText.Line]
  var text: DetailsText

  private var firstTextRow: Int { Self.firstTextRow(below: coverSize) }
  fileprivate var rowCount: Int { firstTextRow + lines.count }

  static func firstTextRow(below cover: Size?) -> Int { cover.map { $0.height + 1 } ?? 0 }

  private static let minimumHeightWithCover = 10

  static func coverSize(aspect: Double, in pane: Size, cellSize: Size) -> Size? {
    guard pane.height >= minimumHeightWithCover else { return nil }
    let room = Size(width: pane.width, height: pane.height / 2)
    return FeedfallApp.coverSize(aspect: aspect, within: room, cellSize: cellSize)
  }

  func draw(scroll: Int, cover: (Size) -> CoverView, on canvas: inout Canvas) {
    canvas.fill(frame, style: .plain)
    let whole = canvas.clip
    canvas.clip = frame.intersection(whole)
    defer { canvas.clip = whole }
    if let place = coverFrame(scroll: scroll) { cover(place.size).draw(in: place, on: &canvas) }
    let textTop = top(scroll: scroll) + firstTextRow
    let rows = max(0, frame.minY - textTop)..<max(0, frame.maxY - textTop)
    for row in rows.clamped(to: lines.indices) {
      draw(lines[row], at: Point(x: frame.minX, y: textTop + row), on: &canvas)
    }
  }

  /// The place of the cover, which may be scrolled out of the frame.
  func coverFrame(scroll: Int) -> Rect? {
    coverSize.map { size in
      Rect(
        x: frame.minX + (frame.width - size.width) / 2, y: top(scroll: scroll), width: size.width, height: size.height)
    }
  }

  /// A window that has grown leaves less to scroll.
  private func top(scroll: Int) -> Int { frame.minY - min(scroll, max(0, rowCount - frame.height)) }

  private func draw(_ line: DetailsText.Line, at start: Point, on canvas: inout Canvas) {
    canvas.write(line.label, at: start, maxWidth: line.indent, style: Style(.dim))
    let text = Point(x: start.x + line.indent, y: start.y)
    let width = canvas.write(line.text, at: text, maxWidth: frame.width - line.indent, style: Style(line.role))
    if let link = line.link { canvas.link(Rect(origin: text, size: Size(width: width, height: 1)), to: link) }
    guard let action = line.action else { return }
    let key = Point(x: start.x + line.indent + width + DetailsText.Action.gap, y: start.y)
    let verb = Point(x: key.x + canvas.write(action.key, at: key, style: Style(.key)) + 1, y: key.y)
    canvas.write(action.verb, at: verb, style: Style(.dim))
  }
}
