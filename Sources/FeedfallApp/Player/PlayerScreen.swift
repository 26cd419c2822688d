import FeedfallScreen
import WaterfallEngine

struct PlayerScreen: Equatable, Sendable {
  var session: PlaySession
  /// Whether the player fills the window, also while the next video is prepared. It needs no card.
  private(set) var isFullWindow = false
  /// The title of the next video of the list, which is played as soon as its address is known; nil while none is.
  var awaitedTitle: String?
  /// Whether the details show the video.
  private(set) var isCardShown = false
  /// Whether the cards show the picture in their corner.
  private(set) var isInCorner = false
  var filmShape = FilmShape()
  private(set) var areControlsShown = true
  private var controlsPause = Pause()
  private(set) var level: Level?
  private var levelPause = Pause()
  /// The time after a click in which the next one makes it a double click.
  private var clickPause = Pause()
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
  var upcomingTitle: String? { !session.isUnderWay && session.item != nil ? awaitedTitle : nil }

  var title: String { upcomingTitle ?? session.item?.title ?? "" }

  /// The failure of the last video, until the next one is awaited.
  var failure: PlayFailure? { upcomingTitle == nil ? session.failure : nil }
  var isWaiting: Bool { session.isWaiting || upcomingTitle != nil }

  var hasPicture: Bool {
    session.presentation.kind == .cells && session.loadState.isReady && session.file.pictureSize != nil
  }

  /// The controls cover the full window while they are used, and while they show a wait.
  var hasControlsInFullWindow: Bool { areControlsShown || isWaiting || held != nil }

  // MARK: - Commands

  mutating func toggleFullWindow(_ tickets: inout TicketOffice) -> [AppEffect] {
    isFullWindow.toggle()
    return isFullWindow ? showControls(&tickets) : hideControls()
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
    switch command {
    case .changeVolume, .toggleMute: level = .volume
    case .changeBrightness: level = .brightness
    default: return []
    }
    return levelPause.begin(Self.levelTime, &tickets, Wait.level)
  }

  mutating func toggleCorner() { isInCorner.toggle() }

  /// `isInCorner`: whether the cards can show the film in their corner.
  mutating func updateFilmShape(isInCorner: Bool, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard isInCorner, self.isInCorner, session.loadState.isReady, !isFullWindow else { return filmShape.reset() }
    return filmShape.update(session.file.pictureSize, &tickets)
  }

  mutating func moveToCorner() { (isInCorner, isFullWindow) = (true, false) }

  mutating func perform(_ wish: PlayCommand) -> [PlaySession.Effect] {
    // Releasing the bar of one video must not seek in the next.
    if case .play = wish { heldBar = nil }
    if case .stop = wish { isFullWindow = false }
    return session.perform(wish)
  }

  mutating func adopt(_ preview: PlayPreview, as item: PlayItem) -> [PlaySession.Effect] {
    heldBar = nil
    return session.adopt(preview, as: item)
  }

  /// Ends a drag of a bar that has disappeared. `getsMouse`: the help and prompts do not pass the mouse on.
  mutating func update(isCardShown: Bool, getsMouse: Bool) {
    self.isCardShown = isCardShown
    if !getsMouse || heldBar?.isMini == (isCardShown || isFullWindow) { heldBar = nil }
  }

  mutating func controlsWaitElapsed(_ ticket: Ticket) { if controlsPause.end(ticket) { areControlsShown = false } }

  mutating func levelWaitElapsed(_ ticket: Ticket) { if levelPause.end(ticket) { level = nil } }

  mutating func doubleClickTimeElapsed(_ ticket: Ticket) { clickPause.end(ticket) }

  // MARK: - Mouse

  /// Returns nil if the mouse is not on the bar.
  mutating func drag(_ mouse: MouseEvent, onBar bar: Rect?, isMini: Bool) -> [PlayCommand]? {
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
      return [.seek(.share(share))]
    case .press, .drag, .release, .wheelUp, .wheelDown: return nil
    }
  }

  /// Turns the volume or the brightness by a step of the wheel.
  func turning(up isUp: Bool, at position: Point, in picture: Rect) -> PlayCommand {
    let step = isUp ? Self.wheelStep : -Self.wheelStep
    return position.x >= picture.midX ? .changeVolume(by: step) : .changeBrightness(by: step)
  }

  /// A click shows or hides the controls, a double click pauses.
  mutating func clickInFullWindow(_ tickets: inout TicketOffice) -> (isDouble: Bool, effects: [AppEffect]) {
    if clickPause.isRunning { return (true, clickPause.cancel()) }
    let wait = clickPause.begin(Self.doubleClickTime, &tickets, Wait.secondClick)
    return (false, (areControlsShown ? hideControls() : showControls(&tickets)) + wait)
  }

  enum Level: Equatable, Sendable { case volume, brightness }
}

/// The proportions of the film in the corner. They change at most once a second, because an adaptive stream can change
/// those of its picture at any time, and each change configures the player anew.
struct FilmShape: Equatable, Sendable {
  /// The width divided by the height, within 0.4 to 4; nil before the film is loaded.
  private(set) var aspect: Double?
  /// The time before the next change.
  private var pause = Pause()

  private static let pauseTime = Duration.seconds(1)
  /// Smaller changes, such as by rounding, are at most a cell or two.
  private static let leastChange = 0.02
  private static let aspects = 0.4...4.0

  static func aspect(of picture: Size) -> Double {
    let aspect = Double(max(1, picture.width)) / Double(max(1, picture.height))
    return min(max(aspect, aspects.lowerBound), aspects.upperBound)
  }

  mutating func update(_ picture: Size?, _ tickets: inout TicketOffice) -> [AppEffect] {
    guard let picture else { return [] }
    let new = Self.aspect(of: picture)
    if let aspect, pause.isRunning || abs(new / aspect - 1) < Self.leastChange { return [] }
    aspect = new
    return pause.begin(Self.pauseTime, &tickets, Wait.filmShape)
  }

  mutating func pauseElapsed(_ ticket: Ticket) { pause.end(ticket) }

  mutating func reset() -> [AppEffect] {
    aspect = nil
    return pause.cancel()
  }
}
