import FeedfallPlaying
import FeedfallScreen
import WaterfallEngine

/// The player's controls as they are to be drawn.
struct PlayerControls {
  var session: PlaySession
  var spinner: String
  /// Which of how many videos it is.
  var position: (number: Int, count: Int)?
  /// Whether its card is nowhere any more.
  var isGone = false
  /// Where the bar is held, as a share of the whole.
  var held: Double?

  // MARK: - Progress

  private static let narrowestBar = 10

  func drawBar(in row: Rect, on canvas: inout Canvas) {
    let parts = barParts(width: row.width)
    canvas.write(parts.left, at: row.origin, maxWidth: row.width, style: .plain)
    guard let bar = barFrame(in: row) else { return }
    drawProgress(in: bar, on: &canvas)
    canvas.write(parts.right, at: Point(x: bar.maxX, y: row.minY), maxWidth: row.maxX - bar.maxX, style: .plain)
  }

  /// Where the bar lies in its row; nil where there is no room for it.
  func barFrame(in row: Rect) -> Rect? {
    let parts = barParts(width: row.width)
    guard parts.width > 0 else { return nil }
    return Rect(x: row.minX + cellWidth(of: parts.left), y: row.minY, width: parts.width, height: 1)
  }

  /// The words on both sides of the bar, as many of them as leave it its width.
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
    guard let held, let duration = session.shownDuration else { return session.shownTime }
    return held * duration
  }

  /// Played, loaded and not loaded, from left to right.
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

  func drawLevels(in row: Rect, on canvas: inout Canvas) {
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

  /// What is told, the most urgent first where not all has room.
  private var levels: [(words: String, role: Role)] {
    let settings = session.settings
    var pieces: [(words: String, role: Role)] = []
    if session.isWaiting { pieces.append((PlayerWords.waiting(session.loadState, spinner: spinner), .key)) }
    if !session.hasSoundDevice { pieces.append((" no sound device ", .badge)) }
    let volume = settings.isMuted ? "muted" : "\(settings.volume)"
    pieces.append(("vol \(Self.level(settings.isMuted ? 0 : settings.volume)) \(volume)", .plain))
    pieces.append(("light \(Self.level(settings.brightness)) \(settings.brightness)", .plain))
    if settings.fit == .filling { pieces.append(("filled", .dim)) }
    if settings.autoplays { pieces.append(("plays on", .dim)) }
    return pieces
  }

  /// Ten cells for a hundred.
  private static func level(_ percent: Int) -> String {
    let full = (percent + 5) / 10
    return String(repeating: "▇", count: full) + String(repeating: "▁", count: 10 - full)
  }

  // MARK: - Elsewhere

  /// One line that tells what plays, for where it is not seen.
  func drawMiniBar(in row: Rect, on canvas: inout Canvas) {
    canvas.fill(row, style: Style(.header))
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
    let width = canvas.write(truncated("\(mark) \(title)", width: room), at: row.origin, style: Style(.header))
    canvas.write(
      end, at: Point(x: row.minX + width, y: row.minY), maxWidth: row.width - width, style: Style(.header))
  }
}
