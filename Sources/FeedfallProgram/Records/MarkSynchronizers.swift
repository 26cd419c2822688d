import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Synchronization

/// Sources with the same videos share one synchronizer.
final class MarkSynchronizers: Sendable {
  /// Nil synchronizes nothing.
  private let log: UserLog?
  private let worker: Worker
  private let report: @Sendable (AppEvent) -> Void
  /// By the scopes of their videos. That of a closed source stays, because it may have changes to send.
  private let known = Mutex(Known())

  private struct Known {
    var synchronizers: [String: MarkSynchronizer] = [:]
    /// Those whose files cannot be read, which was reported.
    var unreadable: Set<String> = []
  }

  init(_ log: UserLog?, on worker: Worker, report: @escaping @Sendable (AppEvent) -> Void) {
    (self.log, self.worker, self.report) = (log, worker, report)
  }

  /// Loads a page and merges the marks in it before it is shown. With the first page, changes are sent that the last
  /// program could not send.
  ///
  /// - Parameter server: nil for a source without marks, and for one whose user is only known once a page has loaded.
  func page(
    from server: @autoclosure () -> MarkServer?, _ load: @Sendable () async -> Result<FeedPage, FeedFailure>
  ) async -> Result<FeedPage, FeedFailure> {
    guard let log else { return await load() }
    if let server = server() {
      guard let synchronizer = synchronizer(of: server, log) else { return await load() }
      return await synchronizer.page(load)
    }
    let page = await load()
    guard let synchronizer = server().flatMap({ synchronizer(of: $0, log) }) else { return page }
    return await synchronizer.page { page }
  }

  /// Returns nil, and reports that once, while the server's file cannot be read: then no marks are exchanged.
  private func synchronizer(of server: MarkServer, _ log: UserLog) -> MarkSynchronizer? {
    let scope = server.scope.text
    if let synchronizer = known.withLock({ $0.synchronizers[scope] }) { return synchronizer }
    do throws(SystemError) {
      // Reads a file, for which the main loop must not wait in `observe`.
      let new = try MarkSynchronizer(server, log, on: worker, report: report)
      return known.withLock { known in
        if let synchronizer = known.synchronizers[scope] { return synchronizer }
        known.synchronizers[scope] = new
        known.unreadable.remove(scope)
        new.start(with: log.records())
        return new
      }
    } catch {
      guard known.withLock({ $0.unreadable.insert(scope).inserted }) else { return nil }
      let path = cleanedLine(MarkSynchronizer.path(of: server, log), limit: 200)
      report(.marksUnreadable(reason: "\(path): \(error.message)"))
      return nil
    }
  }

  /// Sends changes of the user's records. Never blocks.
  func observe(_ events: [UserEvent]) { for synchronizer in all { synchronizer.observe(events) } }

  /// Sends changes that other programs on this device have written.
  func observe(_ records: UserData) {
    guard let log, !all.isEmpty else { return }
    observe(records.events.filter { $0.device == log.device })
  }

  func close() -> [Task<Void, Never>] { all.compactMap { $0.close() } }

  func saveLast() { for synchronizer in all { synchronizer.saveLast() } }

  private var all: [MarkSynchronizer] { known.withLock { Array($0.synchronizers.values) } }
}
