import Foundation
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct LayoutValueTests {
  @Test func `measures and sizes survive encoding`() throws {
    var generator = SeededGenerator(seed: 71)
    for _ in 0..<100 {
      let metrics = SectionMetrics.anyOrder(using: &generator)
      let items = (0..<5).map { _ in ItemSize.random(using: &generator) }
      let coder = (JSONEncoder(), JSONDecoder())
      #expect(try coder.1.decode(SectionMetrics.self, from: coder.0.encode(metrics)) == metrics)
      #expect(try coder.1.decode([ItemSize].self, from: coder.0.encode(items)) == items)
    }
  }

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

  @Test func `the items of a section are a collection with frames`() {
    let layout = WaterfallLayout(width: 8).adding([1, 3, 2], .cells(.count(3)))
    let items = layout.items(inSection: 0)
    #expect(items.map(\.frame) == (0..<3).map { layout.frame($0) })
    #expect(items.last?.path == ElementPath(item: 2))
    #expect(items.map(\.size.height) == [1, 3, 2])
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
    let heights = layout.items(inSection: 0).map(\.frame.minY)
    layout.setBreadth(25)
    #expect(layout.items(inSection: 0).map(\.frame.minY) == heights)
    #expect(layout.contentSize.width == 25)
  }

  @Test func `measures can be given in one expression`() {
    let metrics = SectionMetrics(columns: .count(3), lineSpacing: 0, insets: .zero, headerHeight: 2)
    #expect(metrics == SectionMetrics.cells(.count(3), spacing: 10, line: 0, header: 2))
  }
}
