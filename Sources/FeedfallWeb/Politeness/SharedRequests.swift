import FeedfallSystem
import Synchronization

/// Lets concurrent equal requests share one answer: the first caller sends the request, later ones wait for its answer.
///
/// If the first caller is cancelled, another one sends the request, so that no additional task is needed.
package final class SharedRequests<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
  /// The callers that wait for each running request. They receive nil if its sender was cancelled.
  private let waiting = Mutex<[Key: [Promise<Answer?>]]>([:])

  package init() {}

  package var waitingCount: Int { waiting.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// - Parameter ask: sends the request. Returns nil if the task is cancelled, as this function does.
  package func answer(for key: Key, by ask: () async -> Answer?) async -> Answer? {
    while !Task.isCancelled {
      guard let shared = join(key) else {
        let answer = await ask()
        let promises = waiting.withLock { $0.removeValue(forKey: key) } ?? []
        for promise in promises { promise.fulfill(answer) }
        return answer
      }
      if let answer = await shared.value(whenCancelled: nil) { return answer }
      waiting.withLock { $0[key]?.removeAll { $0 === shared } }
    }
    return nil
  }

  /// Nil if there is none: then the caller must send the request.
  private func join(_ key: Key) -> Promise<Answer?>? {
    waiting.withLock { waiting in
      guard waiting[key] != nil else {
        waiting[key] = []
        return nil
      }
      let promise = Promise<Answer?>()
      waiting[key]?.append(promise)
      return promise
    }
  }
}
