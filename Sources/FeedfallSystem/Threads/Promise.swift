import Synchronization

/// A value that one task waits for and another task or thread provides.
package final class Promise<Value: Sendable>: Sendable {
  private enum State {
    case pending
    case awaited(CheckedContinuation<Value, Never>)
    case fulfilled(Value)
  }
  private let state = Mutex(State.pending)

  package init() {}

  /// Provides the value; returns false if there already is one.
  @discardableResult
  package func fulfill(_ value: Value) -> Bool {
    let (isFirst, waiting) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
      defer { if case .fulfilled = state {} else { state = .fulfilled(value) } }
      switch state {
      case .pending: return (true, nil)
      case .awaited(let continuation): return (true, continuation)
      case .fulfilled: return (false, nil)
      }
    }
    waiting?.resume(returning: value)
    return isFirst
  }

  /// Waits for the value; returns `cancelled` if the task is cancelled before. Must be called at most once.
  package func value(whenCancelled cancelled: Value) async -> Value {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let known: Value? = state.withLock { state in
          if case .fulfilled(let value) = state { return value }
          state = .awaited(continuation)
          return nil
        }
        if let known { continuation.resume(returning: known) }
      }
    } onCancel: {
      fulfill(cancelled)
    }
  }
}
