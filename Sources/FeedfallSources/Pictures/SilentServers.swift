import FeedfallText
import Synchronization

/// Servers that gave no answer a few times in a row: a page of cards has many pictures on one, and to wait for each of
/// them anew would be of no use.
final class SilentServers: Sendable {
  private struct Silence {
    var failureCount = 0
    var failure: FeedFailure
    /// Until when the server is left alone.
    var end: ContinuousClock.Instant
  }
  private let pause: Duration
  private let silences = Mutex<[String: Silence]>([:])

  /// One picture may be broken on a server that is well.
  private static let patience = 2
  private static let maximumCount = 256

  /// - Parameter pause: for how long after the last failure a server is left alone.
  init(pause: Duration = .seconds(30)) {
    self.pause = pause
  }

  /// Why a server is not asked now; nil where it may be.
  func failure(of server: String) -> FeedFailure? {
    silences.withLock { $0[server] }.flatMap { silence in
      silence.failureCount >= Self.patience && silence.end > .now ? silence.failure : nil
    }
  }

  /// Notes that a server did not answer.
  func failed(_ server: String, _ failure: FeedFailure) {
    silences.withLock { silences in
      if silences.count >= Self.maximumCount { silences = silences.filter { $0.value.end > .now } }
      guard silences.count < Self.maximumCount else { return }
      let count = (silences[server]?.failureCount ?? 0) + 1
      silences[server] = Silence(failureCount: count, failure: failure, end: .now + pause)
    }
  }

  /// Notes that a server did answer, whatever that was.
  func answered(_ server: String) {
    silences.withLock { $0[server] = nil }
  }
}
