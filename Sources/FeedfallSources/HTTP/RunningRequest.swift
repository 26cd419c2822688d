import CFeedfallCurl
import Synchronization

/// Makes a request cancellable before, while and after it starts.
final class RunningRequest: Sendable {
  private struct State {
    var id: UInt64 = 0
    var isCancelled = false
  }
  private let state = Mutex(State())

  func started(as id: UInt64) {
    let isCancelled = state.withLock { state in
      state.id = id
      return state.isCancelled
    }
    if isCancelled { fetch_cancel(id) }
  }

  func cancel() {
    let id = state.withLock { state in
      state.isCancelled = true
      return state.id
    }
    if id != 0 { fetch_cancel(id) }
  }
}
