import FeedfallApp
import TestSupport
import Testing

@testable import FeedfallPlayer

@Suite(.hangLimit) struct LibraryHealthTests {
  private var library = MPVThread.LibraryHealth()
  private let start = SuspendingClock.now

  @Test mutating func `a missing library is a fault`() {
    library.recordMissing()
    #expect(library.fault == .missing)
    library.recordFailedStart()
    library.recordFailedStart()
    #expect(library.fault == .missing)
  }

  @Test mutating func `two failed starts are too many`() {
    library.recordFailedStart()
    #expect(library.fault == nil)
    library.recordFailedStart()
    #expect(library.fault == .failing)
  }

  @Test mutating func `failures at long intervals are forgiven`() {
    for minute in 0..<5 { library.recordFailure(at: start + .seconds(61 * minute)) }
    #expect(library.fault == nil)
  }

  @Test mutating func `two failures within a minute are too many`() {
    library.recordFailure(at: start)
    #expect(library.fault == nil)
    library.recordFailure(at: start + .seconds(60))
    #expect(library.fault == .failing)
  }
}
