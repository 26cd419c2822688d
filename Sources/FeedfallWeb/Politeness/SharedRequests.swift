import FeedfallSystem
import Synchronization

/// Makes equal requests that overlap in time share one answer: the first caller asks, and later ones wait for its answer.
///
/// Where the first caller is cancelled, one of the others asks in its place, so that no task is needed but theirs.
package final class SharedRequests<Key: Hashable & Sendable, Answer: Sendable>: Sendable {
  /// The callers that wait for each running request; they get nil where its caller was cancelled.
  private let waiting = Mutex<[Key: [Promise<Answer?>]]>([:])

  package init() {}

  package var waitingCount: Int { waiting.withLock { $0.values.reduce(0) { $0 + $1.count } } }

  /// Returns the answer for a key; nil where the task is cancelled.
  ///
  /// - Parameter ask: returns nil where the task is cancelled.
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

  /// The coming answer of a running request; nil where there was none, which now is the caller's.
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
