import FeedfallCore
import FeedfallFeeds
import FeedfallRuntime
import FeedfallSources
import FeedfallSystem
import FeedfallText
import FeedfallUserData
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
  private let report: @Sendable (AppEvent) -> Void
  private let state: Mutex<State>
  /// Is held while the file is written.
  private let writer = Mutex("")

  private struct State {
    var sync: MarkSync
    /// Finds the changes that the last program could not send.
    var start: Task<Void, Never>?
    /// Sends the changes.
    var sending: Task<Void, Never>?
    /// Whether `sending` waits because of a failure.
    var isPausing = false
    /// Since the last success.
    var failureCount = 0
    /// Whether a failure that a retry cannot repair forbids sending until the next page.
    var isStopped = false
    /// Whether the next program may need the agreements to find changes that are not sent.
    var needsAgreements = false
    var isClosed = false
  }

  private static let closingTime = Duration.seconds(2)

  init(_ server: MarkServer, _ log: UserLog, on worker: Worker, report: @escaping @Sendable (AppEvent) -> Void) {
    self.server = server
    self.log = log
    self.worker = worker
    self.report = report
    path = "\(log.folder)/\(log.device).marks-\(server.scope.text.replacingUnsafe)"
    var sync = MarkSync(scope: server.scope, device: log.device)
    // Without the file, the next contact is the first one.
    if let bytes = try? Files.read(path.utf8, limit: MarkSync.maximumTextLength) {
      sync.read(String(decoding: bytes, as: UTF8.self))
    }
    state = Mutex(State(sync: sync))
  }

  /// Sends the changes in the log that the last program could not send.
  func start(with records: @autoclosure @escaping @Sendable () -> UserData) {
    let start = Task.detached(executorPreference: worker) {
      let records = records()
      self.state.withLock { $0.sync.findUnsent(in: records) }
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
    let start = SystemClock.milliseconds
    let result = await load()
    // Merging first would overwrite the agreements that show which changes are not sent.
    await state.withLock { $0.start }?.value
    if case .success(let page) = result { merge(page.marks, requestedAt: start) }
    return result
  }

  private func merge(_ marks: [MarkedVideo], requestedAt start: Int) {
    let events = state.withLock { $0.sync.merge(marks, requestedAt: start, at: SystemClock.milliseconds) }
    if !events.isEmpty {
      log.add(events)
      if let reason = log.write() { report(.savingFailed(reason)) }
      var records = UserData()
      for event in events { records.apply(event) }
      report(.recordsChanged(records))
    }
    evict()
    if state.withLock({ $0.sync.dequeueReport() }) { report(.marksIgnored) }
    // Without the events, the next program must adopt the marks again.
    if log.pendingCount == 0 { save() }
    // The server answers again.
    state.withLock { state in
      state.isStopped = false
      guard state.isPausing else { return }
      state.sending?.cancel()
      (state.sending, state.isPausing) = (nil, false)
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
      guard state.sending == nil, !state.isStopped, !state.isClosed, state.sync.hasUnsent else { return }
      state.sending = Task.detached(executorPreference: worker) { await self.sendAll() }
    }
  }

  private func sendAll() async {
    while let change = nextChange() {
      let result = await server.send(change)
      let now = SystemClock.milliseconds
      state.withLock { $0.sync.finish(result, at: now) }
      switch result {
      case .sent:
        state.withLock { $0.failureCount = 0 }
        if log.pendingCount == 0 { save() }
      case .refused(let failure): if change.ids.count == 1 { report(.sendingMarksFailed(failure)) }
      case .failed(let failure):
        guard await pause(after: failure) else { return }
      }
    }
  }

  /// Returns the next change; nil ends the task.
  private func nextChange() -> MarkChange? {
    state.withLock { state in
      if !Task.isCancelled, !state.isClosed, let change = state.sync.nextChange() { return change }
      state.sending = nil
      return nil
    }
  }

  /// Returns false if another task sends the rest, or none.
  private func pause(after failure: FeedFailure) async -> Bool {
    let pause = state.withLock { state -> Duration? in
      state.failureCount += 1
      if state.failureCount == 1 { report(.sendingMarksFailed(failure)) }
      let isLast = failure.kind == .permanent || state.isClosed || Task.isCancelled
      state.isStopped = failure.kind == .permanent
      if isLast { state.sending = nil }
      state.isPausing = !isLast
      return isLast ? nil : failure.pause(afterFailures: state.failureCount)
    }
    guard let pause else { return false }
    do { try await Task.sleep(for: pause) } catch { return false }
    return state.withLock { state in
      // A page may have started another task just now.
      guard !Task.isCancelled else { return false }
      state.isPausing = false
      return true
    }
  }

  /// Blocks the thread until the present request has ended, for two seconds at most.
  func close() {
    let sending = state.withLock { state -> Task<Void, Never>? in
      state.isClosed = true
      if state.isPausing { state.sending?.cancel() }
      return state.isPausing ? nil : state.sending
    }
    if let sending { worker.wait(for: sending, atMost: Self.closingTime) }
    if state.withLock({ $0.needsAgreements }) { saveWithEvents() }
  }

  // MARK: - The file

  /// Writes the user's changes, then the marks that both sides had last.
  private func saveWithEvents() {
    if let reason = log.write() { report(.savingFailed(reason)) }
    if log.pendingCount == 0 { save() }
  }

  /// Writes the marks that both sides had last, unless they are written. A failure is harmless: the next program only
  /// knows earlier ones.
  private func save() {
    writer.withLock { written in
      // The text of many agreements takes longer than a key may wait.
      let text = state.withLock { $0.sync }.text
      guard text != written, (try? Files.replace(path, with: Array(text.utf8), mode: 0o600)) != nil else { return }
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
