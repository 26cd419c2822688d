import Glibc
import Synchronization

/// A system thread for blocking calls.
package enum DetachedThread {
  /// Returns the result of blocking work, which can check whether its task was cancelled; nil without a thread.
  package static func run<Value: Sendable>(
    _ work: @escaping @Sendable (_ isCancelled: @escaping () -> Bool) -> Value
  ) async -> Value? {
    let flag = Flag()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isStarted = start { continuation.resume(returning: work { flag.isSet }) }
        if !isStarted { continuation.resume(returning: nil) }
      }
    } onCancel: {
      flag.set()
    }
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  /// Runs work on a new thread, which receives only the signals of crashes; returns false if none could be started.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { context in
        var signals = sigset_t()
        sigfillset(&signals)
        // A blocked crash signal would end the program without running its handler.
        for crash in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] { sigdelset(&signals, crash) }
        pthread_sigmask(SIG_SETMASK, &signals, nil)
        if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard error == 0 else {
      work.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}

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
