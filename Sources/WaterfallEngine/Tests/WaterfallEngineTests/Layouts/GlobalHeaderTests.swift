import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct GlobalHeaderTests {
  private func layout(isSticky: Bool) -> WaterfallLayout {
    WaterfallLayout(width: 3)
      .adding([2, 2], .cells(.count(1), header: 1).with(\.isHeaderSticky, true)).adding([2], .cells(.count(1)))
      .changed { layout throws(LayoutError) in try layout.setGlobalHeader(GlobalHeader(height: 2, isSticky: isSticky)) }
  }

  @Test func `a layout without sections has its header`() throws {
    for orientation in Orientation.all {
      for empty: any CollectionLayout in [
        WaterfallLayout(breadth: 4, orientation: orientation),
        CarouselLayout(viewport: Size(width: 4, height: 4), orientation: orientation),
      ] {
        var layout = empty
        let changed = try layout.setGlobalHeader(GlobalHeader(height: 3, isSticky: true))
        #expect(layout.contentLength == 3)
        #expect(changed == Rect(origin: .zero, size: layout.contentSize))
        #expect(layout.layoutAttributes(inViewport: layout.viewport(at: 1, length: 2)).map(\.kind) == [.globalHeader])
        #expect(layout.invariantViolations() == [])
      }
    }
  }

  @Test func `a carousel's first and last item can lie in the middle beside a header`() throws {
    var layout = CarouselLayout(viewport: Size(width: 20, height: 5)).adding([4, 4, 4], .cells(.count(1)))
    for height in [3, 30, 0] {
      try layout.setGlobalHeader(GlobalHeader(height: height))
      #expect(layout.invariantViolations() == [])
      let first = layout.frame(0)
      let offset = layout.contentOffset(
        toShow: ElementPath(item: 0), currentOffset: 0, viewportLength: 20, aligned: .center)
      #expect(first.minX - offset == 8)
    }
  }

  @Test func `another header moves the sections, another stickiness nothing`() throws {
    var layout = layout(isSticky: false)
    #expect(try layout.setGlobalHeader(GlobalHeader(height: 2, isSticky: true)).height == 2)
    #expect(layout.stickyHeaderLength(ofSection: 0) == 3)
    #expect(layout.stickyHeaderLength(ofSection: 1) == 2)
    try layout.setGlobalHeader(GlobalHeader(height: 0, isSticky: true))
    #expect(layout.stickyHeaderLength(ofSection: 1) == 0)
    #expect(layout.layoutAttributes(of: .globalHeader, at: ElementPath(item: 0)) == nil)
    #expect(layout.frame(ofSection: 0).minY == 0)
    #expect(layout != self.layout(isSticky: false))
  }

  @Test func `scrolling to an item does not leave it under the global header`() {
    let layout = layout(isSticky: true)
    let path = ElementPath(section: 1, item: 0)
    #expect(layout.contentOffset(toShow: path, currentOffset: 9, viewportLength: 4, aligned: .nearest) == 6)
  }

  @Test func `an invalid height is refused and changes nothing`() {
    let layout = layout(isSticky: true)
    var copy = layout
    for height in [Int.min, -1, LayoutLimits.length + 1, .max] {
      let error = LayoutError.measure(name: "globalHeader.height", value: height)
      #expect(throws: error) { try copy.setGlobalHeader(GlobalHeader(height: height)) }
    }
    #expect(copy == layout)
    #expect(
      LayoutError.measure(name: "globalHeader.height", value: -1).description
        == "a layout's globalHeader.height cannot be -1: it is 0 to 1000000 units")
  }
}
