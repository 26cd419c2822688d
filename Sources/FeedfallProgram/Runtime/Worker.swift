import FeedfallApp
import FeedfallSystem
import Synchronization

/// A task executor with a single thread. The default thread pool has a manager thread that wakes up every second, even
/// when the program is idle. The thread starts with the first task and never ends.
final class Worker: TaskExecutor {
  private let wakeUp = WakeUp.required()
  private let jobs = Mutex<[UnownedJob]>([])
  private let isStarted = Atomic(false)
  /// Does the work if no thread can be started, as with a limit on memory or on processes.
  private let substitute: Worker?
  /// The workers of sources, by the number of the first source divided by `sourcesPerWorker`.
  private let workersOfSources = Mutex<[Int: Worker]>([:])

  private static let sourcesPerWorker = 2
  private static let maximumSourceWorkerCount = 16

  init() { substitute = nil }

  private init(substitute: Worker) { self.substitute = substitute }

  /// Two sources share one, so that a document that takes long to decode delays at most one other source; from the 33rd
  /// source on more of them do.
  func worker(of source: SourceID) -> Worker {
    let index = source.number / Self.sourcesPerWorker % Self.maximumSourceWorkerCount
    return workersOfSources.withLock { workers in
      if let worker = workers[index] { return worker }
      let worker = Worker(substitute: self)
      workers[index] = worker
      return worker
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

  private func add(_ job: UnownedJob) {
    jobs.withLock { $0.append(job) }
    if !isStarted.exchange(true, ordering: .acquiringAndReleasing), !DetachedThread.start({ self.run() }) {
      guard let substitute else { preconditionFailure("Could not start a thread: the system has too many.") }
      isStarted.store(false, ordering: .releasing)
      while let job = dequeue() { substitute.add(job) }
      return
    }
    wakeUp.post()
  }

  private func run() {
    while true {
      wakeUp.wait()
      while let job = dequeue() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  private func dequeue() -> UnownedJob? { jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() } }

  /// Blocks the calling thread.
  func wait<Value: Sendable>(for work: @escaping @Sendable () async -> Value) -> Value {
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

  /// Blocks the calling thread until all tasks have ended. After the limit, cancels them and returns.
  func wait(for tasks: [Task<Void, Never>], atMost limit: Duration) {
    guard !tasks.isEmpty else { return }
    let wakeUp = WakeUp.required()
    Task.detached(executorPreference: self) {
      for task in tasks { await task.value }
      wakeUp.post()
    }
    wakeUp.wait(milliseconds: Int32(clamping: Int(limit / .milliseconds(1))))
    for task in tasks { task.cancel() }
  }

  private final class Answer<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let wakeUp = WakeUp.required()
  }
}
