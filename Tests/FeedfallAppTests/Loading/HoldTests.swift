import TestSupport
import Testing

@testable import FeedfallApp

/// A server that asks to wait.
@Suite(.hangLimit) struct HoldTests {
  /// A loader whose second page failed with this hold.
  private func held(_ wait: Duration) -> TestLoader {
    var loader = loaderWithFirstPage()
    _ = loader.handle(.loadMoreRequested)
    _ = loader.handle(.pageFailed(ticket(2), "busy", hold: wait))
    return loader
  }

  @Test func `a hold of up to 30 seconds is automatic, a longer one is a failure`() {
    #expect(held(.seconds(30)).footerState == .holding(.seconds(30)))
    #expect(held(.seconds(30)).headerState == .idle)
    #expect(held(.seconds(30)).isBusy)
    #expect(held(.milliseconds(30_001)).footerState == .failed(hold: .milliseconds(30_001)))
    #expect(!held(.milliseconds(30_001)).isBusy)
  }

  @Test func `a hold of zero is a failure without a hold`() {
    #expect(held(.zero).footerState == .failed(hold: nil))
  }

  @Test func `no request is sent during a hold`() {
    var loader = held(.seconds(7))
    let before = loader
    for event: TestLoader.Event in [.endReached, .loadMoreRequested, .refreshRequested, .retryRequested] {
      #expect(loader.handle(event) == [])
    }
    #expect(loader == before)
  }

  @Test func `the wait of another ticket ends nothing`() {
    for wait in [Duration.seconds(7), .seconds(600)] {
      var loader = held(wait)
      let before = loader
      #expect(loader.handle(.waitElapsed(ticket(2))) == [])
      #expect(loader == before)
    }
  }

  @Test func `a dismissed failure stays dismissed after the hold`() {
    var loader = held(.seconds(600))
    _ = loader.handle(.failureDismissed)
    _ = loader.handle(.waitElapsed(ticket(3)))
    #expect(loader.shownFailure == nil)
    #expect(loader.footerState == .failed(hold: nil))
  }

  @Test func `after a manual retry a short hold is automatic again`() {
    var loader = held(.seconds(7))
    _ = loader.handle(.waitElapsed(ticket(3)))
    _ = loader.handle(.pageFailed(ticket(4), "busy", hold: .seconds(7)))
    _ = loader.handle(.waitElapsed(ticket(5)))
    _ = loader.handle(.retryRequested)
    _ = loader.handle(.pageFailed(ticket(6), "busy", hold: .seconds(7)))
    #expect(loader.footerState == .holding(.seconds(7)))
  }

  @Test func `the page after one without new items can be held too`() {
    var loader = held(.seconds(7))
    _ = loader.handle(.waitElapsed(ticket(3)))
    _ = loader.handle(.pageArrived(ticket(4), next: 2, newItemCount: 0))
    _ = loader.handle(.pageFailed(ticket(5), "busy", hold: .seconds(7)))
    #expect(loader.footerState == .holding(.seconds(7)))
  }
}
