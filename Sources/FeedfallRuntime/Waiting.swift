import CFeedfallGuard
import Glibc
import Synchronization

/// Runs asynchronous work on the worker and blocks the calling thread until it returns.
public func waiting<Value: Sendable>(on worker: Worker, for work: @escaping @Sendable () async -> Value) -> Value {
  let result = Answer<Value>()
  Task.detached(executorPreference: worker) { result.give(await work()) }
  return result.take()
}

private final class Answer<Value: Sendable>: Sendable {
  private let descriptor = guard_eventfd()
  private let value = Mutex<Value?>(nil)

  deinit { close(descriptor) }

  func give(_ answer: Value) {
    value.withLock { $0 = answer }
    guard_eventfd_post(descriptor)
  }

  func take() -> Value {
    while true {
      if let answer = value.withLock({ $0 }) { return answer }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, -1)
    }
  }
}
