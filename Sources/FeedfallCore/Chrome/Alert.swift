import FeedfallScreen
import WaterfallEngine

/// The alert over the lower edge of the screen: what failed, why, and what to do.
struct Alert: Equatable, Sendable {
  let frame: Rect
  private let lines: [String]

  private static let maximumLines = 4

  init(_ words: String, in region: Rect) {
    lines = wrapped(words, width: max(1, region.width - 2), maximumLines: Self.maximumLines)
    frame = Rect(x: region.minX, y: region.maxY - lines.count, width: region.width, height: lines.count)
  }

  func draw(on canvas: inout Canvas) {
    canvas.fill(frame, style: Style(.alert))
    for (row, line) in lines.enumerated() {
      canvas.write(line, at: Point(x: frame.minX + 1, y: frame.minY + row), style: Style(.alert))
    }
  }

  /// The command of a click at a point of the screen: the words about dismissing dismiss, the rest retries.
  func command(at point: Point) -> AlertCommand? {
    guard frame.contains(point) else { return nil }
    return dismissal(inLine: point.y - frame.minY).contains(point.x - frame.minX - 1) ? .dismiss : .retry
  }

  /// The cells of a line that belong to the words about dismissing, which end the alert and may be wrapped.
  private func dismissal(inLine row: Int) -> Range<Int> {
    guard lines.joined(separator: " ").hasSuffix(Messages.dismissalKey) else { return 0..<0 }
    let following = lines[(row + 1)...].reduce(0) { $0 + cellWidth(of: $1) + 1 }
    let width = cellWidth(of: lines[row])
    let count = min(max(0, cellWidth(of: Messages.dismissalKey) - following), width)
    return width - count..<width
  }
}
