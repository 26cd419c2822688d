import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct LoaderRefreshTests {
  @Test func `a refresh overrides a load-more`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    #expect(loader.handle(.refreshRequested) == [.cancel(ticket(2))] + requests(for: 0, 3))
    #expect(loader.request(of: ticket(2)) == nil)
    #expect(loader.request(of: ticket(3))?.purpose == .replace)
  }

  @Test func `a refresh cancels the debounce`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.endReached)
    #expect(loader.handle(.refreshRequested) == [.cancel(ticket(2))] + requests(for: 0, 3))
  }

  @Test func `newsArrived keeps the position and requires the current ticket`() {
    var loader = loaderWithFirstPage()
    let position = loader.position
    _ = loader.handle(.refreshRequested)
    let asking = loader
    #expect(loader.handle(.newsArrived(ticket(9), next: 1)) == [])
    #expect(loader == asking)
    #expect(loader.handle(.newsArrived(ticket(2), next: 1)) == [])
    #expect(loader.phase == .resting && loader.position == position)
  }

  @Test func `a refresh resets the end`() {
    var loader = loaderWithFirstPage(next: nil)
    _ = loader.handle(.refreshRequested)
    _ = loader.handle(.pageArrived(ticket(2), next: 1, newItemCount: 20))
    #expect(loader.footerState == .idle)
    #expect(loader.position == .next(1))
  }

  @Test func `a failed refresh keeps the position`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.refreshRequested)
    #expect(loader.handle(.pageFailed(ticket(2), "reset", hold: nil)) == [])
    #expect(loader.position == .next(1))
    #expect(loader.headerState == .failed(hold: nil))
  }

  @Test func `an empty answer at the end requests nothing else`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    _ = loader.handle(.pageArrived(ticket(2), next: nil, newItemCount: 3))
    _ = loader.handle(.refreshRequested)
    #expect(loader.handle(.newsArrived(ticket(3), next: nil)) == [])
    #expect(loader.position == .end(last: 1))
  }

  @Test func `a single page that gets a successor continues with it`() {
    var loader = loaderWithFirstPage(next: nil)
    _ = loader.handle(.refreshRequested)
    #expect(loader.handle(.newsArrived(ticket(2), next: 1)) == [])
    #expect(loader.position == .next(1))
  }

  /// Any events in any order: each request ends, a rest at the end or in a pause is left by the user alone, and the
  /// user can always go on.
  @Test(arguments: 1...100)
  func `loading more always requests something once nothing is pending`(seed: Int) {
    var chances = SeededGenerator(seed: UInt64(seed))
    var loader = loaderWithFirstPage(next: Bool.random(using: &chances) ? 1 : nil)
    for _ in 0..<60 {
      let ticket = loader.pendingTicket ?? ticket(Int.random(in: 0..<99, using: &chances))
      let next = chances.chance(1, in: 3) ? nil : Int.random(in: 0..<20, using: &chances)
      let events: [TestLoader.Event] = [
        .refreshRequested, .endReached, .loadMoreRequested, .retryRequested, .failureDismissed, .waitElapsed(ticket),
        .pageArrived(ticket, next: next, newItemCount: Int.random(in: 0..<2, using: &chances)),
        .newsArrived(ticket, next: next), .pageFailed(ticket, "no", hold: chances.chance(1, in: 4) ? .seconds(9) : nil),
      ]
      _ = loader.handle(events[Int.random(in: 0..<events.count, using: &chances)])
      guard loader.phase == .resting else { continue }
      var copy = loader
      #expect(!copy.handle(.loadMoreRequested).isEmpty)
      var idle = loader
      if case .next = idle.position {} else { #expect(idle.handle(.endReached) == []) }
    }
  }
}
