/// The longest wait of a test, in seconds.
public let hangLimitSeconds = 600.0

// A plain `swift build` compiles this target too, without the testing library.
#if canImport(Testing)
  import Foundation
  import Synchronization
  import Testing

  /// Ends the test run with the test's name if a test of the suite runs longer than `seconds`.
  ///
  /// Swift Testing's own `timeLimit` cancels a task. A test that blocks its thread would still hang, and so would a run
  /// in which blocked tests occupy all threads. Every suite carries this trait; `.ci/check-tests` enforces it.
  public struct HangLimit: SuiteTrait, TestTrait, TestScoping {
    public var seconds: Double

    public var isRecursive: Bool { true }

    public func provideScope(
      for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
      guard testCase != nil else { return try await function() }
      let watch = Watchdog.shared.start("\(test.displayName ?? test.name) (\(test.sourceLocation))", seconds: seconds)
      defer { Watchdog.shared.stop(watch) }
      try await function()
    }
  }

  extension Trait where Self == HangLimit {
    /// Ten minutes for each test: enough on a machine that gives this process a tenth of a processor.
    public static var hangLimit: HangLimit { HangLimit(seconds: hangLimitSeconds) }
  }

  /// Watches running tests from a thread of its own, which no test can block.
  private final class Watchdog: Sendable {
    static let shared = Watchdog()

    private struct Entry {
      var name: String
      var deadline: ContinuousClock.Instant
      var seconds: Double
    }

    private struct State {
      var entries: [Int: Entry] = [:]
      var lastID = 0
      var isWatching = false
    }

    private let state = Mutex(State())

    func start(_ name: String, seconds: Double) -> Int {
      let (id, mustWatch) = state.withLock { state in
        state.lastID += 1
        state.entries[state.lastID] = Entry(name: name, deadline: .now + .seconds(seconds), seconds: seconds)
        defer { state.isWatching = true }
        return (state.lastID, !state.isWatching)
      }
      if mustWatch { Thread.detachNewThread { [self] in watch() } }
      return id
    }

    func stop(_ id: Int) { state.withLock { $0.entries[id] = nil } }

    private func watch() -> Never {
      while true {
        Thread.sleep(forTimeInterval: 1)
        let hung = state.withLock { state in state.entries.values.filter { $0.deadline < .now } }
        guard !hung.isEmpty else { continue }
        for entry in hung {
          FileHandle.standardError.write(Data("✘ Test \(entry.name) hangs: not done after \(entry.seconds) s.\n".utf8))
        }
        exit(EXIT_FAILURE)
      }
    }
  }
#endif
