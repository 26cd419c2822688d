import TestSupport
import Testing

@testable import FeedfallWeb

@Suite(.hangLimit) struct BackoffTests {
  @Test func `the pause doubles from half a minute to ten minutes`() {
    var (now, last) = (1_000_000, nil as Backoff?)
    var lengths: [Int] = []
    for _ in 0..<7 {
      let next = Backoff(after: last, at: now)
      lengths.append((next.end - now) / 1000)
      (now, last) = (next.end, next)
    }
    #expect(lengths == [30, 60, 120, 240, 480, 600, 600])
  }

  @Test func `answers to requests that ran at the same time do not double the pause`() {
    let first = Backoff(after: nil, at: 0)
    #expect(Backoff(after: first, at: 1000).end == 31_000)
  }

  @Test func `a refusal long after the last one starts again`() {
    let second = Backoff(after: Backoff(after: nil, at: 0), at: 30_000)
    #expect(Backoff(after: second, at: second.doublesUntil).end == second.doublesUntil + 30_000)
  }

  @Test func `any stored values and clocks lead to a pause in the range`() {
    var random = SeededGenerator(seed: 7)
    let extremes = [Int.min, -1, 0, 1, 30_000, 1 << 40, Int.max]
    for _ in 0..<100_000 {
      func any() -> Int {
        random.chance(1, in: 3)
          ? extremes.randomElement(using: &random) ?? 0 : Int.random(in: 0...(1 << 42), using: &random)
      }
      let now = any()
      let next = Backoff(after: Backoff(end: any(), doublesUntil: any()), at: now)
      let length = next.end - min(max(now, 0), 1 << 60)
      #expect((30_000...600_000).contains(length))
      guard (30_000...600_000).contains(length) else { return }
    }
  }
}
