import FeedfallText

/// The state of a live broadcast.
public enum LiveState: Equatable, Sendable {
  case live
  /// The broadcast has not started; the value is its planned start.
  case upcoming(UnixTime?)
  case ended

  /// The live state of a video, as one answer states it.
  ///
  /// An answer that does not mention the state leaves an earlier statement in force; one that states its absence
  /// replaces it. After a broadcast, the details of its recording state that it is not live, which replaces the state
  /// in the list.
  enum Statement: Equatable {
    case unmentioned
    case absent
    case present(LiveState)

    /// A state that the answer always mentions.
    init(_ state: LiveState?) { self = state.map(Statement.present) ?? .absent }

    var state: LiveState? { if case .present(let state) = self { state } else { nil } }

    func replaced(by newer: Statement) -> Statement { newer == .unmentioned ? self : newer }
  }
}

extension Video {
  /// The live state. Setting nil means that the source does not mention it.
  public var live: LiveState? {
    get { statedLive.state }
    set { statedLive = newValue.map(LiveState.Statement.present) ?? .unmentioned }
  }

  /// Returns the video with its live state at a time: after its planned end, a broadcast has ended, and an announced
  /// film has become an ordinary one.
  public func settled(at now: UnixTime) -> Video {
    guard let live, let liveEnd, liveEnd <= now else { return self }
    var video = self
    video.liveEnd = nil
    switch live {
    case .upcoming(liveEnd): video.statedLive = .absent
    case .upcoming, .live: video.live = .ended
    case .ended: break
    }
    return video
  }

  /// Returns this video of a list completed with details that are older than the list.
  public func completed(byEarlier details: Video) -> Video {
    var video = completed(by: details)
    video.replaceStatements(by: self)
    if !video.isOnAir { video.duration = video.duration ?? duration }
    return video
  }

  mutating func replaceStatements(by newer: Video) {
    statedLive = statedLive.replaced(by: newer.statedLive)
    if newer.statedLive != .unmentioned {
      liveEnd = newer.liveEnd
      // A broadcast has no length until it has ended.
      if newer.isOnAir { duration = newer.duration }
    }
    flags = flags.subtracting(newer.statedFlags).union(newer.flags)
    statedFlags.formUnion(newer.statedFlags)
  }

  private var isOnAir: Bool { live != nil && live != .ended }
}
