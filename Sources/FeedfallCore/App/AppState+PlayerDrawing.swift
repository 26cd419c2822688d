import FeedfallPlaying
import FeedfallScreen
import WaterfallEngine

/// Drawing what plays.
extension AppState {
  var playerControls: PlayerControls {
    let cards = tabs[player.tab].waterfall.cards
    let position = player.card.flatMap(cards.index).map { ($0 + 1, cards.count) }
    return PlayerControls(
      session: player.session, spinner: spinner.picture, position: position, isGone: isPlayersCardGone,
      held: player.held)
  }

  /// The picture with its controls below.
  func drawPlayer(_ panel: PlayerPanel, on canvas: inout Canvas) {
    drawStage(panel.picture, on: &canvas)
    drawSubtitle(in: panel.picture, on: &canvas)
    if let failure = player.session.failure { return draw(failure, in: panel.controls, on: &canvas) }
    playerControls.drawBar(in: panel.bar, on: &canvas)
    playerControls.drawLevels(in: panel.levels, on: &canvas)
  }

  /// The picture with its controls over it, while they are used.
  func drawFullWindow(on canvas: inout Canvas) {
    guard let panel else { return }
    canvas.fill(canvas.bounds, style: .plain)
    drawStage(panel.picture, on: &canvas)
    let hasControls = hasControlsInFullWindow
    drawSubtitle(in: panel.picture.inset(by: EdgeInsets(bottom: hasControls ? panel.controls.height : 0)), on: &canvas)
    guard hasControls, let title = panel.title else { return }
    canvas.fill(panel.controls, style: .plain)
    let words = message ?? player.session.item?.title ?? ""
    canvas.write(truncated(words, width: title.width), at: title.origin, style: Style(.heading))
    playerControls.drawBar(in: panel.bar, on: &canvas)
    playerControls.drawLevels(in: panel.levels, on: &canvas)
  }

  /// Over the whole window they are shown while they are used, and while they have to tell of a wait.
  var hasControlsInFullWindow: Bool { player.controls.isShown || player.session.isWaiting || player.held != nil }

  /// The frames' place; before there are any, and where there are none, the cover.
  private func drawStage(_ frame: Rect, on canvas: inout Canvas) {
    guard !player.hasPicture else {
      return canvas.reserve(frame, brightness: player.session.settings.brightness)
    }
    guard let card = waterfall.selectedCard else { return }
    let cover = stageCover(in: frame)
    coverView(of: card, badge: CardFace.badge(of: card.video), size: cover.size).draw(in: cover, on: &canvas)
  }

  /// What is said, at the bottom of the picture.
  private func drawSubtitle(in frame: Rect, on canvas: inout Canvas) {
    guard player.hasPicture else { return }
    let lines = wrapped(player.session.subtitle, width: max(1, frame.width - 4), maximumLines: 4).filter { !$0.isEmpty }
    for (row, line) in lines.suffix(frame.height).enumerated() {
      let words = " \(line) "
      let start = Point(
        x: frame.minX + (frame.width - cellWidth(of: words)) / 2,
        y: frame.maxY - min(lines.count, frame.height) + row)
      canvas.write(words, at: start, style: Style(.badge))
    }
  }

  /// Where the selected video's cover lies in the place of the frames.
  func stageCover(in frame: Rect) -> Rect {
    let aspect = waterfall.selectedVideo.map(CardMetrics.aspect) ?? CardMetrics.usualAspect
    let size = coverSize(aspect: aspect, within: frame.size, cellSize: cellSize)
    return Rect(
      x: frame.minX + (frame.width - size.width) / 2, y: frame.minY + (frame.height - size.height) / 2,
      width: size.width, height: size.height)
  }

  /// A row more than the controls take is free below them.
  private func draw(_ failure: PlayFailure, in controls: Rect, on canvas: inout Canvas) {
    let words = PlayerWords.failed(failure, hasPage: waterfall.selectedVideo?.pageURL != nil)
    let lines = wrapped(words, width: max(1, controls.width), maximumLines: controls.height + 1)
    for (row, line) in lines.enumerated() {
      canvas.write(line, at: Point(x: controls.minX, y: controls.minY + row), style: Style(.alert))
    }
  }

  /// The small picture over the cards.
  func drawCorner(on canvas: inout Canvas) {
    guard let corner, player.hasPicture else { return }
    canvas.reserve(corner, brightness: player.session.settings.brightness)
  }
}
