import FeedfallScreen
import WaterfallEngine

struct PlayerView {
  var screen: PlayerScreen
  var words: Words
  var spinner: String
  var widths: TextWidths
  var position: (number: Int, count: Int)?
  var obstacle: VideoOutput.Obstacle?

  private var session: PlaySession { screen.session }

  // MARK: - Pane and full window

  func draw(in panel: PlayerPanel, cover: (video: Rect, view: CoverView)?, hasPage: Bool, on canvas: inout Canvas) {
    drawStage(panel.picture, cover, on: &canvas)
    drawSubtitle(in: panel.picture, on: &canvas)
    drawObstacle(
      in: Rect(x: panel.bar.minX, y: panel.picture.minY, width: panel.bar.width, height: panel.picture.height),
      on: &canvas)
    drawLevel(in: panel.picture, on: &canvas)
    if let failure = screen.failure { return draw(failure, in: panel.controls, hasPage: hasPage, on: &canvas) }
    drawBar(in: panel.bar, on: &canvas)
    drawFacts(in: panel.facts, on: &canvas)
  }

  /// Draws the picture, and over it the controls while they are used or a message is shown, which replaces the title.
  func drawFullWindow(
    _ panel: PlayerPanel, cover: (video: Rect, view: CoverView)?, message: String?, hasPage: Bool,
    on canvas: inout Canvas
  ) {
    canvas.fill(canvas.bounds, style: .plain)
    drawStage(panel.picture, cover, on: &canvas)
    let hasControls = screen.hasControlsInFullWindow || message != nil
    let controls = Insets(bottom: hasControls ? panel.controls.height : 0)
    drawSubtitle(in: panel.picture.inset(by: controls), on: &canvas)
    drawObstacle(in: panel.picture.inset(by: controls), on: &canvas)
    drawLevel(in: panel.picture, on: &canvas)
    if let failure = screen.failure { return draw(failure, atBottomOf: panel, hasPage: hasPage, on: &canvas) }
    guard hasControls, let title = panel.title else { return }
    canvas.fill(panel.controls, style: .plain)
    let words = message ?? screen.title
    canvas.write(widths.truncated(words, width: title.width), at: title.origin, style: Style(.heading))
    drawBar(in: panel.bar, on: &canvas)
    drawFacts(in: panel.facts, on: &canvas)
  }

  private func drawStage(_ frame: Rect, _ cover: (video: Rect, view: CoverView)?, on canvas: inout Canvas) {
    guard !screen.hasPicture else {
      return canvas.reserve(frame, brightness: session.settings.brightness)
    }
    if let cover { cover.view.draw(in: cover.video, on: &canvas) }
  }

  /// Frames of many pixels have the subtitles in them.
  private func drawSubtitle(in frame: Rect, on canvas: inout Canvas) {
    if screen.hasPicture, case .cells = session.presentation {
      draw(lines(of: session.file.subtitle, width: frame.width), atBottomOf: frame, on: &canvas)
    }
  }

  private func drawObstacle(in frame: Rect, on canvas: inout Canvas) {
    draw(obstacleLines(width: frame.width), atBottomOf: frame, on: &canvas)
  }

  func obstacleLines(width: Int) -> [String] {
    guard session.isUnderWay, session.lacksPicture else { return [] }
    return lines(of: Words.noPicture(because: obstacle, session.settings.libraryFault), width: width)
  }

  private func lines(of text: String, width: Int) -> [String] {
    widths.wrapped(text, width: max(1, width - 4), maximumLines: 4).filter { !$0.isEmpty }
  }

  private func draw(_ lines: [String], atBottomOf frame: Rect, on canvas: inout Canvas) {
    for (row, line) in lines.suffix(frame.height).enumerated() {
      let words = " \(line) "
      let start = Point(
        x: frame.minX + (frame.width - widths.width(of: words)) / 2,
        y: frame.maxY - min(lines.count, frame.height) + row)
      canvas.write(words, at: start, style: Style(.badge))
    }
  }

  /// The failure also uses the free row below the controls.
  private func draw(_ failure: PlayFailure, in controls: Rect, hasPage: Bool, on canvas: inout Canvas) {
    let words = words.playFailed(failure, hasPage: hasPage)
    let lines = widths.wrapped(words, width: max(1, controls.width), maximumLines: controls.height + 1)
    for (row, line) in lines.enumerated() {
      canvas.write(line, at: Point(x: controls.minX, y: controls.minY + row), style: Style(.alert))
    }
  }

  private func draw(_ failure: PlayFailure, atBottomOf panel: PlayerPanel, hasPage: Bool, on canvas: inout Canvas) {
    let text = StatusLine.Note(text: words.playFailed(failure, hasPage: hasPage), role: .alert)
    text.draw(atBottomOf: panel.picture, on: &canvas)
  }

  func drawCorner(_ corner: Rect, cover: (video: Rect, view: CoverView)?, on canvas: inout Canvas) {
    guard screen.hasPicture || screen.isWaiting else { return }
    if !screen.hasPicture { canvas.fill(corner, style: .plain) }
    drawStage(corner, cover, on: &canvas)
    if screen.isWaiting {
      draw([Words.waiting(session.loadState, spinner: spinner)], atBottomOf: corner, on: &canvas)
    }
  }

  // MARK: - Controls

  private func drawBar(in row: Rect, on canvas: inout Canvas) {
    let progress = PlayerProgress(screen)
    canvas.write(start, at: row.origin, maxWidth: row.width, style: .plain)
    guard let bar = barFrame(in: row) else { return }
    progress.draw(in: bar, on: &canvas)
    canvas.write(
      " " + progress.totalText, at: Point(x: bar.maxX, y: row.minY), maxWidth: row.maxX - bar.maxX, style: .plain)
  }

  func barFrame(in row: Rect) -> Rect? {
    let (start, end) = (widths.width(of: start), widths.width(of: PlayerProgress(screen).totalText) + 1)
    let width = row.width - start - end
    guard width >= PlayerProgress.leastWidth else { return nil }
    return Rect(x: row.minX + start, y: row.minY, width: width, height: 1)
  }

  private static let factGap = 2

  private var start: String { "\(Words.sign(of: screen, spinner: spinner)) \(PlayerProgress(screen).timeText) " }

  private func drawFacts(in row: Rect, on canvas: inout Canvas) {
    var x = row.minX
    for fact in facts {
      let width = widths.width(of: fact.words)
      guard x + width <= row.maxX else { continue }
      canvas.write(fact.words, at: Point(x: x, y: row.minY), style: Style(fact.role))
      x += width + Self.factGap
    }
    var end = row.maxX
    let chapter = session.chapterIndex.map { session.chapters.all[$0].title }
    let words = position.map { Words.videoPosition($0.number, of: $0.count) } ?? ""
    // The position gives way to the title of the chapter.
    let least = chapter.map { min(widths.width(of: $0), Self.leastChapterWidth) + 1 } ?? 0
    if row.maxX - widths.width(of: words) >= x + least {
      end -= widths.width(of: words)
      canvas.write(words, at: Point(x: end, y: row.minY), style: Style(.dim))
    }
    if let chapter, end - x >= least {
      canvas.write(widths.truncated(chapter, width: end - x - 1), at: Point(x: x, y: row.minY), style: .plain)
    }
  }

  /// In columns; less of a chapter's title is not worth showing.
  private static let leastChapterWidth = 8

  /// The states by urgency; those without room are omitted.
  private var facts: [(words: String, role: Role)] {
    let settings = session.settings
    var facts: [(words: String, role: Role)] = []
    if screen.isWaiting { facts.append((Words.waiting(session.loadState, spinner: spinner), .key)) }
    if !session.file.hasSoundDevice { facts.append((" \(Words.noAudioDevice) ", .badge)) }
    if settings.isMuted { facts.append((Words.muted, .warning)) }
    if settings.rate != 1 { facts.append((Words.rate(settings.rate), .plain)) }
    if settings.presentation == .soundOnly { facts.append((Words.soundOnly, .plain)) }
    if let loop = Words.loop(settings.loop, session.loopMarks) { facts.append((loop, .plain)) }
    if settings.shuffles { facts.append((Words.shuffle, .dim)) }
    if settings.autoplays { facts.append((Words.autoplay, .dim)) }
    if settings.fit == .filling { facts.append((Words.filled, .dim)) }
    if let brightness = Words.brightness(settings.brightness) { facts.append((brightness, .dim)) }
    if settings.presentation != .soundOnly {
      facts.append((Words.presentation(session.presentation, height: session.file.pictureSize?.height), .dim))
    }
    return facts
  }

  private func drawLevel(in picture: Rect, on canvas: inout Canvas) {
    guard let level = screen.level else { return }
    let words = Words.level(level, in: session.settings)
    guard widths.width(of: words) <= picture.width else { return }
    let start = Point(
      x: picture.minX + (picture.width - widths.width(of: words)) / 2, y: min(picture.minY + 1, picture.maxY - 1))
    canvas.write(words, at: start, style: Style(.badge))
  }
}
