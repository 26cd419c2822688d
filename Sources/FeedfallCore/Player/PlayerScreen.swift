import FeedfallLoading
import FeedfallPlaying

/// What plays, and how it is looked at.
struct PlayerScreen: Sendable {
  var session: PlaySession
  /// What plays or was played last.
  var card: CardID?
  /// The tab in whose order the next video is found.
  var tab = 0
  /// Whether it has the whole window as long as the pane shows it.
  var isFullWindow = false
  /// Whether its picture is in the corner while the cards are looked at.
  var isInCorner = false
  var controls = FadingControls()
  /// A click after which a second one would be a double one.
  var click: Ticket?
  /// Where the progress bar is held with the mouse, as a share of the whole.
  var held: Double?

  /// Whether there is anything of it to be seen: it plays, or has failed to.
  var isActive: Bool { session.isUnderWay || session.failure != nil }

  /// Whether there are frames to be painted.
  var hasPicture: Bool {
    guard case .cells = session.presentation else { return false }
    return session.loadState.isReady && session.pictureSize != nil
  }
}

/// The controls over the whole window, which go away when nobody uses them.
struct FadingControls: Equatable, Sendable {
  static let time = Duration.milliseconds(2_500)

  private(set) var isShown = true
  private var waiting: Ticket?

  mutating func show(_ tickets: inout TicketOffice) -> [AppEffect] {
    let dropped = hide()
    let ticket = tickets.next()
    isShown = true
    waiting = ticket
    return dropped + [.wait(Self.time, .controls(ticket))]
  }

  mutating func hide() -> [AppEffect] {
    defer { waiting = nil }
    isShown = false
    return waiting.map { [.cancel($0)] } ?? []
  }

  /// Whether they have gone away now.
  mutating func waitElapsed(_ ticket: Ticket) -> Bool {
    guard ticket == waiting else { return false }
    waiting = nil
    isShown = false
    return true
  }
}
