import Synchronization

/// Work that a thread of its own does until another thread needs the result.
package final class BackgroundWork<Value: Sendable>: Sendable {
  private let work: @Sendable () -> Value
  private let result = Mutex<Value?>(nil)
  private let done: WakeUp?
  /// If no thread could be started, the one that needs the result does the work.
  private let isStarted = Atomic(false)

  package init(_ work: @escaping @Sendable () -> Value) {
    self.work = work
    let done = try? WakeUp()
    self.done = done
    guard done != nil else { return }
    isStarted.store(DetachedThread.start { [self] in finish() }, ordering: .relaxed)
  }

  private func finish() {
    let value = work()
    result.withLock { $0 = value }
    done?.post()
  }

  /// Waits for the result, and moves it out. Must be called at most once.
  package func value() -> Value {
    guard let done, isStarted.load(ordering: .relaxed) else { return work() }
    while true {
      if let value = result.withLock({ $0.take() }) { return value }
      // A signal may end the wait early; the work is never done twice.
      done.wait()
    }
  }
}
