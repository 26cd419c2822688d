import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct StickyFooterTests {
  let layout = WaterfallLayout(width: 3)
    .adding([2, 2], .cells(.count(1), header: 1, footer: 1).with(\.isFooterSticky, true))
    .adding([2], .cells(.count(1), footer: 1))

  @Test func `a sticky footer stays at the bottom while its section is in view`() {
    #expect(layout.drawing == "===\nAAA\nAAA\n...\nBBB\nBBB\n---\nAAA\nAAA\n---")
    #expect(layout.drawing(at: 1, length: 3) == "AAA\nAAA\n---")
    #expect(layout.drawing(at: 3, length: 3) == "...\nBBB\n---")
    #expect(layout.drawing(at: 4, length: 3) == "BBB\nBBB\n---")
    #expect(layout.drawing(at: 5, length: 3) == "BBB\n---\nAAA")
  }

  @Test func `the start of its section pushes a sticky footer out`() {
    #expect(layout.drawing(at: 0, length: 2) == "===\n---")
    #expect(layout.drawing(at: 0, length: 1) == "===")
  }

  @Test func `a footer that is not sticky comes after the items`() {
    #expect(layout.drawing(at: 7, length: 2) == "AAA\nAAA")
  }

  @Test func `header and footer stick to both ends`() throws {
    var both = layout
    try both.setMetrics(both.metrics(ofSection: 0).with(\.isHeaderSticky, true), ofSection: 0)
    #expect(both.drawing(at: 1, length: 4) == "===\nAAA\n...\n---")
  }

  @Test func `scrolling to an item does not leave it under the footer`() {
    let path = ElementPath(item: 0)
    #expect(layout.stickyFooterLength(ofSection: 0) == 1)
    #expect(layout.stickyFooterLength(ofSection: 1) == 0)
    #expect(layout.contentOffset(toShow: path, currentOffset: 0, viewportLength: 3, aligned: .nearest) == 1)
    #expect(layout.contentOffset(toShow: path, currentOffset: 5, viewportLength: 1, aligned: .nearest) == 1)
  }
}
