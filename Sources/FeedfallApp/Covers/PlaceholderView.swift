import FeedfallScreen
import WaterfallEngine

/// Draws the place of a cover without a picture: a gradient with the title's first letter and a sign of the state.
struct PlaceholderView: Equatable {
  enum State: Equatable {
    /// There is no cover, or it is not requested.
    case none, loading, failed

    fileprivate var sign: GlyphRun? {
      switch self {
      case .none: nil
      case .loading: Self.loadingSign
      case .failed: Self.failedSign
      }
    }

    private static let loadingSign = GlyphRun("···", widths: TextWidths())
    private static let failedSign = GlyphRun("⚠", widths: TextWidths())
  }

  var hue: PlaceholderHue
  /// The average color of the cover, known from an earlier run, instead of the gradient.
  var average: RGB?
  var initial: TitleInitial
  var state: State

  /// A cover whose color is known has no letter: it is soon loaded again.
  func draw(in frame: Rect, withInitial isInitialShown: Bool, on canvas: inout Canvas) {
    fill(frame, on: &canvas)
    let isLarge =
      !initial.block.isEmpty && frame.width >= TitleInitial.blockSize.width + 4
      && frame.height >= TitleInitial.blockSize.height + 2
    let rows = isLarge ? initial.block : [initial.character]
    let top = frame.minY + (frame.height - rows.count) / 2
    let hasRoom = top + rows.count < frame.maxY
    // A low placeholder has room for one of them.
    if average == nil, isInitialShown, hasRoom || state.sign == nil {
      for (row, run) in rows.enumerated() { write(run, inRow: top + row, of: frame, on: &canvas) }
    }
    if let sign = state.sign { write(sign, inRow: hasRoom ? top + rows.count : top, of: frame, on: &canvas) }
  }

  private func fill(_ frame: Rect, on canvas: inout Canvas) {
    let step = average == nil ? PlaceholderHue.rowsPerColor(ofHeight: frame.height) : max(1, frame.height)
    for y in stride(from: frame.minY, to: frame.maxY, by: step) {
      // Blank cells need no foreground: setting it would cost bytes.
      let rows = Rect(x: frame.minX, y: y, width: frame.width, height: min(step, frame.maxY - y))
      canvas.fill(rows, style: Style(.cover, background: ground(inRow: y, of: frame)))
    }
  }

  private func ground(inRow y: Int, of frame: Rect) -> RGB {
    average ?? hue.ground(row: y - frame.minY, of: frame.height)
  }

  private func write(_ run: GlyphRun, inRow y: Int, of frame: Rect, on canvas: inout Canvas) {
    guard run.width <= frame.width else { return }
    let style = Style(
      .cover, foreground: average?.readableText ?? hue.ink, background: ground(inRow: y, of: frame))
    canvas.write(run, at: Point(x: frame.minX + (frame.width - run.width) / 2, y: y), style: style)
  }
}
