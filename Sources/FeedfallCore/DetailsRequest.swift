import FeedfallFeeds
import FeedfallLoading
import FeedfallText

/// The request that completes a video, and what is to happen when it is answered.
struct DetailsRequest: Equatable, Sendable {
  /// What the video is completed for.
  enum Sequel: Equatable, Sendable { case show, play, copy }

  enum Phase: Equatable, Sendable {
    case none
    case underWay(Ticket, id: String, Sequel)
    case failed(id: String, FeedFailure)
    /// The server asked to be left alone this long, and is, for every video.
    case held(Ticket, Duration)
  }
  private(set) var phase = Phase.none

  var isUnderWay: Bool {
    if case .underWay = phase { true } else { false }
  }

  /// Asks for the details of a video that needs them; an older request for another video is dropped, one for the same
  /// video goes on, for what was wished for last.
  mutating func ask(for video: Video, of source: SourceID, _ sequel: Sequel, ticket: Ticket) -> [AppEffect] {
    guard video.canBeCompleted, hold == nil else { return [] }
    if case .underWay(let old, video.id, let wish) = phase {
      phase = .underWay(old, id: video.id, sequel == .show ? wish : sequel)
      return []
    }
    let dropped = cancel()
    phase = .underWay(ticket, id: video.id, sequel)
    return dropped + [.requestDetails(source, video, ticket)]
  }

  /// Another video is played now, whenever the answer comes.
  mutating func playsNoMore() {
    if case .underWay(let ticket, let id, .play) = phase { phase = .underWay(ticket, id: id, .show) }
  }

  mutating func cancel() -> [AppEffect] {
    guard case .underWay(let ticket, _, _) = phase else { return [] }
    phase = .none
    return [.cancel(ticket)]
  }

  /// What to do now, for the ticket that is waited for; nil for an old one.
  mutating func arrived(_ ticket: Ticket) -> Sequel? {
    guard case .underWay(ticket, _, let sequel) = phase else { return nil }
    phase = .none
    return sequel
  }

  /// What will not be done now, for the ticket that is waited for; nil for an old one.
  mutating func failed(_ ticket: Ticket, _ failure: FeedFailure) -> Sequel? {
    guard case .underWay(ticket, let id, let sequel) = phase else { return nil }
    phase = .failed(id: id, failure)
    return sequel
  }

  /// Keeps from asking for as long as the server asked for, if it did.
  mutating func hold(after failure: FeedFailure, ticket: Ticket) -> [AppEffect] {
    guard case .wait(let seconds) = failure.kind else { return [] }
    phase = .held(ticket, .seconds(seconds))
    return [.wait(.seconds(seconds), .details(ticket))]
  }

  /// Whether the wait that this ticket was for is over now.
  mutating func waitElapsed(_ ticket: Ticket) -> Bool {
    guard case .held(ticket, _) = phase else { return false }
    phase = .none
    return true
  }

  /// How long the server asked to be left alone.
  var hold: Duration? {
    if case .held(_, let time) = phase { time } else { nil }
  }

  /// Why the details of this video are not there.
  func failure(of id: String) -> FeedFailure? {
    if case .failed(id, let failure) = phase { failure } else { nil }
  }

  func isUnderWay(for id: String) -> Bool {
    if case .underWay(_, id, _) = phase { true } else { false }
  }
}
