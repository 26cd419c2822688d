import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct LoadMoreTests {
  @Test func `reaching the end is debounced once`() {
    var loader = loaderWithFirstPage()
    #expect(loader.handle(.endReached) == [.wait(debounce, ticket(2))])
    #expect(loader.handle(.endReached) == [])
    #expect(loader.footerState == .willRefresh)
    #expect(loader.handle(.waitElapsed(ticket(2))) == requests(for: 1, 3))
    #expect(loader.footerState == .refreshing)
  }

  @Test func `the end of an older wait sends no request`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.endReached)
    let before = loader
    #expect(loader.handle(.waitElapsed(ticket(1))) == [])
    #expect(loader == before)
  }

  @Test func `an explicit load-more cancels the debounce`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.endReached)
    #expect(loader.handle(.loadMoreRequested) == [.cancel(ticket(2))] + requests(for: 1, 3))
    #expect(loader.handle(.waitElapsed(ticket(2))) == [])
  }

  @Test func `without a debounce reaching the end sends a request at once`() {
    var loader = TestLoader(firstCursor: 0, debounce: .zero)
    _ = loader.handle(.refreshRequested)
    _ = loader.handle(.pageArrived(ticket(1), next: 1, newItemCount: 20))
    #expect(loader.handle(.endReached) == requests(for: 1, 2))
  }

  @Test func `only one request is pending at a time`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    #expect(loader.handle(.loadMoreRequested) == [])
    #expect(loader.handle(.endReached) == [])
  }

  @Test func `more is not requested before the first page`() {
    var loader = TestLoader(firstCursor: 0)
    #expect(loader.handle(.endReached) == [])
    #expect(loader.handle(.loadMoreRequested) == [])
  }

  @Test func `loading more at the end of a single page refreshes`() {
    var loader = loaderWithFirstPage(next: nil)
    #expect(loader.handle(.loadMoreRequested) == requests(for: 0, 2))
    #expect(loader.request(of: ticket(2))?.purpose == .replace)
  }

  @Test func `a page that points to itself is the last one`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    _ = loader.handle(.pageArrived(ticket(2), next: 1, newItemCount: 20))
    #expect(loader.position == .end(last: 1))
  }

  @Test func `at most three pages without new items are followed`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    for page in 2...4 {
      let effects = loader.handle(.pageArrived(ticket(page), next: page, newItemCount: 0))
      #expect(effects == requests(for: page, page + 1))
    }
    #expect(loader.handle(.pageArrived(ticket(5), next: 5, newItemCount: 0)) == [])
    #expect(loader.footerState == .paused(pageCount: 4))
    #expect(loader.handle(.endReached) == [])
    #expect(loader.handle(.loadMoreRequested) == requests(for: 5, 6))
    _ = loader.handle(.pageArrived(ticket(6), next: 6, newItemCount: 2))
    #expect(loader.position == .next(6))
  }
}

@Suite(.hangLimit) struct WindowFillTests {
  @Test func `a window that is not full is not debounced`() {
    var loader = loaderWithFirstPage()
    #expect(loader.handle(.windowNotFull) == requests(for: 1, 2))
    #expect(loader.footerState == .refreshing)
  }

  @Test func `a window that is no longer full ends the debounce`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.endReached)
    #expect(loader.handle(.windowNotFull) == [.cancel(ticket(2))] + requests(for: 1, 3))
    #expect(loader.handle(.waitElapsed(ticket(2))) == [])
  }

  @Test func `a window requests nothing at the end, during a pause or beside another request`() {
    var ended = loaderWithFirstPage(next: nil)
    #expect(ended.handle(.windowNotFull) == [])
    var paused = loaderWithFirstPage()
    _ = paused.handle(.loadMoreRequested)
    for page in 2...5 { _ = paused.handle(.pageArrived(ticket(page), next: page, newItemCount: 0)) }
    #expect(paused.footerState == .paused(pageCount: 4))
    #expect(paused.handle(.windowNotFull) == [])
    var loading = loaderWithFirstPage()
    _ = loading.handle(.loadMoreRequested)
    #expect(loading.handle(.windowNotFull) == [])
    var failed = loaderWithFirstPage()
    _ = failed.handle(.loadMoreRequested)
    _ = failed.handle(.pageFailed(ticket(2), "lost", hold: nil))
    #expect(failed.handle(.windowNotFull) == [])
  }
}
