import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

struct CarouselStage: Equatable, Sendable {
  private enum Part { case title, meta, dots, gap, summary, gapAboveDots }

  /// The most important first; a low window omits the last ones.
  private static let priorities: [Part] = [
    .title, .meta, .dots, .gap, .summary, .title, .summary, .summary, .gapAboveDots,
  ]
  private static let maximumDots = 15
  private static let usualTextWidth = 60
  private static let maximumSummary = 1_000

  /// 16 to 9, as large as possible beside its neighbors and above its text.
  let card: Size
  let top: Int
  private let viewport: Size
  private let parts: ArraySlice<Part>

  init(in viewport: Size, cellSize: Size) {
    self.viewport = viewport
    // The first and the last row belong to the header and the footer.
    let height = max(1, viewport.height - 2)
    let leastWidth = min(viewport.width, CardMetrics.leastWidth)
    var width = max(leastWidth, viewport.width * 3 / 5)
    var cover = pictureHeight(forWidth: width, aspect: CardMetrics.usualAspect, cellSize: cellSize)
    parts = Self.priorities.prefix(height - min(cover, max(1, height / 2)))
    let room = max(1, height - parts.count)
    if cover > room {
      width = max(1, leastWidth, width * room / cover)
      cover = room
    }
    card = Size(width: width, height: cover)
    top = min(1, max(0, viewport.height - 1)) + max(0, (height - cover - parts.count) / 2)
  }

  private func count(_ part: Part) -> Int { parts.count { $0 == part } }

  var textWidth: Int { max(1, min(viewport.width - 2, max(card.width, Self.usualTextWidth))) }

  /// `face` has the text's width.
  func drawText(
    of video: Video, _ face: CardFace, _ search: TitleSearch?, at origin: Point, on canvas: inout Canvas
  ) {
    var y = origin.y + top + card.height + count(.gap)
    func draw(_ run: GlyphRun, _ role: Role, matchesIn title: String? = nil) {
      let start = Point(x: origin.x + (viewport.width - run.width) / 2, y: y)
      canvas.write(run, at: start, style: Style(role))
      if let title { search?.drawMatches(in: title, at: start, maxWidth: run.width, on: &canvas) }
      y += 1
    }
    let lines = count(.title)
    let title =
      face.title.count > lines
      ? [canvas.widths.truncated(video.title, width: textWidth)].map { CardFace.Line($0, canvas.widths) } : face.title
    for line in title.prefix(lines) { draw(line.glyphs, .selected, matchesIn: line.text) }
    if count(.meta) > 0, let meta = face.meta { draw(meta, .dim) }
    guard let summary = video.summary, count(.summary) > 0 else { return }
    let words = summary.prefix(Self.maximumSummary).split(whereSeparator: \.isNewline).joined(separator: " ")
    for line in canvas.widths.wrapped(words, width: textWidth, maximumLines: count(.summary)) {
      draw(GlyphRun(line, widths: canvas.widths), .plain)
    }
  }

  func drawPosition(_ selection: Int, of total: Int, at origin: Point, on canvas: inout Canvas) {
    guard count(.dots) > 0, total > 1 else { return }
    let y = origin.y + top + card.height + parts.count - 1
    // With the gap.
    let dotWidth = canvas.widths.width(of: "●") + 1
    let hasDots = total <= Self.maximumDots && dotWidth * total < viewport.width
    let words = Words.position(selection + 1, of: total)
    let width = hasDots ? dotWidth * total - 1 : canvas.widths.width(of: words)
    let x = origin.x + (viewport.width - width) / 2
    guard hasDots else {
      canvas.write(words, at: Point(x: x, y: y), style: Style(.dim))
      return
    }
    for number in 0..<total {
      let style = Style(number == selection ? .selection : .dim)
      canvas.write(number == selection ? "●" : "○", at: Point(x: x + dotWidth * number, y: y), style: style)
    }
  }
}
