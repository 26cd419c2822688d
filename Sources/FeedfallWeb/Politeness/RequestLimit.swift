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

/// Servers that have repeatedly failed to answer. They are not requested for a while, because a page of cards has many
/// covers on one server, and each request would wait for its own time-out.
package final class SilentServers: Sendable {
  private struct Record {
    var failureCount = 0
    var failure: WebFailure
    var pauseEnd: ContinuousClock.Instant
  }
  private let records = Mutex<[String: Record]>([:])

  private static let pause = Duration.seconds(30)
  /// A single failure may be caused by one broken picture.
  private static let failureCountBeforePause = 2
  private static let maximumCount = 256

  package init() {}

  /// Nil for a server that may be requested now.
  package func failure(of server: String) -> WebFailure? {
    records.withLock { $0[server] }.flatMap { record in
      record.failureCount >= Self.failureCountBeforePause && record.pauseEnd > .now ? record.failure : nil
    }
  }

  /// An answer that was still arriving is none of silence.
  package func recordFailure(of server: String, _ failure: WebFailure) {
    if case .tooSlow = failure { return recordAnswer(of: server) }
    records.withLock { records in
      if records.count >= Self.maximumCount { records = records.filter { $0.value.pauseEnd > .now } }
      guard records.count < Self.maximumCount else { return }
      let count = (records[server]?.failureCount ?? 0) + 1
      records[server] = Record(failureCount: count, failure: failure, pauseEnd: .now + Self.pause)
    }
  }

  package func forgetFailures() { records.withLock { $0 = [:] } }

  package func recordAnswer(of server: String) { records.withLock { $0[server] = nil } }
}

/// The pause after 429 (Too Many Requests) without a Retry-After. It doubles with each such answer that comes soon
/// after a pause. Times are in milliseconds since 1970.
struct Backoff: Equatable, Sendable {
  let end: Int
  /// The time until which another such answer doubles the pause.
  let doublesUntil: Int

  static let shortestSeconds = 30
  static let longestSeconds = 600
}

extension Backoff {
  /// - Parameter last: the last pause of the server; nil for none. Any values are valid, also ones from another clock.
  init(after last: Backoff?, at now: Int) {
    let now = min(max(now, 0), 1 << 60)
    let milliseconds = last.map { $0.length(at: now) } ?? Self.shortestSeconds * 1000
    end = now + milliseconds
    doublesUntil = end + 2 * milliseconds
  }

  private func length(at now: Int) -> Int {
    let (shortest, longest) = (Self.shortestSeconds * 1000, Self.longestSeconds * 1000)
    let (twice, isInvalid) = doublesUntil.subtractingReportingOverflow(end)
    guard !isInvalid, twice > 0, now < doublesUntil else { return shortest }
    let last = min(max(twice / 2, shortest), longest)
    // Answers to requests that ran at the same time are one refusal.
    return now < end ? last : min(2 * last, longest)
  }
}
