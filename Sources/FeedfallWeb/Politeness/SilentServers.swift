import Synchronization

/// Servers that failed to answer several times in a row, and are not asked for a while: a page of cards has many covers
/// on one server, and each would wait for its own time-out.
package final class SilentServers: Sendable {
  private struct Record {
    var failureCount = 0
    var failure: WebFailure
    var pauseEnd: ContinuousClock.Instant
  }
  private let records = Mutex<[String: Record]>([:])

  private static let pause = Duration.seconds(30)
  /// One picture may be broken on a server that works.
  private static let patience = 2
  private static let maximumCount = 256

  package init() {}

  /// The last failure of a server that is not to be asked now; nil where it may be asked.
  package func failure(of server: String) -> WebFailure? {
    records.withLock { $0[server] }.flatMap { record in
      record.failureCount >= Self.patience && record.pauseEnd > .now ? record.failure : nil
    }
  }

  package func recordFailure(of server: String, _ failure: WebFailure) {
    records.withLock { records in
      if records.count >= Self.maximumCount { records = records.filter { $0.value.pauseEnd > .now } }
      guard records.count < Self.maximumCount else { return }
      let count = (records[server]?.failureCount ?? 0) + 1
      records[server] = Record(failureCount: count, failure: failure, pauseEnd: .now + Self.pause)
    }
  }

  /// Records an answer of whatever status.
  package func recordAnswer(of server: String) {
    records.withLock { $0[server] = nil }
  }
}
