import FeedfallApp
import FeedfallFeeds
import Synchronization

/// Reports playback to the sources that store positions, in order and on a worker. Playback never waits for it.
final class PlaybackReporter: Sendable {
  private let send: @Sendable (PlaybackReport) async -> Void
  private let worker: Worker
  private let state: Mutex<State>

  private struct State {
    var observer: PlaybackObserver
    var pending = Queue()
    var sending: Task<Void, Never>?
  }

  init(on worker: Worker, watchedShare: Double, send: @escaping @Sendable (PlaybackReport) async -> Void) {
    state = Mutex(State(observer: PlaybackObserver(watchedShare: watchedShare)))
    self.worker = worker
    self.send = send
  }

  func observe(_ order: PlayerOrder) { enqueue { $0.handle(order) } }

  func observe(_ report: PlayerReport) { enqueue { $0.handle(report) } }

  /// Reports the end of playback. Returns the task that sends the last report of each video; nil if there are none.
  func close() -> Task<Void, Never>? {
    enqueue { $0.stop() }
    return state.withLock { state in
      state.pending.dropAllButLast()
      return state.sending
    }
  }

  private func enqueue(_ derive: (inout PlaybackObserver) -> [PlaybackReport]) {
    state.withLock { state in
      for report in derive(&state.observer) { state.pending.append(report) }
      guard state.sending == nil, !state.pending.isEmpty else { return }
      state.sending = Task.detached(executorPreference: worker) { await self.sendAll() }
    }
  }

  private func sendAll() async {
    while let report = next() { await send(report) }
  }

  /// Removes the next report; nil ends the task.
  private func next() -> PlaybackReport? {
    state.withLock { state in
      if !Task.isCancelled, let report = state.pending.removeFirst() { return report }
      state.sending = nil
      return nil
    }
  }

  /// The reports that wait until a server has answered the preceding one.
  struct Queue: Equatable, Sendable {
    private(set) var reports: [PlaybackReport] = []

    var isEmpty: Bool { reports.isEmpty }

    /// Adds a report, which makes the progress of the same video outdated.
    mutating func append(_ report: PlaybackReport) {
      reports.removeAll { $0.isProgress && $0.isOfSameVideo(as: report) }
      reports.append(report)
    }

    mutating func removeFirst() -> PlaybackReport? { reports.isEmpty ? nil : reports.removeFirst() }

    /// Drops all reports that are followed by another one of the same video.
    mutating func dropAllButLast() {
      reports = reports.enumerated().filter { index, report in
        !reports[(index + 1)...].contains { $0.isOfSameVideo(as: report) }
      }.map(\.element)
    }
  }
}

extension PlaybackReport {
  fileprivate var isProgress: Bool { if case .progress = moment { true } else { false } }

  fileprivate func isOfSameVideo(as other: PlaybackReport) -> Bool {
    address == other.address && headers?.account == other.headers?.account
  }
}
