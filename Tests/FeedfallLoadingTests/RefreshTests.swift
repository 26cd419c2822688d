import TestSupport
import Testing

@testable import FeedfallLoading

@Suite(.hangLimit) struct RefreshTests {
  @Test func `a refresh overrides a load-more`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    #expect(loader.handle(.refreshRequested) == [.cancel(ticket(2))] + requests(for: 0, 3))
    #expect(loader.request(of: ticket(2)) == nil)
    #expect(loader.request(of: ticket(3))?.purpose == .replace)
  }

  @Test func `a late page of the overridden load-more changes nothing`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    _ = loader.handle(.refreshRequested)
    let before = loader
    #expect(loader.handle(.pageArrived(ticket(2), next: 2, newItemCount: 20)) == [])
    #expect(loader.handle(.pageFailed(ticket(2), "late", hold: nil)) == [])
    #expect(loader == before)
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
    #expect(loader.handle(.newsArrived(ticket(9))) == [])
    #expect(loader == asking)
    #expect(loader.handle(.newsArrived(ticket(2))) == [])
    #expect(loader.phase == .resting && loader.position == position)
  }

  @Test func `a second refresh sends no request`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.refreshRequested)
    #expect(loader.handle(.refreshRequested) == [])
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

  @Test func `the page after an empty first page replaces the old items too`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.refreshRequested)
    #expect(
      loader.handle(.pageArrived(ticket(2), next: 1, newItemCount: 0)) == requests(for: 1, 3))
    #expect(loader.request(of: ticket(3))?.purpose == .replace)
  }
}
