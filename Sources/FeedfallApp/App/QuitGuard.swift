/// Decides whether the quit key asks first. It is easily pressed once too often on the way to the top level.
struct QuitGuard: Equatable, Sendable {
  enum Reason: Equatable, Sendable {
    case playing
    case downloads(Int)
    case closedScreen
  }

  private enum Phase: Equatable {
    case resting
    /// The key closed a screen at this time, in milliseconds since 1970.
    case closedScreen(at: Int)
    case asked
  }

  private var phase = Phase.resting

  /// How long the key asks after it has closed a screen, in milliseconds.
  static let pause = 1_000

  mutating func screenClosed(at now: Int) { phase = .closedScreen(at: now) }

  /// Returns the reason to ask; nil to quit at once. Asks once until `cancel`. No time passes if the clock is set back.
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

  mutating func cancel() { if phase == .asked { phase = .resting } }
}
