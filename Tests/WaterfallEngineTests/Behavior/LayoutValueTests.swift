import EngineOracle
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

  @Test func `sections are a collection of collections of items`() {
    let layout = WaterfallLayout(width: 8).adding([1, 3], .cells(.count(3))).adding([], .cells(.count(1), header: 2))
    #expect(layout.sections.map(\.count) == [2, 0])
    #expect(layout.sections.map(\.frame) == [layout.frame(ofSection: 0), layout.frame(ofSection: 1)])
    #expect(layout.sections.map(\.section) == [0, 1])
    #expect(layout.sections.last?.metrics.headerHeight == 2)
    #expect(layout.sections.joined().map(\.size.height) == [1, 3])
  }

  @Test func `a viewport with overscan stays within the content, in every direction`() {
    for orientation in Orientation.all {
      let layout = WaterfallLayout(breadth: 8, orientation: orientation).adding(
        [10, 10, 10], .cells(.count(1), line: 0))
      #expect(layout.viewport(at: 5, length: 4, overscan: 0) == layout.viewport(at: 5, length: 4))
      #expect(layout.viewport(at: 5, length: 4, overscan: 3) == layout.viewport(at: 2, length: 10))
      #expect(layout.viewport(at: 0, length: 10, overscan: 90) == layout.viewport(at: 0, length: 30))
      #expect(layout.viewport(at: .max, length: .max, overscan: .max).isEmpty)
    }
  }

  @Test func `pictures keep their proportions above their captions`() throws {
    var layout = WaterfallLayout(width: 20).adding([], .cells(.count(2), spacing: 0))
    let sizes = [Size(width: 200, height: 100), Size(width: 3, height: 4), Size(width: 1920, height: 0)]
    try layout.append(pictures: sizes, captionHeight: 2, toSection: 0)
    #expect(layout.items(inSection: 0).map(\.size.height) == [7, 15, 2])
    #expect(throws: LayoutError.itemWidth(0, position: 1)) {
      try layout.append(pictures: [sizes[0], .zero], toSection: 0)
    }
    #expect(throws: LayoutError.itemHeight(LayoutLimits.length + 1, position: 0)) {
      try layout.append(pictures: [Size(width: 1, height: .max)], toSection: 0)
    }
    #expect(throws: LayoutError.itemHeight(-1, position: 0)) {
      try layout.append(pictures: [Size(width: 1, height: -5)], toSection: 0)
    }
    #expect(layout.itemCount(inSection: 0) == 3)
  }

  @Test func `pictures keep their proportions where they are inserted and when the breadth changes`() throws {
    var layout = WaterfallLayout(width: 20).adding([3], .cells(.count(2), spacing: 0))
    let sizes = [Size(width: 200, height: 100), Size(width: 1, height: 1)]
    let heights = try layout.itemHeights(forPictures: sizes, captionHeight: 1, inSection: 0)
    try layout.insert(itemHeights: heights, at: ElementPath(item: 0))
    #expect(layout.items(inSection: 0).map(\.size.height) == [6, 11, 3])
    layout.setBreadth(40)
    let wider = try layout.itemHeights(forPictures: sizes, captionHeight: 1, inSection: 0)
    try layout.setItemHeights(wider, from: ElementPath(item: 0), areEstimates: false)
    #expect(layout.items(inSection: 0).map(\.size.height) == [11, 21, 3])
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
