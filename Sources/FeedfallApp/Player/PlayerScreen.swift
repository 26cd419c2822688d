import FeedfallFeeds
import FeedfallScreen
import FeedfallText
import WaterfallEngine

struct PlayerScreen: Equatable, Sendable {
  var session: PlaySession
  /// Whether the player fills the window, also while the next video is prepared. It needs no card.
  private(set) var isFullWindow = false
  /// The title of the next video of the list, which is played as soon as its address is known; nil while none is.
  var awaitedTitle: String?
  /// Whether the details show the video.
  private var isCardShown = false
  /// Whether the cards show the picture in their corner.
  private(set) var isInCorner = false
  var filmShape = FilmShape()
  private(set) var areControlsShown = true
  private var controlsPause = Pause()
  private(set) var level: Level?
  private var levelPause = Pause()
  /// A click that the next one makes a double click.
  private var click: Ticket?
  /// The position at which a progress bar is held with the mouse, as a share of the whole.
  var held: Double? { heldBar?.share }
  private var heldBar: HeldBar?

  private struct HeldBar: Equatable, Sendable {
    var share: Double
    var isMini: Bool
  }

  private static let controlsTime = Duration.milliseconds(2_500)
  private static let levelTime = Duration.seconds(2)
  private static let doubleClickTime = Duration.milliseconds(300)
  private static let wheelStep = 5

  init(session: PlaySession) { self.session = session }

  var isActive: Bool { session.isUnderWay || session.failure != nil || upcomingTitle != nil }

  /// The title of the awaited video once the last one has ended.
  var upcomingTitle: String? {
    guard let awaitedTitle, !session.isUnderWay, session.item != nil else { return nil }
    return awaitedTitle
  }

  var title: String { upcomingTitle ?? session.item?.title ?? "" }

  /// The failure of the last video, until the next one is awaited.
  var failure: PlayFailure? { upcomingTitle == nil ? session.failure : nil }
  var isWaiting: Bool { session.isWaiting || upcomingTitle != nil }

  var hasPicture: Bool {
    guard session.presentation.kind == .cells else { return false }
    return session.loadState.isReady && session.file.pictureSize != nil
  }

  /// The controls cover the full window while they are used, and while they show a wait.
  var hasControlsInFullWindow: Bool { areControlsShown || isWaiting || held != nil }

  // MARK: - Commands

  mutating func perform(_ command: PlayerCommand, _ tickets: inout TicketOffice) -> [Intent] {
    switch command {
    case .control(let wish): return [.control(wish)]
    case .playNext: return [.playNeighbor(by: 1)]
    case .playPrevious: return [.playNeighbor(by: -1)]
    case .toggleFullWindow: return toggleFullWindow(&tickets)
    case .pictureInPicture: return [.togglePictureInPicture]
    case .leave:
      isFullWindow = false
      return [.closeDetails]
    case .stop:
      if isFullWindow, isCardShown { return toggleFullWindow(&tickets) }
      return [.control(.stop), .leavePlayer]
    }
  }

  private mutating func toggleFullWindow(_ tickets: inout TicketOffice) -> [Intent] {
    isFullWindow.toggle()
    return (isFullWindow ? showControls(&tickets) : hideControls()).map(Intent.effect)
  }

  mutating func enterFullWindow(_ tickets: inout TicketOffice) -> [AppEffect] {
    isFullWindow = true
    return showControls(&tickets)
  }

  mutating func leaveFullWindow() { isFullWindow = false }

  mutating func showControls(_ tickets: inout TicketOffice) -> [AppEffect] {
    areControlsShown = true
    return controlsPause.begin(Self.controlsTime, &tickets, Wait.controls)
  }

  private mutating func hideControls() -> [AppEffect] {
    areControlsShown = false
    return controlsPause.cancel()
  }

  mutating func showLevel(of command: PlayCommand, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard let level = Level(changedBy: command) else { return [] }
    self.level = level
    return levelPause.begin(Self.levelTime, &tickets, Wait.level)
  }

  mutating func toggleCorner() { isInCorner.toggle() }

  /// `isInCorner`: whether the cards can show the film in their corner.
  mutating func updateFilmShape(isInCorner: Bool, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard isInCorner, self.isInCorner, session.loadState.isReady, !isFullWindow else { return filmShape.reset() }
    return filmShape.update(session.file.pictureSize, &tickets)
  }

  mutating func moveToCorner() { (isInCorner, isFullWindow) = (true, false) }

  // MARK: - Session

  mutating func perform(_ wish: PlayCommand) -> [Intent] {
    // Releasing the bar of one video must not seek in the next.
    if case .play = wish { heldBar = nil }
    if case .stop = wish { isFullWindow = false }
    return intents(session.perform(wish))
  }

  mutating func handle(_ report: PlayerReport) -> [Intent] { intents(session.handle(report)) }

  mutating func adopt(_ preview: PlayPreview, as item: PlayItem) -> [Intent] {
    heldBar = nil
    return intents(session.adopt(preview, as: item))
  }

  mutating func suspend() -> [Intent] { intents(session.suspend()) }

  mutating func resume() -> [Intent] { intents(session.resume()) }

  mutating func close() -> [Intent] { intents(session.close()) }

  /// `room` is in cells, nil for none. `frameSize` is nil if cells show the picture.
  mutating func update(room: Size?, pixelAspect: Double, frameSize: Size?) -> [Intent] {
    intents(session.resizeVideo(to: room, pixelAspect: pixelAspect, frameSize: frameSize))
  }

  /// Ends a drag of a bar that has disappeared. `getsMouse`: the help and prompts do not pass the mouse on.
  mutating func update(isCardShown: Bool, getsMouse: Bool) {
    self.isCardShown = isCardShown
    if !getsMouse || heldBar?.isMini == (isCardShown || isFullWindow) { heldBar = nil }
  }

  private mutating func intents(_ effects: [PlaySession.Effect]) -> [Intent] {
    // The end of the list leaves the full window.
    let continues = effects.contains(.playNext) || awaitedTitle != nil
    return effects.compactMap { effect in
      switch effect {
      case .order(let order): return .effect(.player(order))
      case .savePosition: return session.savedPosition.map(Intent.savePosition)
      case .leaveFullWindow:
        isFullWindow = isFullWindow && continues
        return nil
      case .playNext: return .playNext
      case .ask(let redirect): return session.item.map { .ask(RedirectQuestion($0, redirect)) }
      case .show(let notice): return .show(notice)
      }
    }
  }

  // MARK: - Waits

  mutating func controlsWaitElapsed(_ ticket: Ticket) { if controlsPause.end(ticket) { areControlsShown = false } }

  mutating func levelWaitElapsed(_ ticket: Ticket) { if levelPause.end(ticket) { level = nil } }

  mutating func doubleClickTimeElapsed(_ ticket: Ticket) { if click == ticket { click = nil } }

  // MARK: - Mouse

  /// Returns nil if the mouse is not over the player. `bar` is nil if it is hidden.
  mutating func handle(
    _ mouse: MouseEvent, on panel: PlayerPanel, bar: Rect?, isFullWindow: Bool, _ tickets: inout TicketOffice
  ) -> [Intent]? {
    if let intents = handle(mouse, onBar: bar, isMini: false) { return intents + [.showControls] }
    guard panel.picture.contains(mouse.position) else { return isFullWindow ? [] : nil }
    switch mouse.kind {
    case .press: return isFullWindow ? clickInFullWindow(&tickets) : [.control(.togglePause)]
    case .wheelUp where !session.isUnderWay, .wheelDown where !session.isUnderWay: return isFullWindow ? [] : nil
    case .wheelUp: return turn(by: Self.wheelStep, at: mouse.position, in: panel.picture)
    case .wheelDown: return turn(by: -Self.wheelStep, at: mouse.position, in: panel.picture)
    case .drag, .release: return []
    }
  }

  mutating func handle(_ mouse: MouseEvent, on parts: MiniBar.Parts) -> [Intent] {
    if let intents = handle(mouse, onBar: parts.bar, isMini: true) { return intents }
    guard mouse.kind == .press else { return [] }
    return session.isUnderWay && parts.sign.contains(mouse.position) ? [.control(.togglePause)] : [.showPlaying]
  }

  private mutating func handle(_ mouse: MouseEvent, onBar bar: Rect?, isMini: Bool) -> [Intent]? {
    guard session.isUnderWay, let bar, bar.width > 1 else {
      heldBar = nil
      return nil
    }
    let share = Double(min(max(0, mouse.position.x - bar.minX), bar.width - 1)) / Double(bar.width - 1)
    switch mouse.kind {
    case .press where bar.contains(mouse.position), .drag where held != nil:
      heldBar = HeldBar(share: share, isMini: isMini)
      return []
    case .release where held != nil:
      heldBar = nil
      return [.control(.seek(.share(share)))]
    case .press, .drag, .release, .wheelUp, .wheelDown: return nil
    }
  }

  private func turn(by step: Int, at position: Point, in picture: Rect) -> [Intent] {
    [.control(position.x >= picture.midX ? .changeVolume(by: step) : .changeBrightness(by: step))]
  }

  /// A click shows or hides the controls, a double click pauses.
  private mutating func clickInFullWindow(_ tickets: inout TicketOffice) -> [Intent] {
    if let first = click {
      click = nil
      return [.effect(.cancel(first)), .control(.togglePause), .showControls]
    }
    let ticket = tickets.next()
    click = ticket
    let effects = areControlsShown ? hideControls() : showControls(&tickets)
    return effects.map(Intent.effect) + [.effect(.wait(Self.doubleClickTime, .secondClick(ticket)))]
  }
}

extension PlayerScreen {
  enum Level: Equatable, Sendable {
    case volume, brightness

    init?(changedBy command: PlayCommand) {
      switch command {
      case .changeVolume, .toggleMute: self = .volume
      case .changeBrightness: self = .brightness
      default: return nil
      }
    }
  }
}
