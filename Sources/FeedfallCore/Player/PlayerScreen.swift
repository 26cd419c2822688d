import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import WaterfallEngine

/// The play session and the state of its screen.
struct PlayerScreen: Sendable {
  private(set) var session: PlaySession
  /// Takes effect while the pane shows the video.
  private(set) var isFullWindow = false
  /// Whether the cards show the picture in their corner.
  private(set) var isInCorner = false
  private(set) var controls = FadingControls()
  /// A click that the next one makes a double click.
  private var click: Ticket?
  /// The position at which the progress bar is held with the mouse, as a share of the whole.
  private(set) var held: Double?

  private static let doubleClickTime = Duration.milliseconds(300)
  private static let wheelStep = 5

  init(session: PlaySession) {
    self.session = session
  }

  /// Whether a video plays or has failed to.
  var isActive: Bool { session.isUnderWay || session.failure != nil }

  /// Whether there are frames to paint.
  var hasPicture: Bool {
    guard session.presentation.frameSize != nil else { return false }
    return session.loadState.isReady && session.pictureSize != nil
  }

  /// The controls cover the full window while they are used, and while they show a wait.
  var hasControlsInFullWindow: Bool { controls.isShown || session.isWaiting || held != nil }

  // MARK: - Commands

  /// Performs a command. `hasAlert`: whether the screen shows an alert.
  mutating func perform(_ command: PlayerCommand, hasAlert: Bool, _ tickets: inout TicketOffice) -> [Intent] {
    switch command {
    case .control(let wish): return [.control(wish)]
    case .playNext: return [.playNeighbor(by: 1)]
    case .playPrevious: return [.playNeighbor(by: -1)]
    case .toggleFullWindow: return toggleFullWindow(&tickets)
    case .pictureInPicture: return [.togglePictureInPicture]
    case .leave: return [.closeDetails]
    case .stop:
      if isFullWindow { return toggleFullWindow(&tickets) }
      return [hasAlert ? .dismissAlert : .control(.stop)]
    }
  }

  private mutating func toggleFullWindow(_ tickets: inout TicketOffice) -> [Intent] {
    isFullWindow.toggle()
    return (isFullWindow ? controls.show(&tickets) : controls.hide()).map(Intent.effect)
  }

  mutating func showControls(_ tickets: inout TicketOffice) -> [AppEffect] { controls.show(&tickets) }

  mutating func toggleCorner() { isInCorner.toggle() }

  mutating func moveToCorner() { isInCorner = true }

  // MARK: - Session

  mutating func perform(_ wish: PlayCommand) -> [Intent] { intents(session.perform(wish)) }

  mutating func handle(_ report: PlayerReport) -> [Intent] { intents(session.handle(report)) }

  mutating func suspend() -> [Intent] { intents(session.suspend()) }

  mutating func resume() -> [Intent] { intents(session.resume()) }

  mutating func close() -> [Intent] { intents(session.close()) }

  /// Sets the room for the picture in cells; nil for none. The size of frames is nil if cells have two pixels.
  mutating func update(room: Size?, pixelAspect: Double, frameSize: Size?) -> [Intent] {
    intents(session.resizeVideo(to: room, pixelAspect: pixelAspect, frameSize: frameSize))
  }

  mutating func leaveFullWindow() { (isFullWindow, held) = (false, nil) }

  private mutating func intents(_ effects: [PlayEffect]) -> [Intent] {
    effects.compactMap { effect in
      switch effect {
      case .order(let order): return .effect(.player(order))
      case .saveRecords: return .effect(.saveRecords(session.records))
      case .leaveFullWindow:
        isFullWindow = false
        return nil
      case .playNext: return .playNeighbor(by: 1)
      case .show(let notice): return .showNotice(PlayerWords.text(for: notice))
      }
    }
  }

  // MARK: - Waits

  /// Returns whether the controls have been hidden.
  mutating func controlsWaitElapsed(_ ticket: Ticket) -> Bool { controls.waitElapsed(ticket) }

  mutating func doubleClickTimeElapsed(_ ticket: Ticket) {
    if click == ticket { click = nil }
  }

  // MARK: - Mouse

  /// Handles the mouse on the pane or the full window; returns nil if it is not over the player.
  mutating func handle(
    _ mouse: MouseEvent, on panel: PlayerPanel, bar: Rect?, isFullWindow: Bool, _ tickets: inout TicketOffice
  ) -> [Intent]? {
    if !isFullWindow || hasControlsInFullWindow, let intents = handle(mouse, onBar: bar) {
      return intents + [.showControls]
    }
    guard panel.picture.contains(mouse.position) else { return isFullWindow ? [] : nil }
    switch mouse.kind {
    case .press: return isFullWindow ? clickInFullWindow(&tickets) : [.control(.togglePause)]
    case .wheelUp: return turn(by: Self.wheelStep, at: mouse.position, in: panel.picture)
    case .wheelDown: return turn(by: -Self.wheelStep, at: mouse.position, in: panel.picture)
    case .drag, .release: return []
    }
  }

  /// The bar follows the mouse while it is held; releasing it seeks.
  private mutating func handle(_ mouse: MouseEvent, onBar bar: Rect?) -> [Intent]? {
    guard session.isUnderWay, let bar, bar.width > 1 else {
      held = nil
      return nil
    }
    let share = Double(min(max(0, mouse.position.x - bar.minX), bar.width - 1)) / Double(bar.width - 1)
    switch mouse.kind {
    case .press where bar.contains(mouse.position), .drag where held != nil:
      held = share
      return []
    case .release where held != nil:
      held = nil
      return [.control(.seek(.share(share)))]
    case .press, .drag, .release, .wheelUp, .wheelDown: return nil
    }
  }

  /// The wheel changes the volume on the right half, the brightness on the left one.
  private func turn(by step: Int, at position: Point, in picture: Rect) -> [Intent] {
    [.control(position.x >= picture.midX ? .changeVolume(by: step) : .changeBrightness(by: step)), .showControls]
  }

  /// A click shows or hides the controls, a double click pauses.
  private mutating func clickInFullWindow(_ tickets: inout TicketOffice) -> [Intent] {
    if let first = click {
      click = nil
      return [.effect(.cancel(first)), .control(.togglePause), .showControls]
    }
    let ticket = tickets.next()
    click = ticket
    let effects = controls.isShown ? controls.hide() : controls.show(&tickets)
    return effects.map(Intent.effect) + [.effect(.wait(Self.doubleClickTime, .secondClick(ticket)))]
  }
}

/// The controls over the full window, which disappear when they are not used.
struct FadingControls: Equatable, Sendable {
  private static let time = Duration.milliseconds(2_500)

  private(set) var isShown = true
  private var waiting: Ticket?

  mutating func show(_ tickets: inout TicketOffice) -> [AppEffect] {
    let cancelled = hide()
    let ticket = tickets.next()
    isShown = true
    waiting = ticket
    return cancelled + [.wait(Self.time, .controls(ticket))]
  }

  mutating func hide() -> [AppEffect] {
    defer { waiting = nil }
    isShown = false
    return waiting.map { [.cancel($0)] } ?? []
  }

  /// Returns whether the controls have been hidden.
  mutating func waitElapsed(_ ticket: Ticket) -> Bool {
    guard ticket == waiting else { return false }
    waiting = nil
    isShown = false
    return true
  }
}
