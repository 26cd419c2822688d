import FeedfallApp
import FeedfallFeeds
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Synchronization

/// Synchronizes the user's records with the marks on one server. Nothing waits for it: changes are sent on a worker,
/// and sent again after a pause if the server has failed. Changes that are not sent when the program ends are found in
/// the log by the next one.
final class MarkSynchronizer: Sendable {
  private let server: MarkServer
  private let log: UserLog
  /// The file with the marks that both sides had last.
  private let path: String
  private let worker: Worker
  private let sleep: @Sendable (Duration) async throws -> Void
  /// The pause between two failures that count as one refusal each.
  private let refusalMilliseconds: Int
  private let report: @Sendable (AppEvent) -> Void
  private let state: Mutex<State>
  /// Is held while the file is written.
  private let writer = Mutex("")

  private struct State {
    var sync: MarkSync
    /// Finds the changes that the last program could not send.
    var start: Task<Void, Never>?
    var phase = Phase.idle
    /// Since the last success.
    var failureCount = 0
    /// Those since the last success that a retry cannot repair, each after a pause and the load of a page.
    var permanentFailureCount = 0
    /// When the last of them was counted, in milliseconds since 1970.
    var permanentFailureTime = 0
    /// Whether the next program may need the agreements to find changes that are not sent.
    var needsAgreements = false
  }

  private enum Phase {
    case idle
    case sending(Task<Void, Never>)
    /// The task waits after a refused change.
    case waiting(Task<Void, Never>)
    /// The task waits because of a failure; the next page ends the pause.
    case pausing(Task<Void, Never>)
    /// A failure that a retry cannot repair forbids sending until the next page.
    case stopped
    case closed
  }

  /// Throws if there is a file that cannot be read: without it, old marks would count as new. A damaged one is renamed.
  init(
    _ server: MarkServer, _ log: UserLog, on worker: Worker, refusalMilliseconds: Int = 3_600_000,
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    report: @escaping @Sendable (AppEvent) -> Void
  ) throws(SystemError) {
    self.server = server
    self.log = log
    self.worker = worker
    self.sleep = sleep
    self.refusalMilliseconds = refusalMilliseconds
    self.report = report
    path = Self.path(of: server, log)
    let empty = MarkSync(scope: server.scope, device: log.device, sends: !server.isReadOnly)
    var sync = empty
    switch Files.stored(path.utf8, limit: MarkSync.maximumTextLength) {
    case .none: break
    case .unreadable(let error): throw error
    case .value(let bytes):
      guard !sync.read(String(decoding: bytes, as: UTF8.self)) else { break }
      report(.marksDamaged(copy: try Files.setAside(path)))
      sync = empty
    }
    state = Mutex(State(sync: sync))
  }

  static func path(of server: MarkServer, _ log: UserLog) -> String {
    "\(log.folder)/\(log.device).marks-\(server.scope.text.replacingUnsafe)"
  }

  /// Sends the changes in the log that the last program could not send.
  func start(with records: @autoclosure @escaping @Sendable () -> UserData) {
    let start = Task.detached(executorPreference: worker) {
      let records = records()
      self.state.withLock { $0.sync.findUnsent(in: records, at: SystemClock.milliseconds) }
      self.startSending()
    }
    state.withLock { $0.start = start }
  }

  /// Sends changes of the user's records. Never blocks.
  func observe(_ events: [UserEvent]) {
    let isNeeded = state.withLock { state in
      let isNeeded = state.sync.handle(events)
      state.needsAgreements = state.needsAgreements || isNeeded
      return isNeeded
    }
    // Now, because the program may be killed.
    if isNeeded { Task.detached(executorPreference: worker) { self.saveWithEvents() } }
    startSending()
  }

  /// Loads a page and merges the marks in it before it is shown.
  func page(
    _ load: @Sendable () async -> Result<FeedPage, FeedFailure>
  ) async -> Result<FeedPage, FeedFailure> {
    let request = state.withLock { $0.sync.beginRequest() }
    let result = await load()
    // Merging first would overwrite the agreements that show which changes are not sent.
    await state.withLock { $0.start }?.value
    if case .success(let page) = result { merge(page.marks, of: request) }
    return result
  }

  private func merge(_ marks: [MarkedVideo], of request: Int) {
    let events = state.withLock { state in
      let events = state.sync.merge(marks, of: request, at: SystemClock.milliseconds)
      // Before another task may save the agreements.
      log.add(events)
      return events
    }
    if !events.isEmpty {
      if let reason = log.write() { report(.savingFailed(reason)) }
      var records = UserData()
      for event in events { records.apply(event) }
      report(.recordsChanged(records))
    }
    evict()
    if state.withLock({ $0.sync.dequeueReport() }) { report(.marksIgnored) }
    save()
    // The server answers again.
    state.withLock { state in
      switch state.phase {
      case .pausing(let task):
        task.cancel()
        state.phase = .idle
      case .stopped: state.phase = .idle
      case .idle, .sending, .waiting, .closed: break
      }
    }
    startSending()
  }

  /// Reads the records and selects agreements outside of the lock, for which the main loop must not wait in `observe`.
  private func evict() {
    guard let sync = state.withLock({ $0.sync.isFull ? $0.sync : nil }) else { return }
    let eviction = sync.eviction(log.records())
    state.withLock { $0.sync.evict(eviction, at: SystemClock.milliseconds) }
  }

  // MARK: - Sending

  private func startSending() {
    state.withLock { state in
      guard !server.isReadOnly, case .idle = state.phase, state.sync.hasUnsent else { return }
      state.phase = .sending(Task.detached(executorPreference: worker) { await self.sendAll() })
    }
  }

  private func sendAll() async {
    while let change = nextChange() {
      let result = refusing(await server.send(change))
      state.withLock { $0.sync.finish(result) }
      switch result {
      case .sent:
        state.withLock { ($0.failureCount, $0.permanentFailureCount, $0.permanentFailureTime) = (0, 0, 0) }
        save()
      case .refused(let failure):
        state.withLock { $0.needsAgreements = true }
        if change.ids.count == 1 {
          report(.sendingMarksFailed(FeedFailure(.permanent, failure.reason, advice: "set the mark again to retry")))
          saveWithEvents()
        }
        guard await wait() else { return }
      case .failed(let failure):
        guard await pause(after: failure) else { return }
      }
    }
  }

  /// A server refuses a change if sending it has failed several times for good in several hours, although pages have
  /// loaded in between.
  private func refusing(_ result: MarkResult) -> MarkResult {
    guard case .failed(let failure) = result, failure.kind == .permanent else { return result }
    return state.withLock { state in
      let now = SystemClock.milliseconds
      if abs(now - state.permanentFailureTime) >= refusalMilliseconds {
        state.permanentFailureCount += 1
        state.permanentFailureTime = now
      }
      return state.permanentFailureCount < Self.maximumPermanentFailureCount ? result : .refused(failure)
    }
  }

  private static let maximumPermanentFailureCount = 3

  /// Nil ends the task.
  private func nextChange() -> MarkChange? {
    state.withLock { state in
      guard case .sending = state.phase, !Task.isCancelled else { return nil }
      if let change = state.sync.nextChange() { return change }
      state.phase = .idle
      return nil
    }
  }

  /// Returns false if the task must end.
  private func wait() async -> Bool {
    let pause = state.withLock { state -> Duration? in
      guard case .sending(let task) = state.phase, !Task.isCancelled else { return nil }
      state.phase = .waiting(task)
      return state.sync.pauseAfterRefusal
    }
    return await sleep(for: pause)
  }

  /// Returns false if another task sends the rest, or none.
  private func pause(after failure: FeedFailure) async -> Bool {
    let pause = state.withLock { state -> Duration? in
      state.failureCount += 1
      if state.failureCount == 1 { report(.sendingMarksFailed(failure)) }
      guard case .sending(let task) = state.phase, !Task.isCancelled else { return nil }
      guard failure.kind != .permanent else {
        state.phase = .stopped
        return nil
      }
      state.phase = .pausing(task)
      return failure.pause(afterFailures: state.failureCount)
    }
    return await sleep(for: pause)
  }

  private func sleep(for pause: Duration?) async -> Bool {
    guard let pause else { return false }
    do { try await sleep(pause) } catch { return false }
    return state.withLock { state in
      // A page may have started another task just now.
      guard !Task.isCancelled else { return false }
      switch state.phase {
      case .waiting(let task), .pausing(let task):
        state.phase = .sending(task)
        return true
      case .idle, .sending, .stopped, .closed: return false
      }
    }
  }

  /// Stops sending. Returns the task with the pending request; nil if there is none.
  func close() -> Task<Void, Never>? {
    state.withLock { state in
      defer { state.phase = .closed }
      switch state.phase {
      case .sending(let task): return task
      case .waiting(let task), .pausing(let task):
        task.cancel()
        return nil
      case .idle, .stopped, .closed: return nil
      }
    }
  }

  /// Writes the agreements if the next program needs them.
  func saveLast() {
    if state.withLock({ $0.needsAgreements }) { saveWithEvents() }
  }

  // MARK: - The file

  /// Writes the user's changes, then the marks that both sides had last.
  private func saveWithEvents() {
    if let reason = log.write() { report(.savingFailed(reason)) }
    save()
  }

  /// Writes the marks that both sides had last, unless they are written. Without their events, the next program must
  /// adopt the marks again. A failure is harmless: the next program only knows earlier ones.
  private func save() {
    writer.withLock { written in
      // The text of many agreements takes longer than a key may wait.
      let text = state.withLock { $0.sync }.text
      guard log.pendingCount == 0, text != written,
        (try? Files.replace(path, with: Array(text.utf8), mode: 0o600)) != nil
      else { return }
      written = text
    }
  }
}

extension FeedFailure {
  fileprivate func pause(afterFailures count: Int) -> Duration {
    let pause = MarkSync.pause(afterFailures: count)
    guard case .wait(let seconds) = kind else { return pause }
    return max(pause, .seconds(seconds))
  }
}

extension String {
  /// The text as a part of a file's name.
  fileprivate var replacingUnsafe: String {
    String(
      decoding: utf8.map { $0.isASCIILetter || $0.isASCIIDigit || ".-#".utf8.contains($0) ? $0 : 0x5F }, as: UTF8.self)
  }
}

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
