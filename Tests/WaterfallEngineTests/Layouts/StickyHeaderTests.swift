import EngineOracle
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct StickyHeaderTests {
  let layout = WaterfallLayout(width: 3)
    .adding([2, 2], .cells(.count(1), header: 1, footer: 1).with(\.isHeaderSticky, true))
    .adding([2], .cells(.count(1), header: 1))

  @Test func `a sticky header stays at the top while its section is in view`() {
    #expect(layout.drawing(at: 0, length: 3) == "===\nAAA\nAAA")
    #expect(layout.drawing(at: 2, length: 3) == "===\n...\nBBB")
  }

  @Test func `the end of its section pushes a sticky header out`() {
    #expect(layout.drawing(at: 5, length: 3) == "===\n---\n===")
    #expect(layout.drawing(at: 6, length: 3) == "---\n===\nAAA")
  }

  @Test func `a header pushed back to its own place is not pinned`() {
    let empty = WaterfallLayout(width: 3).adding([], .cells(.count(1), header: 2).with(\.isHeaderSticky, true))
    let seen = empty.layoutAttributes(inViewport: empty.viewport(at: 1, length: 3))
    #expect(seen.map(\.isPinned) == [false])
  }

  @Test func `a header that is not sticky scrolls away`() {
    #expect(layout.drawing(at: 8, length: 2) == "AAA\nAAA")
  }

  @Test func `a sticky header stays at the start in every orientation`() {
    for orientation in Orientation.all {
      let metrics = SectionMetrics.cells(.count(1), header: 1).with(\.isHeaderSticky, true)
      let layout = WaterfallLayout(breadth: 1, orientation: orientation).adding([2, 2], metrics)
      let viewport = layout.viewport(at: 2, length: 3)
      let header = layout.layoutAttributes(inViewport: viewport)[0]
      #expect(header.kind == .header && header.isPinned && header.zIndex == 2)
      switch (orientation.axis, orientation.isMirrored) {
      case (.vertical, _): #expect(header.frame.minY == viewport.minY)
      case (.horizontal, false): #expect(header.frame.minX == viewport.minX)
      case (.horizontal, true): #expect(header.frame.maxX == viewport.maxX)
      }
    }
  }

  @Test func `scrolling to an item does not leave it under the header`() {
    let path = ElementPath(item: 0)
    #expect(layout.contentOffset(toShow: path, currentOffset: 3, viewportLength: 3, aligned: .nearest) == 0)
    let second = ElementPath(item: 1)
    #expect(layout.contentOffset(toShow: second, currentOffset: 5, viewportLength: 3, aligned: .top) == 3)
    #expect(layout.contentOffset(toShow: second, currentOffset: 0, viewportLength: 1, aligned: .nearest) == 4)
  }

  @Test func `a viewport shows the elements that touch it, with its headers and its footer pinned`() {
    let sticky: Set<ElementKind> = [.globalHeader, .header, .footer]
    var generator = SeededGenerator(seed: 70)
    for number in 0..<2000 {
      let layout = anyLayout(number: number, most: 20, using: &generator)
      let offset = Int.random(in: 0...max(0, layout.contentLength), using: &generator)
      let viewport = layout.viewport(at: offset, length: Int.random(in: 1...30, using: &generator))
      let seen = layout.layoutAttributes(inViewport: viewport)
      #expect(
        seen.filter { !sticky.contains($0.kind) }
          == layout.elementsByExhaustion(in: viewport).filter { !sticky.contains($0.kind) })
      let pinned = seen.filter(\.isPinned)
      #expect(Set(pinned.map(\.kind)).count == pinned.count)
      for element in pinned {
        #expect(sticky.contains(element.kind))
        #expect(element.frame.intersects(viewport))
      }
    }
  }
}
