import CFeedfall
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

/// Wakes a thread that waits in `poll`; any thread may post.
package final class WakeUp: Sendable {
  /// Readable from `post()` until `drain()`.
  package let descriptor: Int32

  package init() throws(SystemError) {
    descriptor = guard_eventfd()
    guard descriptor >= 0 else { throw SystemError() }
  }

  /// Returns a wake-up without which the program cannot run. Ends the program if the process has no descriptors left.
  package static func required() -> WakeUp {
    do { return try WakeUp() } catch {
      let message = "feedfall: Could not start: \(error.message). Raise the limit with ulimit -n.\n"
      try? Files.write(Array(message.utf8)[...], to: STDERR_FILENO)
      exit(EXIT_FAILURE)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Makes the descriptor readable; never blocks.
  package func post() { guard_eventfd_post(descriptor) }

  package func drain() { guard_eventfd_drain(descriptor) }

  /// Blocks the thread until a post, for at most `limit` (negative for no limit), then drains.
  package func wait(milliseconds limit: Int32 = -1) {
    var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    poll(&event, 1, limit)
    drain()
  }
}

/// Measures how much another program sends: a level that rises with each byte and falls with time. A limit of the bytes
/// in each second would not notice a program that is slowed down by a reader at full load.
package struct FloodGauge: Sendable {
  private var level = 0.0
  private var last: SuspendingClock.Instant?

  package init() {}

  /// Adds bytes, or messages. Returns false if there are too many: more than `burst` above a steady rate per second.
  package mutating func accepts(_ byteCount: Int, rate: Int, burst: Int, at now: SuspendingClock.Instant) -> Bool {
    let seconds = last.map { max(.zero, now - $0) / .seconds(1) } ?? 0
    last = now
    level = max(0, level - seconds * Double(rate)) + Double(byteCount)
    return level <= Double(burst)
  }
}
