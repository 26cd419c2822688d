import FeedfallFeeds
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

  /// In the full window, the controls cover the picture while they are used or a message replaces the title.
  func draw(
    _ panel: PlayerPanel, cover: (video: Rect, view: CoverView)?, message: String? = nil, hasPage: Bool,
    on canvas: inout Canvas
  ) {
    if panel.title != nil { canvas.fill(canvas.bounds, style: .plain) }
    drawStage(panel.picture, cover, on: &canvas)
    let hasControls = panel.title == nil || screen.hasControlsInFullWindow || message != nil
    let free = panel.picture.inset(by: Insets(bottom: panel.title != nil && hasControls ? panel.controls.height : 0))
    drawSubtitle(in: free, on: &canvas)
    let text = Rect(x: panel.bar.minX, y: free.minY, width: panel.bar.width, height: free.height)
    draw(obstacleLines(width: text.width), atBottomOf: text, on: &canvas)
    drawLevel(in: panel.picture, on: &canvas)
    if let failure = screen.failure {
      return drawFailure(words.playFailed(failure, hasPage: hasPage), on: panel, on: &canvas)
    }
    guard hasControls else { return }
    if let title = panel.title {
      canvas.fill(panel.controls, style: .plain)
      let words = widths.truncated(message ?? screen.title, width: title.width)
      canvas.write(words, at: title.origin, style: Style(.heading))
    }
    drawBar(in: panel.bar, on: &canvas)
    drawFacts(in: panel.facts, on: &canvas)
  }

  private func drawStage(_ frame: Rect, _ cover: (video: Rect, view: CoverView)?, on canvas: inout Canvas) {
    guard !screen.hasPicture else { return canvas.reserve(frame, brightness: session.settings.brightness) }
    if let cover { cover.view.draw(in: cover.video, on: &canvas) }
  }

  /// Frames of many pixels have the subtitles in them.
  private func drawSubtitle(in frame: Rect, on canvas: inout Canvas) {
    if screen.hasPicture, case .cells = session.presentation {
      draw(lines(of: session.file.subtitle, width: frame.width), atBottomOf: frame, on: &canvas)
    }
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

  /// In the pane, the failure also uses the free row below the controls.
  private func drawFailure(_ words: String, on panel: PlayerPanel, on canvas: inout Canvas) {
    if panel.title != nil {
      return StatusLine.Note(text: words, role: .alert).draw(atBottomOf: panel.picture, on: &canvas)
    }
    let controls = panel.controls
    let lines = widths.wrapped(words, width: max(1, controls.width), maximumLines: controls.height + 1)
    for (row, line) in lines.enumerated() {
      canvas.write(line, at: Point(x: controls.minX, y: controls.minY + row), style: Style(.alert))
    }
  }

  func drawCorner(_ corner: Rect, cover: (video: Rect, view: CoverView)?, on canvas: inout Canvas) {
    guard screen.hasPicture || screen.isWaiting else { return }
    if !screen.hasPicture { canvas.fill(corner, style: .plain) }
    drawStage(corner, cover, on: &canvas)
    if screen.isWaiting { draw([Words.waiting(session.loadState, spinner: spinner)], atBottomOf: corner, on: &canvas) }
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

  private static let gap = 2

  private var start: String { "\(Words.sign(of: screen, spinner: spinner)) \(PlayerProgress(screen).timeText) " }

  private func drawFacts(in row: Rect, on canvas: inout Canvas) {
    var x = row.minX
    for fact in facts {
      let width = widths.width(of: fact.words)
      guard x + width <= row.maxX else { continue }
      canvas.write(fact.words, at: Point(x: x, y: row.minY), style: Style(fact.role))
      x += width + Self.gap
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

struct PlayerPanel: Equatable, Sendable {
  var picture: Rect
  /// Only in the full window.
  var title: Rect?
  var bar: Rect
  var facts: Rect

  /// A video in a smaller picture is unrecognizable.
  static let smallestPicture = Size(width: 20, height: 6)
  private static let aspect = 16.0 / 9.0
  /// Rows of the pane's text below the picture, if there is room.
  private static let textRows = 6
  private static let controlRows = 2

  init(inPane pane: Rect, cellSize: Size) {
    let text = pane.height >= 2 * Self.smallestPicture.height + Self.textRows ? Self.textRows : 0
    let room = Size(width: pane.width, height: max(1, pane.height - Self.controlRows - text))
    let size = coverSize(aspect: Self.aspect, within: room, cellSize: cellSize)
    picture = Rect(x: pane.minX + (pane.width - size.width) / 2, y: pane.minY, width: size.width, height: size.height)
    bar = Rect(x: pane.minX, y: picture.maxY, width: pane.width, height: 1)
    facts = bar.offsetBy(x: 0, y: 1)
  }

  init(inWindow window: Rect) {
    picture = window
    facts = Rect(x: window.minX, y: window.maxY - 1, width: window.width, height: 1)
    bar = facts.offsetBy(x: 0, y: -1)
    title = facts.offsetBy(x: 0, y: -2)
  }

  var controls: Rect { (title ?? bar).union(facts) }

  /// The rest of the pane, below an empty row.
  func text(inPane pane: Rect) -> Rect {
    let top = min(facts.maxY + 1, pane.maxY)
    return Rect(x: pane.minX, y: top, width: pane.width, height: pane.maxY - top)
  }

  /// In the lower right corner, within the place of a film of the usual proportions; nil if that would be too small.
  static func corner(of cards: Rect, aspect: Double, cellSize: Size) -> Rect? {
    let room = Size(width: min(48, cards.width * 2 / 5), height: cards.height / 2)
    let usual = coverSize(aspect: Self.aspect, within: room, cellSize: cellSize)
    guard holdsVideo(usual) else { return nil }
    // Rounded twice, a usual film would lose a row.
    let isUsual = abs(aspect / Self.aspect - 1) < 0.02
    let size = isUsual ? usual : coverSize(aspect: aspect, within: usual, cellSize: cellSize)
    return Rect(origin: Point(x: cards.maxX - size.width, y: cards.maxY - size.height), size: size)
  }

  static func holdsVideo(_ size: Size) -> Bool {
    size.width >= smallestPicture.width && size.height >= smallestPicture.height
  }
}

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

/// The bar below the cards.
extension PlayerView {
  private static let leastTitleWidth = 12

  private var signWidth: Int { widths.width(of: "▶") + 1 }

  /// The texts on both sides of the progress bar, from the longest to the shortest.
  private var edges: [(left: String, right: String)] {
    let progress = PlayerProgress(screen)
    let (left, total) = ("\(progress.timeText) ", " \(progress.totalText)")
    let signs = Words.signs(of: session.settings)
    let level = screen.level.map { [(left, "\(total) \(Words.level($0, in: session.settings))")] } ?? []
    return level + [
      (left, "\(total)\(signs)\(words.wayBack)"), (left, "\(total)\(signs)"),
      // The next video has these settings as well.
      (left, signs.isEmpty ? total : signs),
    ]
  }

  private func miniBarLayout(width: Int) -> (left: String, bar: Int, right: String)? {
    for edge in edges {
      let room = width - signWidth - Self.leastTitleWidth - Self.gap - widths.width(of: edge.left + edge.right)
      guard room >= PlayerProgress.leastWidth else { continue }
      return (edge.left, min(room, max(PlayerProgress.leastWidth, width / 3)), edge.right)
    }
    return nil
  }

  /// The parts that a click distinguishes; the rest is the title. `bar` is nil if there is no room for it.
  func miniBarParts(in row: Rect) -> (sign: Rect, bar: Rect?) {
    let sign = Rect(x: row.minX, y: row.minY, width: signWidth, height: 1)
    guard screen.failure == nil, let layout = miniBarLayout(width: row.width) else { return (sign, nil) }
    let end = row.maxX - widths.width(of: layout.right)
    return (sign, Rect(x: end - layout.bar, y: row.minY, width: layout.bar, height: 1))
  }

  func drawMiniBar(in row: Rect, on canvas: inout Canvas) {
    if let failure = screen.failure { return draw(failure, in: row, on: &canvas) }
    canvas.fill(row, style: .plain)
    canvas.write(Words.sign(of: screen, spinner: spinner), at: row.origin, style: Style(.key))
    let title = Point(x: row.minX + signWidth, y: row.minY)
    let words = screen.title
    guard let layout = miniBarLayout(width: row.width), let bar = miniBarParts(in: row).bar else {
      let time = "\(Words.signs(of: session.settings))  \(PlayerProgress(screen).timeText)"
      let room = max(0, row.maxX - title.x - widths.width(of: time))
      let width = canvas.write(widths.truncated(words, width: room), at: title, style: Style(.title))
      canvas.write(time, at: Point(x: title.x + width, y: row.minY), style: .plain)
      return
    }
    let start = bar.minX - widths.width(of: layout.left)
    canvas.write(widths.truncated(words, width: start - Self.gap - title.x), at: title, style: Style(.title))
    canvas.write(layout.left, at: Point(x: start, y: row.minY), style: .plain)
    PlayerProgress(screen).draw(in: bar, on: &canvas)
    canvas.write(layout.right, at: Point(x: bar.maxX, y: row.minY), style: .plain)
  }

  private func draw(_ failure: PlayFailure, in row: Rect, on canvas: inout Canvas) {
    canvas.fill(row, style: Style(.alert))
    let words = words.playFailed(failure, title: screen.title)
    canvas.write(widths.truncated(words, width: row.width), at: row.origin, style: Style(.alert))
  }
}
