import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct PromiseTests {
  @Test func `a value can arrive before or after a task waits for it`() async {
    let early = Promise<Int>()
    #expect(early.fulfill(1))
    #expect(await early.value(whenCancelled: 0) == 1)
    let late = Promise<Int>()
    let task = Task { await late.value(whenCancelled: 0) }
    await Task.yield()
    late.fulfill(2)
    #expect(await task.value == 2)
  }

  @Test func `the first value counts`() async {
    let promise = Promise<Int>()
    #expect(promise.fulfill(1))
    #expect(!promise.fulfill(2))
    #expect(await promise.value(whenCancelled: 0) == 1)
  }

  @Test func `a cancelled task gets the cancellation value, before or while it waits`() async {
    for waits in [true, false] {
      let promise = Promise<Int>()
      let task = Task { await promise.value(whenCancelled: 0) }
      if waits { await Task.yield() }
      task.cancel()
      #expect(await task.value == 0)
      #expect(!promise.fulfill(1))
    }
  }
}
