import FeedfallSystem
import Synchronization

/// Limits the concurrent requests to each server. Further requests wait in order.
package final class RequestLimit: Sendable {
  private struct Queue {
    var runningCount = 0
    /// Fulfilled with whether the request can run.
    var waiting: [Promise<Bool>] = []
  }
  private let count: Int
  private let queues = Mutex<[String: Queue]>([:])

  package init(count: Int) { self.count = count }

  package var waitingCount: Int { queues.withLock { $0.values.reduce(0) { $0 + $1.waiting.count } } }

  /// Nil if the task is cancelled before.
  package func run<Value>(for server: String, _ request: () async -> Value) async -> Value? {
    guard await enter(server) else { return nil }
    defer { leave(server) }
    return await request()
  }

  /// Returns false if the task is cancelled while it waits.
  private func enter(_ server: String) async -> Bool {
    let permission = Promise<Bool>()
    queues.withLock { queues in
      var queue = queues[server] ?? Queue()
      if queue.runningCount == count {
        queue.waiting.append(permission)
      } else {
        queue.runningCount += 1
        permission.fulfill(true)
      }
      queues[server] = queue
    }
    if await permission.value(whenCancelled: false) { return true }
    queues.withLock { queues in queues[server]?.waiting.removeAll { $0 === permission } }
    return false
  }

  /// Passes the slot to the request that has waited longest.
  private func leave(_ server: String) {
    queues.withLock { queues in
      guard var queue = queues[server] else { return }
      while !queue.waiting.isEmpty {
        let isAccepted = queue.waiting.removeFirst().fulfill(true)
        if isAccepted {
          queues[server] = queue
          return
        }
      }
      queue.runningCount -= 1
      queues[server] = queue.runningCount == 0 ? nil : queue
    }
  }
}
