/// Notices that a playing mpv has stopped responding. It reports its position many times a second; after a silence, which
/// may be a still picture, it is asked something, and given up without an answer.
struct SilenceWatch: Sendable {
  private let lastMessage: ContinuousClock.Instant
  private var question: ContinuousClock.Instant?
  /// Whether mpv has been asked and has not answered in time.
  private(set) var isOver = false

  /// How long mpv may be silent before it is asked, and how long it then has for an answer.
  static let limit = Duration.milliseconds(2500)

  /// Begins with a message, which proves that mpv responds.
  init(at now: ContinuousClock.Instant) { lastMessage = now }

  /// When to call `mustAsk(at:)` next.
  var due: ContinuousClock.Instant { (question ?? lastMessage) + Self.limit }

  /// Returns whether to ask mpv something now.
  mutating func mustAsk(at now: ContinuousClock.Instant) -> Bool {
    guard now >= due else { return false }
    guard question == nil else {
      isOver = true
      return false
    }
    question = now
    return true
  }
}
