import TestSupport
import Testing

@testable import FeedfallTerminal

@Suite(.hangLimit) struct PendingQueriesTests {
  @Test func `an answered batch ends the wait`() {
    var queries = InputReader.PendingQueries(timeout: 3000)
    #expect(queries.isEmpty && queries.end == nil && queries.fence == nil)
    queries.begin(at: 10)
    #expect(queries.end == 3010 && queries.fence == 3010)
    #expect(queries.handleAnswer(at: 50) == 40)
    #expect(queries.isEmpty && queries.end == nil)
  }

  @Test func `the terminal around tmux does not delay Escape`() {
    var queries = InputReader.PendingQueries(timeout: 3000)
    queries.begin(at: 0)
    queries.begin(at: 5, toOuterTerminal: true)
    #expect(queries.handleAnswer(at: 8) == 8)
    #expect(queries.fence == nil && queries.end == 3005 && !queries.isEmpty)
    #expect(queries.handleAnswer(at: 25) == 20)
    #expect(queries.isEmpty)
  }

  @Test func `after a query that tmux has dropped, the next one is waited for briefly`() {
    var queries = InputReader.PendingQueries(timeout: 3000)
    for time in [0, 10_000] { queries.begin(at: time, toOuterTerminal: true) }
    #expect(queries.end == 10_250)
  }

  @Test func `answers are awaited only while one is due, in any order of queries`() {
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<500 {
      var queries = InputReader.PendingQueries(timeout: 1000)
      var (count, now) = (0, Int.random(in: 0...1000, using: &generator))
      for _ in 0..<30 {
        now += Int.random(in: 0...2000, using: &generator)
        if Bool.random(using: &generator) {
          queries.begin(at: now, toOuterTerminal: Bool.random(using: &generator))
          count += 1
        } else {
          #expect(queries.handleAnswer(at: now) >= 0)
          count = max(0, count - 1)
        }
        #expect(queries.isEmpty == (count == 0) && (queries.end == nil) == (count == 0))
        #expect(queries.end.map { $0 <= now + 1000 } ?? true)
      }
    }
  }
}
