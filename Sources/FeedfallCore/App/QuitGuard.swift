/// Decides whether the key that quits asks first: at the top level it is easily pressed once too often.
struct QuitGuard: Equatable, Sendable {
  enum Reason: Equatable, Sendable {
    case playing
    /// With their number.
    case downloads(Int)
    /// The key has just closed a screen.
    case closedScreen
  }

  private enum Phase: Equatable {
    case resting
    /// The key closed a screen at this time, in milliseconds since 1970.
    case closedScreen(at: Int)
    case asked
  }

  private var phase = Phase.resting

  /// After a screen was closed, in milliseconds.
  static let pause = 1_000

  mutating func screenClosed(at now: Int) { phase = .closedScreen(at: now) }

  /// Returns why to ask; nil to quit at once. It asks once until `cancel`. A clock that was set back counts as a moment.
  mutating func ask(isPlaying: Bool, downloadCount: Int, at now: Int) -> Reason? {
    let reason: Reason?
    switch phase {
    case .asked: reason = nil
    case _ where isPlaying: reason = .playing
    case _ where downloadCount > 0: reason = .downloads(downloadCount)
    case .closedScreen(let time):
      let (distance, overflow) = now.subtractingReportingOverflow(time)
      reason = !overflow && distance >= Self.pause || overflow && now > time ? nil : .closedScreen
    case .resting: reason = nil
    }
    phase = reason == nil ? .resting : .asked
    return reason
  }

  /// Forgets that the user was asked.
  mutating func cancel() { if phase == .asked { phase = .resting } }
}
