import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct ResizePaceTests {
  private let start = ContinuousClock.now

  /// The milliseconds at which a size is applied if sizes are requested at these.
  private func applied(requestedAt requests: [Int], upTo end: Int) -> [Int] {
    var pace = Runtime.ResizePace()
    return (0...end).filter { millisecond in
      if requests.contains(millisecond) { pace.request() }
      return pace.dequeue(now: start + .milliseconds(millisecond))
    }
  }

  @Test func `the first size is applied at once`() {
    #expect(applied(requestedAt: [3], upTo: 50) == [3])
  }

  @Test func `sizes in quick succession are applied once per frame`() {
    #expect(applied(requestedAt: Array(0...20), upTo: 60) == [0, 16, 32])
  }

  @Test func `a later size is applied at once`() {
    #expect(applied(requestedAt: [0, 40], upTo: 60) == [0, 40])
  }

  @Test func `the delay ends with the frame`() {
    var pace = Runtime.ResizePace()
    #expect(pace.due(now: start) == nil)
    pace.request()
    #expect(pace.due(now: start) == start)
    _ = pace.dequeue(now: start)
    pace.request()
    #expect(pace.due(now: start + .milliseconds(3)) == start + Runtime.ResizePace.interval)
  }

  @Test func `the remaining time is rounded up`() {
    #expect(start.milliseconds(from: start) == 0)
    #expect((start + .microseconds(1)).milliseconds(from: start) == 1)
    #expect((start + .microseconds(1500)).milliseconds(from: start) == 2)
    #expect(start.milliseconds(from: start + .seconds(1)) == 0)
  }
}
