import Synchronization

/// Servers that have repeatedly failed to answer. They are not requested for a while, because a page of cards has many
/// covers on one server, and each request would wait for its own time-out.
package final class SilentServers: Sendable {
  private struct Record {
    var failureCount = 0
    var failure: WebFailure
    var pauseEnd: ContinuousClock.Instant
  }
  private let records = Mutex<[String: Record]>([:])

  private static let pause = Duration.seconds(30)
  /// A single failure may be caused by one broken picture.
  private static let failureCountBeforePause = 2
  private static let maximumCount = 256

  package init() {}

  /// Nil for a server that may be requested now.
  package func failure(of server: String) -> WebFailure? {
    records.withLock { $0[server] }.flatMap { record in
      record.failureCount >= Self.failureCountBeforePause && record.pauseEnd > .now ? record.failure : nil
    }
  }

  /// An answer that was still arriving is none of silence.
  package func recordFailure(of server: String, _ failure: WebFailure) {
    if case .tooSlow = failure { return recordAnswer(of: server) }
    records.withLock { records in
      if records.count >= Self.maximumCount { records = records.filter { $0.value.pauseEnd > .now } }
      guard records.count < Self.maximumCount else { return }
      let count = (records[server]?.failureCount ?? 0) + 1
      records[server] = Record(failureCount: count, failure: failure, pauseEnd: .now + Self.pause)
    }
  }

  package func forgetFailures() { records.withLock { $0 = [:] } }

  package func recordAnswer(of server: String) { records.withLock { $0[server] = nil } }
}
