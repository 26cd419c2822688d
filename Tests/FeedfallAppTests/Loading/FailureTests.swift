import TestSupport
import Testing

@testable import FeedfallApp

@Suite(.hangLimit) struct FailureTests {
  private func failed() -> TestLoader {
    loader(
      after: .refreshRequested, .pageArrived(ticket(1), next: 1, newItemCount: 20), .loadMoreRequested,
      .pageFailed(ticket(2), "reset", hold: nil))
  }

  @Test func `a failure is shown, and retried by the user alone with a new ticket`() {
    var loader = failed()
    #expect(loader.shownFailure?.failure == "reset")
    #expect(loader.footerState == .failed(hold: nil))
    #expect(loader.handle(.endReached) == [])
    #expect(loader.handle(.retryRequested) == requests(for: 1, 3))
  }

  @Test func `only a failure is retried`() {
    var loader = loaderWithFirstPage()
    #expect(loader.handle(.retryRequested) == [])
    _ = loader.handle(.loadMoreRequested)
    #expect(loader.handle(.retryRequested) == [])
  }

  @Test(arguments: [TestLoader.Event.loadMoreRequested, .endReached])
  func `after a failed refresh the next page can be loaded`(event: TestLoader.Event) {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.refreshRequested)
    _ = loader.handle(.pageFailed(ticket(2), "reset", hold: nil))
    #expect(loader.footerState == .idle)
    #expect(!loader.handle(event).isEmpty)
    #expect(loader.footerState == (event == .loadMoreRequested ? .refreshing : .willRefresh))
  }

  @Test func `a debounce ends when the last page is recalled meanwhile`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.refreshRequested)
    _ = loader.handle(.pageFailed(ticket(2), "reset", hold: nil))
    _ = loader.handle(.endReached)
    _ = loader.handle(.pageRecalled(0, next: nil))
    _ = loader.handle(.waitElapsed(ticket(3)))
    #expect(!loader.isBusy)
  }

  @Test func `after a failed refresh with a hold the footer waits too`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.refreshRequested)
    _ = loader.handle(.pageFailed(ticket(2), "busy", hold: .seconds(60)))
    #expect(loader.footerState == .failed(hold: .seconds(60)))
    #expect(loader.handle(.loadMoreRequested) == [])
  }

  @Test func `retry requests the failed page, not the page without new items before it`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    _ = loader.handle(.pageArrived(ticket(2), next: 2, newItemCount: 0))
    _ = loader.handle(.pageFailed(ticket(3), "reset", hold: nil))
    #expect(loader.handle(.retryRequested) == requests(for: 2, 4))
  }

  @Test func `a second hold in a row is a failure`() {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    _ = loader.handle(.pageFailed(ticket(2), "busy", hold: .seconds(7)))
    _ = loader.handle(.waitElapsed(ticket(3)))
    _ = loader.handle(.pageFailed(ticket(4), "busy", hold: .seconds(7)))
    #expect(loader.shownFailure?.hold?.duration == .seconds(7))
  }
}
