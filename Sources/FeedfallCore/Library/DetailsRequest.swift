import FeedfallFeeds
import FeedfallLoading
import FeedfallText

/// A playback address that could not be loaded.
struct FailedAddress: Sendable {
  var card: CardID
  /// Not `.show`.
  var sequel: DetailsRequest.Sequel
  var failure: FeedFailure
}

/// A source's request for the missing details of a video.
struct DetailsRequest: Equatable, Sendable {
  /// The reason for the request, which determines the steps after its answer.
  enum Sequel: Equatable, Sendable {
    case show, play, copy, download

    /// The command that requests the address again; for `show` that of a copy.
    var command: BrowseCommand {
      switch self {
      case .play: .play
      case .show, .copy: .copyPlaybackAddress
      case .download: .download
      }
    }
  }

  private enum Phase: Equatable {
    case none
    case pending(Ticket, CardID, Sequel)
    case failed(CardID, FeedFailure, Sequel)
    /// The server asked to wait this long before a request for any video.
    case held(Ticket, Duration)
  }
  private var phase = Phase.none

  var isPending: Bool {
    if case .pending = phase { true } else { false }
  }

  /// Requests the details of a video that lacks some. A pending request for another video is canceled; one for the
  /// same video continues with the newer sequel.
  mutating func request(_ video: Video, from source: SourceID, _ sequel: Sequel, ticket: Ticket) -> [AppEffect] {
    guard video.canBeCompleted, hold == nil else { return [] }
    let card = CardID(video, of: source)
    if case .pending(let old, card, let oldSequel) = phase {
      phase = .pending(old, card, sequel == .show ? oldSequel : sequel)
      return []
    }
    let canceled = cancel()
    phase = .pending(ticket, card, sequel)
    return canceled + [.requestDetails(source, video, ticket)]
  }

  /// Continues a request to play as one to show.
  mutating func cancelPlayback() {
    if case .pending(let ticket, let card, .play) = phase { phase = .pending(ticket, card, .show) }
  }

  mutating func cancel() -> [AppEffect] {
    guard case .pending(let ticket, _, _) = phase else { return [] }
    phase = .none
    return [.cancel(ticket)]
  }

  /// Returns the sequel of a request that has been answered; nil for an old ticket.
  mutating func finish(_ ticket: Ticket) -> Sequel? {
    guard case .pending(ticket, _, let sequel) = phase else { return nil }
    phase = .none
    return sequel
  }

  /// Returns the card and the sequel of a request that has failed; nil for an old ticket.
  mutating func fail(_ ticket: Ticket, _ failure: FeedFailure) -> (card: CardID, sequel: Sequel)? {
    guard case .pending(ticket, let card, let sequel) = phase else { return nil }
    phase = .failed(card, failure, sequel)
    return (card, sequel)
  }

  /// Suspends requests for as long as the server asked to wait, if it did.
  mutating func hold(after failure: FeedFailure, ticket: Ticket) -> [AppEffect] {
    guard case .wait(let seconds) = failure.kind else { return [] }
    phase = .held(ticket, .seconds(seconds))
    return [.wait(.seconds(seconds), .details(ticket))]
  }

  /// Returns whether the hold with this ticket has ended.
  mutating func waitElapsed(_ ticket: Ticket) -> Bool {
    guard case .held(ticket, _) = phase else { return false }
    phase = .none
    return true
  }

  /// The time that the server asked to wait.
  var hold: Duration? {
    if case .held(_, let time) = phase { time } else { nil }
  }

  func failure(of card: CardID) -> FeedFailure? {
    if case .failed(card, let failure, _) = phase { failure } else { nil }
  }

  /// The sequel of the failed request; `.show` without one.
  var failedSequel: Sequel {
    if case .failed(_, _, let sequel) = phase { sequel } else { .show }
  }

  func isPending(for card: CardID) -> Bool {
    if case .pending(_, card, _) = phase { true } else { false }
  }
}
