import CFeedfallGuard
import Glibc
import Synchronization

/// A task executor with a single thread. The default thread pool has a manager thread that wakes up every second, even
/// when the program is idle. The thread starts with the first task and never ends.
public final class Worker: TaskExecutor {
  private let descriptor = guard_eventfd()
  private let jobs = Mutex<[UnownedJob]>([])
  private let isStarted = Mutex(false)

  public init() {}

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    startOnce()
    guard_eventfd_post(descriptor)
  }

  private func startOnce() {
    isStarted.withLock { isStarted in
      guard !isStarted else { return }
      isStarted = true
      var thread = pthread_t()
      let worker = Unmanaged.passRetained(self).toOpaque()
      let trouble = pthread_create(&thread, nil, runWorker, worker)
      precondition(trouble == 0, "no thread could be started: \(String(cString: strerror(trouble)))")
      pthread_detach(thread)
    }
  }

  fileprivate func run() -> Never {
    while true {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, -1)
      guard_eventfd_drain(descriptor)
      while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  private func next() -> UnownedJob? {
    jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}

private func runWorker(_ worker: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let worker else { return nil }
  Unmanaged<Worker>.fromOpaque(worker).takeRetainedValue().run()
}
