import FeedfallCore
import FeedfallFeeds
import FeedfallRuntime
import FeedfallSources
import FeedfallText
import FeedfallUserData
import Synchronization

/// The synchronizers of the servers with marks. Sources with the same videos share one.
final class MarkSynchronizers: Sendable {
  /// Nil synchronizes nothing.
  private let log: UserLog?
  private let worker: Worker
  private let report: @Sendable (AppEvent) -> Void
  /// By the scopes of their videos. That of a closed source stays, because it may have changes to send.
  private let known = Mutex<[String: MarkSynchronizer]>([:])

  init(_ log: UserLog?, on worker: Worker, report: @escaping @Sendable (AppEvent) -> Void) {
    (self.log, self.worker, self.report) = (log, worker, report)
  }

  /// Loads a page and merges the marks in it before it is shown. With the first page, changes are sent that the last
  /// program could not send.
  ///
  /// - Parameter server: nil for a source without marks.
  func page(
    from server: MarkServer?, _ load: @Sendable () async -> Result<FeedPage, FeedFailure>
  ) async -> Result<FeedPage, FeedFailure> {
    guard let log, let server else { return await load() }
    return await synchronizer(of: server, log).page(load)
  }

  private func synchronizer(of server: MarkServer, _ log: UserLog) -> MarkSynchronizer {
    let scope = server.scope.text
    if let synchronizer = known.withLock({ $0[scope] }) { return synchronizer }
    // Reads a file, for which the main loop must not wait in `observe`.
    let new = MarkSynchronizer(server, log, on: worker, report: report)
    return known.withLock { known in
      if let synchronizer = known[scope] { return synchronizer }
      known[scope] = new
      new.start(with: log.records())
      return new
    }
  }

  /// Sends changes of the user's records. Never blocks.
  func observe(_ events: [UserEvent]) { for synchronizer in all { synchronizer.observe(events) } }

  /// Blocks the thread until the present requests have ended, for two seconds at most for each server.
  func close() { for synchronizer in all { synchronizer.close() } }

  private var all: [MarkSynchronizer] { known.withLock { Array($0.values) } }
}
