import EngineOracle
import Foundation
import TestBasics
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

  @Test func `pictures keep their proportions above their captions`() throws {
    var layout = WaterfallLayout(width: 20).adding([], .cells(.count(2), spacing: 0))
    let sizes = [Size(width: 200, height: 100), Size(width: 3, height: 4), Size(width: 1920, height: 1)]
    try layout.append(pictures: sizes, captionHeight: 2, toSection: 0)
    #expect(layout.items(inSection: 0).map(\.size.height) == [7, 15, 3])
    #expect(throws: LayoutError.measure(name: "captionHeight", value: -1)) {
      try layout.append(pictures: sizes, captionHeight: -1, toSection: 0)
    }
    #expect(layout.itemCount(inSection: 0) == 3)
  }

  @Test func `a picture without a usable size is square, or refused with its position`() throws {
    var layout = WaterfallLayout(width: 20).adding([], .cells(.count(2), spacing: 0))
    for bad in [Size.zero, Size(width: 400, height: 0), Size(width: 0, height: 5), Size(width: .min, height: -1)] {
      let sizes = [Size(width: 2, height: 1), bad]
      #expect(try layout.itemHeights(forPictures: sizes, inSection: 0) == [5, 10])
      #expect(
        try layout.itemHeights(forPictures: sizes, placeholder: Size(width: 5, height: 1), inSection: 0) == [5, 2])
      for placeholder in [nil, Size.zero] {
        #expect(throws: LayoutError.pictureSize(bad, position: 1)) {
          try layout.append(pictures: sizes, placeholder: placeholder, toSection: 0)
        }
      }
    }
    #expect(layout.itemCount(inSection: 0) == 0)
    #expect(
      LayoutError.pictureSize(Size(width: 400, height: 0), position: 1).description
        == "picture 1 of the list cannot be 400 × 0: both are at least 1")
  }

  @Test func `the heights of pictures of any proportions stay in a range of at least one unit`() throws {
    let layout = WaterfallLayout(width: 20).adding([], .cells(.count(2), spacing: 0))
    let extreme = [Size(width: 5000, height: 1), Size(width: 1, height: 5000), Size(width: .max, height: .max)]
    #expect(try layout.itemHeights(forPictures: extreme, within: 3...24, inSection: 0) == [3, 24, 10])
    #expect(try layout.itemHeights(forPictures: extreme, captionHeight: 2, inSection: 0) == [3, 50_002, 12])
    #expect(try layout.itemHeights(forPictures: extreme, within: -9...0, inSection: 0) == [1, 1, 1])
    let highest = [Size(width: 1, height: .max)]
    #expect(try layout.itemHeights(forPictures: highest, captionHeight: 7, inSection: 0) == [LayoutLimits.length])
    let narrow = WaterfallLayout(width: 0).adding([], .cells(.count(2)))
    #expect(try narrow.itemHeights(forPictures: extreme, inSection: 0) == [1, 1, 1])
  }

  @Test func `heights of pictures are rounded to the nearest unit`() throws {
    var generator = SeededGenerator(seed: 76)
    for width in 1...300 {
      let layout = WaterfallLayout(width: width).adding([], .cells(.count(1)))
      let picture = Size(
        width: Int.random(in: 1...4000, using: &generator), height: Int.random(in: 1...4000, using: &generator))
      let height = try layout.itemHeights(forPictures: [picture], inSection: 0)[0]
      let exact = width * picture.height
      #expect(height == max(1, (2 * exact + picture.width) / (2 * picture.width)))
    }
  }

  @Test func `a picture is as wide as the column of its weight, wherever it goes`() throws {
    var generator = SeededGenerator(seed: 77)
    for orientation in Orientation.all {
      var layout = WaterfallLayout(breadth: 60, orientation: orientation).adding([], .cells(.weights([1, 3, 2])))
      let pictures = (0..<60).map { _ in
        Size(width: Int.random(in: 1...9, using: &generator), height: Int.random(in: 1...9, using: &generator))
      }
      try layout.append(pictures: pictures, captionHeight: 2, toSection: 0)
      for (item, picture) in pictures.enumerated() {
        let frame = layout.layoutFrame(ElementPath(item: item))
        #expect(frame.height == max(1, (2 * frame.width * picture.height + picture.width) / (2 * picture.width)) + 2)
      }
      #expect(misplacedItems(of: layout) == [] || orientation != .vertical)
      let before = layout
      #expect(throws: LayoutError.pictureSize(.zero, position: 1)) {
        try layout.append(pictures: [pictures[0], .zero], placeholder: nil, toSection: 0)
      }
      #expect(layout == before)
    }
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
