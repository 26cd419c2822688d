import FeedfallApp
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct WaitListTests {
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

  @Test func `a cancelled wait is never returned`() {
    let waits = waits(2)
    var list = Runtime.WaitList()
    for wait in waits { list.add(wait, after: .seconds(-1)) }
    list.cancel(waits[0].ticket)
    #expect(elapsed(&list) == waits[1] && elapsed(&list) == nil)
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
}
