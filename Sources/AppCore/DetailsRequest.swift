import Loading
import VideoFeed

/// The request that completes a video, and what is to happen when it is answered.
struct DetailsRequest: Equatable, Sendable {
  /// What the video is completed for.
  enum Sequel: Equatable, Sendable { case show, play, copy }

  enum Phase: Equatable, Sendable {
    case none
    case underWay(Ticket, id: String, Sequel)
    case failed(id: String, FeedFailure)
  }
  private(set) var phase = Phase.none

  var isUnderWay: Bool {
    if case .underWay = phase { true } else { false }
  }

  /// Asks for the details of a video that needs them; an older request for another video is dropped, one for the same
  /// video goes on, for what was wished for last.
  mutating func ask(for video: Video, _ sequel: Sequel, ticket: Ticket) -> [AppEffect] {
    guard video.detailsURL != nil else { return [] }
    if case .underWay(let old, video.id, let wish) = phase {
      phase = .underWay(old, id: video.id, sequel == .show ? wish : sequel)
      return []
    }
    let dropped = cancel()
    phase = .underWay(ticket, id: video.id, sequel)
    return dropped + [.requestDetails(video, ticket)]
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

  /// Why the details of this video are not there.
  func failure(of id: String) -> FeedFailure? {
    if case .failed(id, let failure) = phase { failure } else { nil }
  }

  func isUnderWay(for id: String) -> Bool {
    if case .underWay(_, id, _) = phase { true } else { false }
  }
}
