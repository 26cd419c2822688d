import Glibc
import Synchronization

/// A thread of the system, for calls that block.
package enum DetachedThread {
  /// Returns the result of work that blocks; nil where no thread could be started.
  ///
  /// The work can ask whether its task was cancelled.
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

  /// Runs work on a new thread, which receives no signals except those of a crash; false where none could be started.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { context in
        var signals = sigset_t()
        sigfillset(&signals)
        // A blocked one would end the program before its handler has restored the terminal.
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

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
