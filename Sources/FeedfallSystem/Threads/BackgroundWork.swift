import Synchronization

/// Work that a thread of its own does until another thread needs the result.
package final class BackgroundWork<Value: Sendable>: Sendable {
  private let work: @Sendable () -> Value
  private let result = Mutex<Value?>(nil)
  /// Nil if the work is done by the thread that needs the result, because no other one could be started.
  private let done: WakeUp?

  /// Starts the work.
  package init(_ work: @escaping @Sendable () -> Value) {
    self.work = work
    let done = try? WakeUp()
    self.done = done
    guard let done else { return }
    let isStarted = DetachedThread.start { [self] in finish() }
    if !isStarted { done.post() }
  }

  private func finish() {
    let value = work()
    result.withLock { $0 = value }
    done?.post()
  }

  /// Waits for the result. Must be called at most once.
  package func value() -> Value {
    done?.wait()
    return result.withLock { $0 } ?? work()
  }
}
