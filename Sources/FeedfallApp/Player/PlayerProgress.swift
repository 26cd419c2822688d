import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

struct PlayerProgress {
  /// Nil until the awaited video begins.
  private let session: PlaySession?
  /// The share of the duration at which a bar is held with the mouse.
  private let held: Double?

  /// In a narrower bar the position is hardly recognizable.
  static let leastWidth = 10

  init(_ screen: PlayerScreen) { (session, held) = (screen.upcomingTitle == nil ? screen.session : nil, screen.held) }

  private var duration: Double? { session?.shownDuration }
  private var time: Double { duration.flatMap { length in held.map { $0 * length } } ?? session?.shownTime ?? 0 }
  var timeText: String { playTime(time) }
  var totalText: String { duration.map(playTime) ?? "--:--" }

  func draw(in bar: Rect, on canvas: inout Canvas) {
    let played = cells(until: time, of: bar.width - 1)
    let loaded = max(played + 1, cells(until: session?.file.bufferedUntil ?? 0, of: bar.width))
    func draw(_ glyph: Glyph, _ cells: Range<Int>, _ role: Role) {
      let part = Rect(x: bar.minX + cells.lowerBound, y: bar.minY, width: cells.count, height: 1)
      canvas.fill(part, with: glyph, style: Style(role))
    }
    draw(Glyph("━"), 0..<played, .key)
    draw(Glyph("━"), played..<loaded, .dim)
    draw(Glyph("─"), loaded..<bar.width, .dim)
    for segment in session?.segments.all ?? [] where segment.start < duration ?? 0 {
      let start = cells(until: segment.start, of: bar.width - 1)
      draw(Glyph("═"), start..<max(start, cells(until: segment.end, of: bar.width - 1)) + 1, .segment)
    }
    for chapter in session?.chapters.all ?? [] where chapter.start > 0 {
      let cell = cells(until: chapter.start, of: bar.width - 1)
      draw(Glyph(cell < loaded ? "╋" : "┼"), cell..<cell + 1, cell < played ? .key : .dim)
    }
    draw(Glyph("●"), played..<played + 1, .key)
    for (letter, seconds) in loopLetters {
      let cell = cells(until: seconds, of: bar.width - 1)
      draw(Glyph(letter), cell..<cell + 1, .heading)
    }
  }

  private var loopLetters: [(letter: Unicode.Scalar, seconds: Double)] {
    switch session?.loopMarks ?? LoopMarks.none {
    case .none: []
    case .start(let start): [("A", start)]
    case .part(let part): [("A", part.start), ("B", part.end)]
    }
  }

  private func cells(until seconds: Double, of width: Int) -> Int {
    guard let duration else { return 0 }
    return Int((Double(width) * min(max(0, seconds / duration), 1)).rounded())
  }
}
