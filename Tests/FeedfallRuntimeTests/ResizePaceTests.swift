import TestSupport
import Testing

@testable import FeedfallRuntime

@Suite(.hangLimit) struct ResizePaceTests {
  private let start = ContinuousClock.now

  /// At which of the milliseconds a size was taken, when one was asked for at each of `asked`.
  private func taken(asked: [Int], upTo end: Int) -> [Int] {
    var pace = ResizePace()
    return (0...end).filter { millisecond in
      if asked.contains(millisecond) { pace.request() }
      return pace.dequeue(now: start + .milliseconds(millisecond))
    }
  }

  @Test func `the first new size is taken at once`() {
    #expect(taken(asked: [3], upTo: 50) == [3])
  }

  @Test func `sizes that come soon after are taken together, once a frame`() {
    #expect(taken(asked: Array(0...20), upTo: 60) == [0, 16, 32])
  }

  @Test func `a size that comes later is taken at once`() {
    #expect(taken(asked: [0, 40], upTo: 60) == [0, 40])
  }

  @Test func `the wait ends when the frame is over`() {
    var pace = ResizePace()
    #expect(pace.due(now: start) == nil)
    pace.request()
    #expect(pace.due(now: start) == start)
    _ = pace.dequeue(now: start)
    pace.request()
    #expect(pace.due(now: start + .milliseconds(3)) == start + ResizePace.interval)
  }

  @Test func `what is left is rounded up`() {
    #expect(start.milliseconds(from: start) == 0)
    #expect((start + .microseconds(1)).milliseconds(from: start) == 1)
    #expect((start + .microseconds(1500)).milliseconds(from: start) == 2)
    #expect(start.milliseconds(from: start + .seconds(1)) == 0)
  }
}
