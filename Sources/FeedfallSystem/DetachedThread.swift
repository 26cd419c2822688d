import Glibc
import Synchronization

/// A thread of the system, for calls that block.
package enum DetachedThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Gives what work comes to that blocks, or nil where there is no thread to be had; the work can see whether its task
  /// was cancelled.
  package static func run<Value: Sendable>(
    _ work: @escaping @Sendable (_ isStopped: @escaping () -> Bool) -> Value
  ) async -> Value? {
    let stop = Stop()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isStarted = start { continuation.resume(returning: work { stop.isAsked }) }
        if !isStarted { continuation.resume(returning: nil) }
      }
    } onCancel: {
      stop.ask()
    }
  }

  private final class Stop: Sendable {
    private let flag = Atomic(false)
    var isAsked: Bool { flag.load(ordering: .relaxed) }
    func ask() { flag.store(true, ordering: .relaxed) }
  }

  /// Runs work on a thread of its own, which takes no signals; false where there is no thread to be had.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let error = pthread_create(
      &thread, nil,
      { context in
        var signals = sigset_t()
        sigfillset(&signals)
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
}
