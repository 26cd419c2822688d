import FeedfallScreen
import WaterfallEngine

struct CoverView {
  enum Ground: Equatable {
    case picture(CoverMemory.Cover)
    case placeholder(Placeholder)
    case initial(of: String)
    /// The frames of a preview of this size in cells, in the middle.
    case video(Size, brightness: Int)
  }

  var ground: Ground
  /// The text in the lower right corner.
  var badge: GlyphRun?
  /// The text in the upper left corner, at most `labelWidth` wide.
  var label: GlyphRun?
  /// The row above which the badge and the progress must be; nil for the end of the cover.
  var visibleEnd: Int?
  /// The watched share of the video, from 0 to 1; nil if it is not shown.
  var watched: Double?
  var hasPlayMark = false
  /// Whether a picture in pixels has rounded upper corners.
  var hasRoundedTop = false

  private var hasFrame: Bool { if case .initial = ground { true } else { false } }

  func draw(in frame: Rect, on canvas: inout Canvas) {
    guard !frame.isEmpty else { return }
    switch ground {
    case .picture(let cover):
      canvas.draw(cover.picture.cells, in: frame)
      if let pixels = cover.picture.pixels {
        canvas.place(pixels, id: cover.id, over: frame, hasRoundedTop: hasRoundedTop)
      }
    case .placeholder(let view): view.draw(in: frame, withInitial: !hasPlayMark, on: &canvas)
    case .video(let size, let brightness):
      let video = frame.center(size).intersection(frame)
      if video != frame { canvas.fill(frame, style: .plain) }
      canvas.reserve(video, brightness: brightness)
    case .initial(let title): canvas.draw(CellPicture(initialOf: title, size: frame.size, canvas.widths), in: frame)
    }
    if let label { drawLabel(label, in: frame, on: &canvas) }
    if hasPlayMark { drawMark(inMiddleOf: frame, on: &canvas) }
    var end = min(frame.maxY, visibleEnd ?? frame.maxY)
    if let watched, end - frame.minY > 1 {
      end -= 1
      drawProgress(watched, inRow: end, of: frame, on: &canvas)
    }
    if let badge { draw(badge, in: frame, endingAt: end, on: &canvas) }
  }

  /// Draws a line, thick for the watched part. It has the terminal's background, on which its color is always visible.
  private func drawProgress(_ share: Double, inRow y: Int, of frame: Rect, on canvas: inout Canvas) {
    let row = Rect(x: frame.minX, y: y, width: frame.width, height: 1)
    let thick = max(1, Int((min(max(share, 0), 1) * Double(row.width)).rounded()))
    canvas.fill(row, with: Glyph("─"), style: Style(.progress))
    canvas.fill(Rect(x: row.minX, y: y, width: thick, height: 1), with: Glyph("━"), style: Style(.progress))
  }

  static func fits(_ badge: GlyphRun, width: Int) -> Bool { badge.width + 2 <= width }

  private func draw(_ badge: GlyphRun, in frame: Rect, endingAt end: Int, on canvas: inout Canvas) {
    guard Self.fits(badge, width: frame.width) else { return }
    // The corner of a frame stays visible where there is room.
    let corner = hasFrame && Self.fits(badge, width: frame.width - 2) ? 1 : 0
    let start = Point(x: frame.maxX - badge.width - 1 - corner, y: end - 1)
    drawBlock(badge, at: start, on: &canvas)
  }

  /// The room for a label on a cover of this width, between the corners of a frame and a blank on either side.
  static func labelWidth(in width: Int) -> Int { max(1, width - 4) }

  private func drawLabel(_ label: GlyphRun, in frame: Rect, on canvas: inout Canvas) {
    guard frame.width > 4 else { return }
    drawBlock(label, at: Point(x: frame.minX + (hasFrame ? 2 : 1), y: frame.minY), on: &canvas)
  }

  private func drawBlock(_ words: GlyphRun, at start: Point, on canvas: inout Canvas) {
    let block = Rect(x: start.x - 1, y: start.y, width: words.width + 2, height: 1)
    canvas.fill(block, style: Style(.badge))
    canvas.write(words, at: start, style: Style(.badge))
  }

  private func drawMark(inMiddleOf frame: Rect, on canvas: inout Canvas) {
    guard frame.width > 4, frame.height > 1 else { return }
    let middle = Point(x: frame.minX + (frame.width - 1) / 2, y: frame.minY + (frame.height - 1) / 2)
    drawBlock(GlyphRun("▶", widths: canvas.widths), at: middle, on: &canvas)
  }

  struct Placeholder: Equatable {
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
      let style = Style(.cover, foreground: average?.readableText ?? hue.ink, background: ground(inRow: y, of: frame))
      canvas.write(run, at: Point(x: frame.minX + (frame.width - run.width) / 2, y: y), style: style)
    }
  }
}
