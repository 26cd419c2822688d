import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct StickyElementTests {
  @Test func `extreme overscan does not trap`() {
    let metrics = SectionMetrics.cells(.count(1), line: 0, header: 1, footer: 1)
      .with(\.isHeaderSticky, true).with(\.isFooterSticky, true)
    let layout = WaterfallLayout(width: 2).adding([Int](repeating: 1, count: 20), metrics)
    let viewport = layout.viewport(at: 8, length: 4)
    let all = layout.layoutAttributes(inViewport: viewport, overscan: .max)
    #expect(all.count == 22 && all.filter(\.isPinned).map(\.frame.minY) == [8, 11])
    #expect(
      layout.layoutAttributes(inViewport: viewport, overscan: .min) == layout.layoutAttributes(inViewport: viewport))
    let endless = Rect(x: .min, y: .min, width: .max, height: .max)
    #expect(layout.layoutAttributes(inViewport: endless, overscan: .max).isEmpty)
    #expect(layout.layoutAttributes(inViewport: viewport, overscan: 0) == layout.layoutAttributes(inViewport: viewport))
  }

  @Test func `overscan changes neither pins nor scales, and finds what a query of the larger part finds`() {
    var generator = SeededGenerator(seed: 44)
    for number in 0..<600 {
      let layout: any CollectionLayout =
        number % 8 == 7
        ? CarouselLayout(viewport: Size(width: 30, height: 20)).adding(
          randomHeights(9, using: &generator), .random(using: &generator))
        : anyLayout(number: number, most: 20, using: &generator)
      let length = Int.random(in: 1...30, using: &generator)
      let offset = Int.random(in: 0...40, using: &generator)
      let overscan = Int.random(in: 0...20, using: &generator)
      let viewport = layout.viewport(at: offset, length: length)
      let seen = layout.layoutAttributes(inViewport: viewport)
      let found = layout.layoutAttributes(inViewport: viewport, overscan: overscan)
      #expect(seen.allSatisfy { !$0.isPinned || $0.zIndex == ($0.kind == .globalHeader ? 3 : 2) })
      #expect(found.filter { $0.frame.intersects(viewport) } == seen, "\(layout.drawing)")
      let part = layout.layoutAttributes(in: layout.viewport(at: offset - overscan, length: length + 2 * overscan))
      if !(layout is CarouselLayout) {
        #expect(found.filter { !$0.isPinned }.allSatisfy(part.contains))
        let pinned = Set(found.filter(\.isPinned).map(\.kind))
        #expect(part.allSatisfy { pinned.contains($0.kind) || found.contains($0) })
      }
    }
  }

  let layout = WaterfallLayout(width: 3)
    .adding([2, 2], .cells(.count(1), header: 1, footer: 1).with(\.isHeaderSticky, true))
    .adding([2], .cells(.count(1), header: 1))

  @Test func `a header pushed back to its own place is not pinned`() {
    let empty = WaterfallLayout(width: 3).adding([], .cells(.count(1), header: 2).with(\.isHeaderSticky, true))
    let seen = empty.layoutAttributes(inViewport: empty.viewport(at: 1, length: 3))
    #expect(seen.map(\.isPinned) == [false])
  }

  @Test func `scrolling to an item does not leave it under the header`() {
    let path = ElementPath(item: 0)
    #expect(layout.contentOffset(toShow: path, currentOffset: 3, viewportLength: 3, aligned: .nearest) == 0)
    let second = ElementPath(item: 1)
    #expect(layout.contentOffset(toShow: second, currentOffset: 5, viewportLength: 3, aligned: .top) == 3)
    #expect(layout.contentOffset(toShow: second, currentOffset: 0, viewportLength: 1, aligned: .nearest) == 4)
  }

  @Test func `scrolling to an item does not leave it under the footer`() {
    let layout = WaterfallLayout(width: 3)
      .adding([2, 2], .cells(.count(1), header: 1, footer: 1).with(\.isFooterSticky, true))
      .adding([2], .cells(.count(1), footer: 1))
    let path = ElementPath(item: 0)
    #expect(layout.stickyFooterLength(ofSection: 0) == 1)
    #expect(layout.stickyFooterLength(ofSection: 1) == 0)
    #expect(layout.contentOffset(toShow: path, currentOffset: 0, viewportLength: 3, aligned: .nearest) == 1)
    #expect(layout.contentOffset(toShow: path, currentOffset: 5, viewportLength: 1, aligned: .nearest) == 1)
  }
}
