import FeedfallSystem
import Synchronization

/// A task executor with a single thread. The default thread pool has a manager thread that wakes up every second, even
/// when the program is idle. The thread starts with the first task and never ends.
public final class Worker: TaskExecutor {
  private let wakeUp = WakeUp.required()
  private let jobs = Mutex<[UnownedJob]>([])
  private let isStarted = Atomic(false)

  public init() {}

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    if !isStarted.exchange(true, ordering: .relaxed) {
      precondition(DetachedThread.start { self.run() }, "Could not start a thread: the system has too many.")
    }
    wakeUp.post()
  }

  private func run() {
    while true {
      wakeUp.wait()
      while let job = dequeue() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  private func dequeue() -> UnownedJob? {
    jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }

  /// Runs work on the worker and blocks the calling thread until it returns.
  public func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
    let answer = Answer<Value>()
    Task.detached(executorPreference: self) {
      let value = await work()
      answer.value.withLock { $0 = value }
      answer.wakeUp.post()
    }
    while true {
      answer.wakeUp.wait()
      if let value = answer.value.withLock({ $0 }) { return value }
    }
  }
}

private final class Answer<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
  let wakeUp = WakeUp.required()
}
