import EngineOracle
import Foundation
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct LayoutValueTests {
  @Test func `layouts are equal while their items have the same sizes and places`() throws {
    let layout = WaterfallLayout(width: 8).adding([1, 3, 2, 1], .cells(.count(3)))
    var other = layout
    try other.setItemHeight(5, at: ElementPath(item: 0))
    #expect(other != layout)
    try other.setItemHeight(1, at: ElementPath(item: 0))
    #expect(other == layout)
    #expect(layout != WaterfallLayout(width: 9).adding([1, 3, 2, 1], .cells(.count(3))))
    let wide = [ItemSize(height: 1, span: .full)]
    #expect(
      WaterfallLayout(width: 8).adding(items: wide, .cells(.count(3)))
        != WaterfallLayout(width: 8).adding([1], .cells(.count(3))))
  }

  @Test func `a layout of another breadth is as if it was filled anew`() {
    var generator = SeededGenerator(seed: 72)
    for _ in 0..<200 {
      let heights = randomHeights(30, using: &generator)
      let metrics = [SectionMetrics.anyOrder(using: &generator), .anyOrder(using: &generator)]
      let widths = (0..<2).map { _ in Int.random(in: 0...60, using: &generator) }
      for orientation in Orientation.all {
        let filled = widths.map {
          WaterfallLayout(breadth: $0, orientation: orientation).adding(heights, metrics[0]).adding(heights, metrics[1])
        }
        var layout = filled[0]
        let changed = layout.setBreadth(widths[1])
        #expect(layout == filled[1])
        #expect(layout.allElements == filled[1].allElements)
        let size = filled[0].contentSize
        #expect(widths[0] == widths[1] || changed.union(Rect(origin: .zero, size: size)) == changed)
      }
    }
  }

  @Test func `a breadth that leaves the columns in place moves no item`() throws {
    var layout = WaterfallLayout(width: 20).adding([1, 3, 2, 1], .cells(.minimumWidth(30)))
    try layout.setItemHeight(7, at: ElementPath(item: 1))
    let heights = layout.frames().map(\.minY)
    layout.setBreadth(25)
    #expect(layout.frames().map(\.minY) == heights)
    #expect(layout.contentSize.width == 25)
  }
}
