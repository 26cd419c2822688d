import FeedfallApp
import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit) struct LibraryHealthTests {
  private var library = MPVThread.LibraryHealth()
  private let start = SuspendingClock.now

  @Test mutating func `a missing library is reported once`() {
    #expect(library.recordMissing() == .missing)
    #expect(library.recordMissing() == nil)
    #expect(library.fault == .missing)
  }

  @Test mutating func `two failed starts are too many, and reported once`() {
    #expect(library.recordFailedStart() == nil && library.fault == nil)
    #expect(library.recordFailedStart() == .failing)
    #expect(library.recordFailedStart() == nil && library.fault == .failing)
  }

  @Test mutating func `failures at long intervals are forgiven`() {
    for minute in 0..<5 {
      #expect(library.recordFailure(at: start + .seconds(61 * minute)) == nil)
    }
    #expect(library.fault == nil)
  }

  @Test mutating func `two failures within a minute are too many, and reported once`() {
    #expect(library.recordFailure(at: start) == nil)
    #expect(library.recordFailure(at: start + .seconds(60)) == .failing)
    #expect(library.recordFailure(at: start + .seconds(61)) == nil)
    #expect(library.fault == .failing)
  }
}
