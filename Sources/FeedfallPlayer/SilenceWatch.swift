/// Detects that mpv has stopped responding while it loads or plays. After a silence, which may be a slow server or a
/// still picture, feedfall sends a query; without an answer in time, playback ends.
struct SilenceWatch: Sendable {
  private let lastMessage: SuspendingClock.Instant
  private var question: SuspendingClock.Instant?
  /// Whether mpv has been asked and has not answered in time.
  private(set) var isOver = false

  /// How long mpv may be silent before it is asked, and how long it then has for an answer.
  private var limit: Duration

  /// Begins with a message, which proves that mpv responds, or with an order.
  init(at now: SuspendingClock.Instant, isLoading: Bool) {
    lastMessage = now
    limit = Self.limit(isLoading: isLoading)
  }

  /// While mpv plays, it reports its position many times a second. While it loads, it may open a device, or just start.
  static func limit(isLoading: Bool) -> Duration { .milliseconds(isLoading ? 5000 : 2500) }

  /// Continues with a load, whose messages may take longer; the silence before it counts.
  mutating func beginLoad() { limit = Self.limit(isLoading: true) }

  /// When to call `mustAsk(at:)` next.
  var due: SuspendingClock.Instant { (question ?? lastMessage) + limit }

  mutating func mustAsk(at now: SuspendingClock.Instant) -> Bool {
    guard now >= due else { return false }
    guard question == nil else {
      isOver = true
      return false
    }
    question = now
    return true
  }
}
