import Glibc
import TestSupport
import Testing

@testable import FeedfallSystem

@Suite(.hangLimit) struct BackgroundWorkTests {
  @Test func `the work begins on another thread before its result is needed`() {
    let caller = pthread_self()
    let works = (0..<10).map { number in BackgroundWork { (number, pthread_equal(pthread_self(), caller) != 0) } }
    for (number, work) in works.enumerated() {
      let (result, isCaller) = work.value()
      #expect(result == number && !isCaller)
    }
  }
}
