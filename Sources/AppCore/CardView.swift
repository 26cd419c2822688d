import Geometry
import Screen

/// One card on the canvas.
struct CardView {
  var face: CardFace
  /// The proportion that the card was laid out with.
  var aspect: Double
  var metrics: CardMetrics
  var isSelected: Bool
  /// What is searched for, to be marked in the title.
  var search: TitleSearch?

  func draw(in frame: Rect, on canvas: inout Canvas) {
    switch metrics.kind {
    case .list: drawRow(in: frame, on: &canvas)
    case .waterfall, .grid:
      drawTile(in: frame, coverHeight: metrics.coverHeight(aspect: aspect, width: face.width), on: &canvas)
    case .carousel: drawTile(in: frame, coverHeight: frame.height - CardMetrics.titleLines - 1, on: &canvas)
    }
  }

  private func drawTile(in frame: Rect, coverHeight: Int, on canvas: inout Canvas) {
    let coverHeight = min(max(1, coverHeight), frame.height)
    let cover = Rect(x: frame.minX, y: frame.minY, width: frame.width, height: coverHeight)
    CoverView(color: face.coverColor, badge: face.badge).draw(in: cover, on: &canvas)
    let text = Rect(
      x: frame.minX, y: cover.maxY, width: frame.width, height: frame.height - coverHeight)
    drawText(in: text, on: &canvas)
  }

  private func drawRow(in frame: Rect, on canvas: inout Canvas) {
    let indent = CardMetrics.listIndent(in: frame.width)
    if indent > 0 {
      let cover = Rect(
        x: frame.minX, y: frame.minY, width: CardMetrics.listCoverWidth, height: CardMetrics.listHeight)
      CoverView(color: face.coverColor, badge: face.badge).draw(in: cover, on: &canvas)
    }
    drawText(in: frame.inset(by: EdgeInsets(left: indent)), on: &canvas)
  }

  private func drawText(in frame: Rect, on canvas: inout Canvas) {
    for (row, line) in face.title.enumerated() where row < frame.height {
      drawTitle(line, isFirst: row == 0, at: Point(x: frame.minX, y: frame.minY + row), width: frame.width, on: &canvas)
    }
    guard face.title.count < frame.height, frame.width > 1 else { return }
    let start = Point(x: frame.minX + 1, y: frame.minY + face.title.count)
    canvas.write(face.meta, at: start, maxWidth: frame.width - 1, style: Style(.meta))
  }

  /// Only the first line of a title carries the selection's mark: it must be plain to see, and cheap to move.
  private func drawTitle(_ line: CardFace.Line, isFirst: Bool, at point: Point, width: Int, on canvas: inout Canvas) {
    let isMarked = isSelected && isFirst
    if isMarked { canvas.write("▸", at: point, style: Style(.selected)) }
    let text = Point(x: point.x + 1, y: point.y)
    canvas.write(line.glyphs, at: text, maxWidth: width - 1, style: Style(isMarked ? .selected : .title))
    guard let match = search?.match(in: line.text) else { return }
    let start = Point(x: text.x + cellWidth(of: String(line.text[..<match.lowerBound])), y: text.y)
    canvas.write(String(line.text[match]), at: start, maxWidth: width, style: Style(.match))
  }
}
