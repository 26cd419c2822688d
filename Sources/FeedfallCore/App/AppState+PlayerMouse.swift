import FeedfallPlaying
import FeedfallScreen
import WaterfallEngine

/// The mouse on what plays.
extension AppState {
  private static let secondClickTime = Duration.milliseconds(300)

  /// Nil where the mouse is not the player's.
  mutating func handleAtPlayer(_ mouse: MouseEvent) -> [AppEffect]? {
    if let row = regions.miniBar, row.contains(mouse.position) { return show(at: mouse) }
    if player.hasPicture, corner?.contains(mouse.position) == true { return show(at: mouse) }
    guard showsPlayer, let panel else { return nil }
    let isFull = isFullWindow
    if !isFull || hasControlsInFullWindow, let effects = handle(mouse, onBarOf: panel) {
      return effects + showControls()
    }
    guard panel.picture.contains(mouse.position) else { return isFull ? [] : nil }
    switch mouse.kind {
    case .press: return isFull ? clickInFullWindow() : perform(.togglePause)
    case .wheelUp: return turn(5, at: mouse.position, in: panel.picture) + showControls()
    case .wheelDown: return turn(-5, at: mouse.position, in: panel.picture) + showControls()
    case .drag, .release: return []
    }
  }

  /// Over the whole window they stay for a while after each use.
  mutating func showControls() -> [AppEffect] { isFullWindow ? player.controls.show(&tickets) : [] }

  private mutating func show(at mouse: MouseEvent) -> [AppEffect] { mouse.kind == .press ? showPlayer() : [] }

  /// The bar follows the mouse while it is held; what it is let go at is sought.
  private mutating func handle(_ mouse: MouseEvent, onBarOf panel: PlayerPanel) -> [AppEffect]? {
    guard player.session.isUnderWay, let bar = playerControls.barFrame(in: panel.bar), bar.width > 1 else {
      player.held = nil
      return nil
    }
    let share = Double(min(max(0, mouse.position.x - bar.minX), bar.width - 1)) / Double(bar.width - 1)
    switch mouse.kind {
    case .press where bar.contains(mouse.position), .drag where player.held != nil:
      player.held = share
      return []
    case .release where player.held != nil:
      player.held = nil
      return perform(.seek(.share(share)))
    case .press, .drag, .release, .wheelUp, .wheelDown: return nil
    }
  }

  /// The right half is for the volume, the left one for the brightness.
  private mutating func turn(_ step: Int, at position: Point, in picture: Rect) -> [AppEffect] {
    perform(position.x >= picture.midX ? .changeVolume(by: step) : .changeBrightness(by: step))
  }

  /// One click shows the controls or takes them away; two pause.
  private mutating func clickInFullWindow() -> [AppEffect] {
    if let first = player.click {
      player.click = nil
      return [.cancel(first)] + perform(.togglePause) + player.controls.show(&tickets)
    }
    let ticket = tickets.next()
    player.click = ticket
    let effects = player.controls.isShown ? player.controls.hide() : player.controls.show(&tickets)
    return effects + [.wait(Self.secondClickTime, .secondClick(ticket))]
  }
}
