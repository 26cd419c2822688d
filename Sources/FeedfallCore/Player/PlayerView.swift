import FeedfallPlaying
import FeedfallScreen
import WaterfallEngine

/// Draws the player: the picture, its controls, and the bar below the cards.
struct PlayerView {
  var screen: PlayerScreen
  var spinner: String
  /// The playing video's number in its tab, and how many videos that has.
  var position: (number: Int, count: Int)?
  /// Whether no tab shows the video's card.
  var isGone = false
  /// Whether the terminal has enough colors for the picture.
  var hasColors = true

  private var session: PlaySession { screen.session }

  // MARK: - Pane and full window

  /// Draws the picture with its controls below. `hasPage`: whether the video has a page to open.
  func draw(in panel: PlayerPanel, cover: (video: Rect, view: CoverView)?, hasPage: Bool, on canvas: inout Canvas) {
    drawStage(panel.picture, cover, on: &canvas)
    drawSubtitle(in: panel.picture, on: &canvas)
    drawObstacle(
      in: Rect(x: panel.bar.minX, y: panel.picture.minY, width: panel.bar.width, height: panel.picture.height),
      on: &canvas)
    if let failure = session.failure { return draw(failure, in: panel.controls, hasPage: hasPage, on: &canvas) }
    drawBar(in: panel.bar, on: &canvas)
    drawLevels(in: panel.levels, on: &canvas)
  }

  /// Draws the picture, and over it the controls while they are used. A message is shown instead of the title.
  func drawFullWindow(
    _ panel: PlayerPanel, cover: (video: Rect, view: CoverView)?, message: String?, on canvas: inout Canvas
  ) {
    canvas.fill(canvas.bounds, style: .plain)
    drawStage(panel.picture, cover, on: &canvas)
    let hasControls = screen.hasControlsInFullWindow
    let controls = EdgeInsets(bottom: hasControls ? panel.controls.height : 0)
    drawSubtitle(in: panel.picture.inset(by: controls), on: &canvas)
    drawObstacle(in: panel.picture.inset(by: controls), on: &canvas)
    guard hasControls, let title = panel.title else { return }
    canvas.fill(panel.controls, style: .plain)
    let words = message ?? session.item?.title ?? ""
    canvas.write(truncated(words, width: title.width), at: title.origin, style: Style(.heading))
    drawBar(in: panel.bar, on: &canvas)
    drawLevels(in: panel.levels, on: &canvas)
  }

  /// Reserves the cells of the frames, or draws the cover if there are none.
  private func drawStage(_ frame: Rect, _ cover: (video: Rect, view: CoverView)?, on canvas: inout Canvas) {
    guard !screen.hasPicture else {
      return canvas.reserve(frame, brightness: session.settings.brightness)
    }
    if let cover { cover.view.draw(in: cover.video, on: &canvas) }
  }

  /// Frames of many pixels have the subtitles in them.
  private func drawSubtitle(in frame: Rect, on canvas: inout Canvas) {
    if screen.hasPicture, case .cells = session.presentation { draw(session.subtitle, atBottomOf: frame, on: &canvas) }
  }

  /// Draws the reason why there is no picture.
  private func drawObstacle(in frame: Rect, on canvas: inout Canvas) {
    guard session.isUnderWay, session.lacksCells else { return }
    draw(PlayerWords.noPicture(hasColors: hasColors), atBottomOf: frame, on: &canvas)
  }

  private func draw(_ text: String, atBottomOf frame: Rect, on canvas: inout Canvas) {
    let lines = wrapped(text, width: max(1, frame.width - 4), maximumLines: 4).filter { !$0.isEmpty }
    for (row, line) in lines.suffix(frame.height).enumerated() {
      let words = " \(line) "
      let start = Point(
        x: frame.minX + (frame.width - cellWidth(of: words)) / 2,
        y: frame.maxY - min(lines.count, frame.height) + row)
      canvas.write(words, at: start, style: Style(.badge))
    }
  }

  /// Draws a failure. It also uses the free row below the controls.
  private func draw(_ failure: PlayFailure, in controls: Rect, hasPage: Bool, on canvas: inout Canvas) {
    let words = PlayerWords.failed(failure, hasPage: hasPage)
    let lines = wrapped(words, width: max(1, controls.width), maximumLines: controls.height + 1)
    for (row, line) in lines.enumerated() {
      canvas.write(line, at: Point(x: controls.minX, y: controls.minY + row), style: Style(.alert))
    }
  }

  /// Reserves the cells of the small picture over the cards.
  func drawCorner(_ corner: Rect, on canvas: inout Canvas) {
    guard screen.hasPicture else { return }
    canvas.reserve(corner, brightness: session.settings.brightness)
  }

  // MARK: - Progress

  private static let narrowestBar = 10

  private func drawBar(in row: Rect, on canvas: inout Canvas) {
    let parts = barParts(width: row.width)
    canvas.write(parts.left, at: row.origin, maxWidth: row.width, style: .plain)
    guard let bar = barFrame(in: row) else { return }
    drawProgress(in: bar, on: &canvas)
    canvas.write(parts.right, at: Point(x: bar.maxX, y: row.minY), maxWidth: row.maxX - bar.maxX, style: .plain)
  }

  /// The bar in its row; nil if there is no room for it.
  func barFrame(in row: Rect) -> Rect? {
    let parts = barParts(width: row.width)
    guard parts.width > 0 else { return nil }
    return Rect(x: row.minX + cellWidth(of: parts.left), y: row.minY, width: parts.width, height: 1)
  }

  /// The text on both sides of the bar, shortened so that the bar fits.
  private func barParts(width: Int) -> (left: String, width: Int, right: String) {
    let left = "\(mark) \(PlayTime.text(shownTime)) "
    var extras = [PlayerWords.rate(session.settings.rate), PlayerWords.name(of: session.presentation)]
    if let size = session.pictureSize { extras.append("\(size.height)p") }
    while true {
      let right = ([" " + (session.shownDuration.map(PlayTime.text) ?? "--:--")] + extras).joined(separator: "  ")
      let rest = width - cellWidth(of: left) - cellWidth(of: right)
      if rest >= Self.narrowestBar || extras.isEmpty { return (left, max(0, rest), right) }
      extras.removeLast()
    }
  }

  private var shownTime: Double {
    guard let held = screen.held, let duration = session.shownDuration else { return session.shownTime }
    return held * duration
  }

  private func drawProgress(in bar: Rect, on canvas: inout Canvas) {
    let played = cells(until: shownTime, of: bar.width - 1)
    let loaded = max(played, cells(until: session.bufferedUntil, of: bar.width - 1))
    func draw(_ text: String, _ cells: Range<Int>, _ role: Role) {
      let words = String(repeating: text, count: cells.count)
      canvas.write(words, at: Point(x: bar.minX + cells.lowerBound, y: bar.minY), style: Style(role))
    }
    draw("━", 0..<played, .key)
    draw("●", played..<played + 1, .key)
    draw("─", played + 1..<max(played + 1, loaded), .plain)
    draw("┄", max(played + 1, loaded)..<bar.width, .dim)
  }

  private func cells(until seconds: Double, of width: Int) -> Int {
    guard let duration = session.shownDuration else { return 0 }
    return Int((Double(width) * min(max(0, seconds / duration), 1)).rounded())
  }

  private var mark: String {
    if session.isWaiting { return spinner }
    return session.playState == .playing ? "▶" : "‖"
  }

  // MARK: - Levels

  private func drawLevels(in row: Rect, on canvas: inout Canvas) {
    let position = position.map { "\($0.number)/\($0.count)" } ?? ""
    let end = row.maxX - cellWidth(of: position)
    canvas.write(position, at: Point(x: max(row.minX, end), y: row.minY), maxWidth: row.width, style: Style(.dim))
    var x = row.minX
    for piece in levels {
      let width = cellWidth(of: piece.words)
      guard x + width < end else { continue }
      canvas.write(piece.words, at: Point(x: x, y: row.minY), style: Style(piece.role))
      x += width + 2
    }
  }

  /// The levels and states by urgency; those without room are omitted.
  private var levels: [(words: String, role: Role)] {
    let settings = session.settings
    var pieces: [(words: String, role: Role)] = []
    if session.isWaiting { pieces.append((PlayerWords.waiting(session.loadState, spinner: spinner), .key)) }
    if !session.hasSoundDevice { pieces.append((" no audio device ", .badge)) }
    let volume = settings.isMuted ? "muted" : "\(settings.volume)"
    pieces.append(("vol \(Self.level(settings.isMuted ? 0 : settings.volume)) \(volume)", .plain))
    pieces.append(("light \(Self.level(settings.brightness)) \(settings.brightness)", .plain))
    if settings.fit == .filling { pieces.append(("filled", .dim)) }
    if settings.autoplays { pieces.append(("autoplay", .dim)) }
    return pieces
  }

  /// Returns ten cells for 100 percent.
  private static func level(_ percent: Int) -> String {
    let full = (percent + 5) / 10
    return String(repeating: "▇", count: full) + String(repeating: "▁", count: 10 - full)
  }

  // MARK: - Mini bar

  func drawMiniBar(in row: Rect, on canvas: inout Canvas) {
    canvas.fill(row, style: Style(.progress))
    let title = session.item?.title ?? ""
    if let failure = session.failure {
      canvas.fill(row, style: Style(.alert))
      let words = truncated(PlayerWords.failed(failure, title: title, isGone: isGone), width: row.width)
      canvas.write(words, at: row.origin, style: Style(.alert))
      return
    }
    let length = session.shownDuration.map { "/" + PlayTime.text($0) } ?? ""
    let volume = session.settings.isMuted ? "muted" : "vol \(session.settings.volume)"
    let end = " \(PlayTime.text(session.shownTime))\(length)  \(volume)  \(PlayerWords.wayBack(isGone: isGone))"
    let room = max(0, row.width - cellWidth(of: end))
    let width = canvas.write(truncated("\(mark) \(title)", width: room), at: row.origin, style: Style(.progress))
    canvas.write(
      end, at: Point(x: row.minX + width, y: row.minY), maxWidth: row.width - width, style: Style(.progress))
  }
}
