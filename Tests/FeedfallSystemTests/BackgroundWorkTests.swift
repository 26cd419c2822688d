import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct BackgroundWorkTests {
  @Test func `the work begins on another thread before its result is needed`() throws {
    let caller = pthread_self()
    for number in 0..<10 {
      let begun = try WakeUp()
      let work = BackgroundWork {
        begun.post()
        return (number, pthread_equal(pthread_self(), caller) != 0)
      }
      begun.wait()
      let (result, isCaller) = work.value()
      #expect(result == number && !isCaller)
    }
  }

  @Test func `the result is awaited, and the work runs once`() throws {
    let needed = try WakeUp()
    let count = Atomic(0)
    let work = BackgroundWork {
      needed.wait()
      return count.add(1, ordering: .relaxed).newValue
    }
    #expect(DetachedThread.start { needed.post() })
    #expect(work.value() == 1 && count.load(ordering: .relaxed) == 1)
  }
}
