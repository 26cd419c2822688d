import FeedfallScreen
import WaterfallEngine

/// The title and the description of a feed, which scroll with its cards above the first row.
struct CollectionHeader: Equatable, Sendable {
  var title: String
  var summary: String

  private static let maximumLines = 3
  /// A line of the description needs a window of this many rows.
  private static let rowsPerLine = 8

  /// The height with an empty row below the text; 0 in a low window.
  func height(in window: Size) -> Int {
    let count = lines(width: window.width - 2, height: window.height).count
    return count == 0 ? 0 : count + 2
  }

  /// `height` is the window's.
  private func lines(width: Int, height: Int) -> [String] {
    let count = min(Self.maximumLines, height / Self.rowsPerLine)
    return count > 0 && width > 0 ? wrapped(summary, width: width, maximumLines: count) : []
  }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    let text = frame.inset(by: EdgeInsets(left: 1, right: 1))
    canvas.write(truncated(title, width: text.width), at: text.origin, style: Style(.heading))
    let lines = wrapped(summary, width: max(1, text.width), maximumLines: max(1, frame.height - 2))
    for (row, line) in lines.prefix(max(0, frame.height - 2)).enumerated() {
      canvas.write(line, at: Point(x: text.minX, y: text.minY + 1 + row), style: Style(.dim))
    }
  }
}
