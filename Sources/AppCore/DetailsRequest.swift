import Loading
import VideoFeed

/// The request that completes a video, and what is to happen when it is answered.
struct DetailsRequest: Equatable, Sendable {
  enum Phase: Equatable, Sendable {
    case none
    case underWay(Ticket, id: String, thenPlay: Bool)
    case failed(id: String, String)
  }
  private(set) var phase = Phase.none

  var isUnderWay: Bool {
    if case .underWay = phase { true } else { false }
  }

  /// Asks for the details of a video that needs them; an older request is dropped.
  mutating func ask(for video: Video, thenPlay: Bool, ticket: Ticket) -> [AppEffect] {
    guard video.detailsURL != nil else { return [] }
    if case .underWay(let old, video.id, let play) = phase {
      phase = .underWay(old, id: video.id, thenPlay: play || thenPlay)
      return []
    }
    let dropped = cancel()
    phase = .underWay(ticket, id: video.id, thenPlay: thenPlay)
    return dropped + [.requestDetails(video, ticket)]
  }

  mutating func cancel() -> [AppEffect] {
    guard case .underWay(let ticket, _, _) = phase else { return [] }
    phase = .none
    return [.cancel(ticket)]
  }

  /// Whether to play now, for the ticket that is waited for; nil for an old one.
  mutating func arrived(_ ticket: Ticket) -> (id: String, thenPlay: Bool)? {
    guard case .underWay(ticket, let id, let thenPlay) = phase else { return nil }
    phase = .none
    return (id, thenPlay)
  }

  mutating func failed(_ ticket: Ticket, why: String) {
    guard case .underWay(ticket, let id, _) = phase else { return }
    phase = .failed(id: id, why)
  }

  /// Why the details of this video are not there.
  func failure(of id: String) -> String? {
    if case .failed(id, let why) = phase { why } else { nil }
  }

  func isUnderWay(for id: String) -> Bool {
    if case .underWay(_, id, _) = phase { true } else { false }
  }
}
