import Foundation
// Every test module that waits or needs random numbers uses both.
@_exported import TestBasics

/// A condition that did not become true within `hangLimitSeconds`, or another failure of the test's environment.
public struct TestFailure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// Waits until a condition holds; throws `TestFailure` with `description` after `hangLimitSeconds`.
///
/// The limit only turns a hang into a failure; no result depends on a time.
public func eventually(
  _ description: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
  _ holds: () async throws -> Bool
) async throws {
  let limit = ContinuousClock.now + .seconds(hangLimitSeconds)
  while try await !holds() {
    guard .now < limit else { throw TestFailure("waited in vain: \(description())") }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// Waits on the calling thread until a condition holds; see `eventually`.
public func blockUntil(_ description: @autoclosure () -> String, _ holds: () throws -> Bool) throws {
  let limit = ContinuousClock.now + .seconds(hangLimitSeconds)
  while try !holds() {
    guard .now < limit else { throw TestFailure("waited in vain: \(description())") }
    usleep(2000)
  }
}

/// Runs blocking work on a thread of its own, so that other tests continue meanwhile; issues are recorded for the test
/// that calls it.
public func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withTaskExecutorPreference(NewThread.executor) { try work() }
}

/// Runs blocking work that cannot fail on a thread of its own.
public func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
  await withTaskExecutorPreference(NewThread.executor) { work() }
}

/// Runs each job on a new thread.
private final class NewThread: TaskExecutor {
  static let executor = NewThread()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
