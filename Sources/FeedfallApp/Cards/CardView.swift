import FeedfallScreen
import WaterfallEngine

struct CardView {
  var face: CardFace
  var shape: CardShape
  var metrics: CardMetrics
  var isSelected: Bool
  /// The watched share of the video; nil if it is not begun or its length is unknown.
  var watched: Double?
  var search: TitleSearch?

  /// Draws the card in its frame, of which only the part in `window` is visible. `cover` returns the cover for a size in
  /// cells.
  func draw(in frame: Rect, window: Rect, cover: (Size) -> CoverView, on canvas: inout Canvas) {
    let coverFrame = metrics.coverFrame(in: frame, of: shape)
    let usual = metrics.textFrame(in: frame, below: coverFrame)
    let text = isSelected ? visibleText(usual, of: frame, in: window) : usual
    if let coverFrame {
      var view = cover(coverFrame.size)
      view.hasRoundedTop = true
      view.watched = watched
      view.label = face.label
      if text.minY < usual.minY { view.visibleEnd = max(coverFrame.minY + 1, text.minY) }
      view.draw(in: coverFrame, on: &canvas)
    }
    if text != usual { canvas.fill(text, style: .plain) }
    drawText(in: text, on: &canvas)
  }

  /// The place of the text on the selected card: it sticks to the window's edges, over the cover, to be always visible.
  private func visibleText(_ usual: Rect, of frame: Rect, in window: Rect) -> Rect {
    guard !frame.intersection(window).isEmpty else { return usual }
    let rowCount = min(face.rowCount, frame.height)
    let top = max(window.minY, frame.minY, min(usual.minY, window.maxY - rowCount))
    guard top != usual.minY else { return usual }
    let end = min(window.maxY, frame.maxY)
    return Rect(x: usual.minX, y: top, width: usual.width, height: min(rowCount, end - top))
  }

  private func drawText(in frame: Rect, on canvas: inout Canvas) {
    for (row, line) in face.title.enumerated() where row < frame.height {
      drawTitle(line, isFirst: row == 0, at: Point(x: frame.minX, y: frame.minY + row), width: frame.width, on: &canvas)
    }
    guard let meta = face.meta, face.title.count < frame.height, frame.width > 1 else { return }
    let start = Point(x: frame.minX + 1, y: frame.minY + face.title.count)
    canvas.write(meta, at: start, maxWidth: frame.width - 1, style: Style(.dim))
  }

  /// The mark shows the selected card where there is no room for a frame.
  private func drawTitle(_ line: CardFace.Line, isFirst: Bool, at point: Point, width: Int, on canvas: inout Canvas) {
    let free = face.isCentered ? max(0, (width - line.glyphs.width) / 2 - 1) : 0
    let point = Point(x: point.x + free, y: point.y)
    let width = width - free
    if isSelected, isFirst { canvas.write("▸", at: point, style: Style(.selection)) }
    let text = Point(x: point.x + 1, y: point.y)
    canvas.write(
      line.glyphs, at: text, maxWidth: width - 1, style: Style(isSelected ? .selected : face.isWatched ? .dim : .title))
    search?.drawMatches(in: line.text, at: text, maxWidth: width, on: &canvas)
  }
}

extension TitleSearch {
  func drawMatches(in text: String, at point: Point, maxWidth: Int, on canvas: inout Canvas) {
    var end = text.startIndex
    while let match = match(in: text, from: end) {
      let start = Point(x: point.x + canvas.widths.width(of: String(text[..<match.lowerBound])), y: point.y)
      canvas.write(String(text[match]), at: start, maxWidth: maxWidth, style: Style(.match))
      end = match.upperBound
    }
  }
}
