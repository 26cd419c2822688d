import FeedfallFeeds
import FeedfallPlaying
import FeedfallRuntime
import Synchronization

/// Reports playback to the sources that store positions, in order and on a worker. Playback never waits for it.
final class PlaybackReporter: Sendable {
  typealias Source = @Sendable (PlaybackReport) async -> Void

  private let sources: [Source]
  private let worker: Worker
  private let state = Mutex(State())

  private struct State {
    var observer = PlaybackObserver()
    var pending: [PlaybackReport] = []
    /// Sends the pending reports.
    var sending: Task<Void, Never>?
  }

  /// More reports wait only while a server does not answer; then the oldest ones are outdated.
  private static let maximumPendingCount = 8
  private static let closingTime = Duration.seconds(2)

  /// Returns nil without sources.
  init?(_ sources: [Source], on worker: Worker) {
    guard !sources.isEmpty else { return nil }
    self.sources = sources
    self.worker = worker
  }

  func observe(_ order: PlayerOrder) { enqueue { $0.handle(order) } }

  func observe(_ report: PlayerReport) { enqueue { $0.handle(report) } }

  /// Reports the end of playback, and blocks the thread until all is sent, for two seconds at most.
  func close() {
    enqueue { $0.stop() }
    guard let sending = state.withLock({ $0.sending }) else { return }
    worker.wait {
      await withTaskGroup { group in
        group.addTask { await sending.value }
        group.addTask { try? await Task.sleep(for: Self.closingTime) }
        await group.next()
        sending.cancel()
        group.cancelAll()
      }
    }
  }

  private func enqueue(_ derive: (inout PlaybackObserver) -> [PlaybackReport]) {
    state.withLock { state in
      state.pending = (state.pending + derive(&state.observer)).suffix(Self.maximumPendingCount)
      guard state.sending == nil, !state.pending.isEmpty else { return }
      state.sending = Task.detached(executorPreference: worker) { await self.sendAll() }
    }
  }

  private func sendAll() async {
    while let report = next() {
      for source in sources { await source(report) }
    }
  }

  /// Removes the next report; nil ends the task.
  private func next() -> PlaybackReport? {
    state.withLock { state in
      guard !state.pending.isEmpty, !Task.isCancelled else {
        state.sending = nil
        return nil
      }
      return state.pending.removeFirst()
    }
  }
}
