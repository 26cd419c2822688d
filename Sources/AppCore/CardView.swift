import Geometry
import Screen
import VideoFeed

/// One card on the canvas.
struct CardView {
  var video: Video
  /// The proportion that the card was laid out with.
  var aspect: Double
  var metrics: CardMetrics
  var isSelected: Bool
  /// What is searched for, to be marked in the title.
  var search: TitleSearch?

  func draw(in frame: Rect, on canvas: inout Canvas) {
    switch metrics.kind {
    case .list: drawRow(in: frame, on: &canvas)
    case .waterfall, .grid: drawTile(in: frame, on: &canvas)
    }
  }

  private func drawTile(in frame: Rect, on canvas: inout Canvas) {
    let coverHeight = min(metrics.coverHeight(aspect: aspect), frame.height)
    let cover = Rect(x: frame.minX, y: frame.minY, width: frame.width, height: coverHeight)
    CoverView(video: video).draw(in: cover, on: &canvas)
    let text = Rect(
      x: frame.minX, y: cover.maxY, width: frame.width, height: frame.height - coverHeight)
    let lines = wrapped(
      video.title, width: CardMetrics.textWidth(in: metrics.columnWidth), maximumLines: CardMetrics.titleLines)
    for (row, line) in lines.enumerated() {
      drawTitle(line, isFirst: row == 0, at: Point(x: text.minX, y: text.minY + row), width: text.width, on: &canvas)
    }
    drawMeta(at: Point(x: text.minX + 1, y: text.minY + lines.count), width: text.width - 1, on: &canvas)
  }

  private func drawRow(in frame: Rect, on canvas: inout Canvas) {
    let hasCover = frame.width >= 3 * CardMetrics.listCoverWidth
    let indent = hasCover ? CardMetrics.listCoverWidth + 1 : 0
    if hasCover {
      let cover = Rect(
        x: frame.minX, y: frame.minY, width: CardMetrics.listCoverWidth, height: CardMetrics.listHeight)
      CoverView(video: video).draw(in: cover, on: &canvas)
    }
    let x = frame.minX + indent
    let width = frame.width - indent
    let line = truncated(video.title, width: CardMetrics.textWidth(in: width))
    drawTitle(line, isFirst: true, at: Point(x: x, y: frame.minY), width: width, on: &canvas)
    drawMeta(at: Point(x: x + 1, y: frame.minY + 1), width: width - 1, on: &canvas)
  }

  /// Only the first line of a title carries the selection's mark: it must be plain to see, and cheap to move.
  private func drawTitle(_ line: String, isFirst: Bool, at point: Point, width: Int, on canvas: inout Canvas) {
    let isMarked = isSelected && isFirst
    if isMarked { canvas.write("▸", at: point, style: Style(.selected)) }
    let text = Point(x: point.x + 1, y: point.y)
    canvas.write(line, at: text, maxWidth: width - 1, style: Style(isMarked ? .selected : .title))
    guard let match = search?.match(in: line) else { return }
    let start = Point(x: text.x + cellWidth(of: String(line[..<match.lowerBound])), y: text.y)
    canvas.write(String(line[match]), at: start, maxWidth: width, style: Style(.match))
  }

  private func drawMeta(at point: Point, width: Int, on canvas: inout Canvas) {
    guard width > 0 else { return }
    canvas.write(truncated(metaLine, width: width), at: point, style: Style(.meta))
  }

  private var metaLine: String {
    let parts = [
      video.live == .live ? "live" : video.duration.map(\.description),
      video.channel ?? video.author,
    ]
    return parts.compactMap { $0 }.joined(separator: " · ")
  }
}
