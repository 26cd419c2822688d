import FeedfallApp
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct RuntimePartsTests {
  // MARK: - Tasks

  @Test func `a task without a ticket counts as writing until it ends`() async {
    var tasks = Runtime.TaskList()
    #expect(!tasks.isWriting)
    let task = Task {}
    tasks.add(task, nil)
    tasks.cancelAll()
    #expect(tasks.isWriting && tasks.isEmpty)
    await task.value
    tasks.end(nil)
    #expect(!tasks.isWriting && tasks.isIdle)
  }

  // MARK: - Waits

  private func waits(_ count: Int) -> [Wait] {
    var office = TicketOffice(number: 1)
    return (0..<count).map { _ in .pull(office.next()) }
  }

  private func elapsed(_ list: inout Runtime.WaitList) -> Wait? { list.dequeueElapsed(at: .now) }

  @Test func `elapsed waits are returned once, in the order of their deadlines`() {
    let waits = waits(3)
    var list = Runtime.WaitList()
    list.add(waits[0], after: .seconds(-1))
    list.add(waits[1], after: .seconds(-2))
    list.add(waits[2], after: .seconds(3600))
    #expect(elapsed(&list) == waits[1] && elapsed(&list) == waits[0])
    #expect(elapsed(&list) == nil)
  }

  @Test func `thousands of waits elapse in order, whatever the order in which they were added`() {
    let (waits, hours) = (waits(3_000), (0..<3_000).map { $0 * 1_789 % 3_000 })
    var list = Runtime.WaitList()
    for (wait, hour) in zip(waits, hours) { list.add(wait, after: .seconds(-3_600 * (hour + 1))) }
    let expected = zip(hours, waits).sorted { $0.0 > $1.0 }.map(\.1)
    list.cancel(expected[7].ticket)
    var returned: [Wait] = []
    while let wait = elapsed(&list) { returned.append(wait) }
    #expect(returned == expected.enumerated().filter { $0.offset != 7 }.map(\.element))
  }

  @Test func `next is the earliest deadline, and a past one is due at once`() throws {
    let waits = waits(2)
    var list = Runtime.WaitList()
    #expect(list.next == nil)
    list.add(waits[0], after: .seconds(86_400))
    #expect(try #require(list.next).milliseconds(from: .now) == 1_000_000)
    list.add(waits[1], after: .seconds(-1))
    #expect(try #require(list.next).milliseconds(from: .now) == 0)
  }

  @Test func `waits of less than ten seconds are short until they elapse or are cancelled`() {
    let waits = waits(3)
    var list = Runtime.WaitList()
    #expect(!list.hasShortWait)
    list.add(waits[0], after: .seconds(10))
    #expect(!list.hasShortWait)
    list.add(waits[1], after: .milliseconds(9_999))
    #expect(list.hasShortWait)
    list.cancel(waits[1].ticket)
    #expect(!list.hasShortWait)
    list.add(waits[2], after: .seconds(-1))
    #expect(list.hasShortWait)
    #expect(elapsed(&list) == waits[2])
    #expect(!list.hasShortWait)
  }

  @Test func `a wait that is cancelled while an earlier one is handled is never returned`() {
    let waits = waits(3)
    var list = Runtime.WaitList()
    for wait in waits { list.add(wait, after: .seconds(-1)) }
    let now = ContinuousClock.now
    #expect(list.dequeueElapsed(at: now) == waits[0])
    list.cancel(waits[1].ticket)
    #expect(list.dequeueElapsed(at: now) == waits[2] && list.dequeueElapsed(at: now) == nil)
  }

  @Test func `a wait that is added while others are handled is left to the next turn`() {
    let waits = waits(2)
    var list = Runtime.WaitList()
    list.add(waits[0], after: .seconds(-1))
    let now = ContinuousClock.now - .milliseconds(1)
    #expect(list.dequeueElapsed(at: now) == waits[0])
    list.add(waits[1], after: .zero)
    #expect(list.dequeueElapsed(at: now) == nil && elapsed(&list) == waits[1])
  }

  // MARK: - Resizing

  private let start = ContinuousClock.now

  /// The milliseconds at which a size is applied if sizes are requested at these.
  private func applied(requestedAt requests: [Int], upTo end: Int) -> [Int] {
    var pace = Runtime.ResizePace()
    return (0...end).filter { millisecond in
      if requests.contains(millisecond) { pace.request() }
      return pace.dequeue(now: start + .milliseconds(millisecond))
    }
  }

  @Test func `the first size and one after a pause are applied at once, others once per frame`() {
    #expect(applied(requestedAt: [3], upTo: 50) == [3])
    #expect(applied(requestedAt: Array(0...20), upTo: 60) == [0, 16, 32])
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
