import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct ScrollingTests {
  let layout = ListLayout(width: 5).adding([Int](repeating: 10, count: 10), .cells(.count(1), line: 0))

  private func offset(_ item: Int, from offset: Int, _ alignment: ScrollAlignment, height: Int = 25) -> Int {
    layout.contentOffset(
      toShow: layout.frame(item), currentOffset: offset, viewportLength: height, aligned: alignment)
  }

  @Test func `top, center and bottom align the item`() {
    #expect(offset(4, from: 0, .top) == 40)
    #expect(offset(4, from: 0, .bottom) == 50 - 25)
    #expect(offset(4, from: 0, .center, height: 30) == 30)
  }

  @Test func `nearest scrolls as little as possible`() {
    #expect(offset(4, from: 30, .nearest) == 30)
    #expect(offset(4, from: 45, .nearest) == 40)
    #expect(offset(4, from: 0, .nearest) == 25)
  }

  @Test func `an item higher than the viewport shows its top, unless it fills the viewport`() {
    #expect(offset(4, from: 0, .nearest, height: 6) == 40)
    #expect(offset(4, from: 90, .nearest, height: 6) == 40)
    #expect(offset(4, from: 42, .nearest, height: 6) == 42)
  }

  @Test func `the offset stays within the content`() {
    #expect(offset(0, from: 50, .bottom) == 0)
    #expect(offset(9, from: 0, .top) == 75)
    #expect(offset(9, from: 0, .top, height: 500) == 0)
  }
}
