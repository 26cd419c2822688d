import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct JustifiedRowsTests {
  private func rows(_ widths: [Int], height: Int = 3, width: Int = 12) -> ArrangedLayout<JustifiedRows<0, 25, 400>> {
    ArrangedLayout(width: width).adding(
      items: widths.map { ItemSize(height: height, width: $0) }, .cells(.count(1), line: 1))
  }

  @Test func `the last row is as high as its items want`() {
    #expect(rows([4, 3]).drawing == "AAAA.BBB....\nAAAA.BBB....\nAAAA.BBB....")
  }

  @Test func `a row has the items that bring its height nearest to the wanted one`() {
    let frames = rows([5, 5, 5, 5]).frames()
    #expect(frames.map(\.minY) == [0, 0, 4, 4])
    #expect(frames.map(\.width) == [5, 6, 5, 5])
  }

  @Test func `an item wider than the row fills it alone`() {
    let frames = rows([40, 4], height: 10).frames()
    #expect(frames == [Rect(x: 0, y: 0, width: 12, height: 3), Rect(x: 0, y: 4, width: 4, height: 10)])
  }

  @Test func `no proportions make a row invisible or endless`() {
    let frames = ArrangedLayout<JustifiedRows<2, 50, 200>>(width: 12).adding(
      items: [5000, 1, 5000, 4].map { ItemSize(height: 10, width: $0) } + [ItemSize(height: 0, width: 3)],
      .cells(.count(1))
    )
    .frames()
    // Wanted are pictures of 8 units: at least 4 and at most 16 under captions of 2.
    #expect(frames.map(\.height) == [6, 18, 6, 10, 10])
    #expect(frames.map(\.width) == [12, 12, 12, 4, 3])
    let flat = ArrangedLayout<JustifiedRows<0, 0, 0>>(width: 12).adding(
      items: [ItemSize(height: 0, width: 5000), ItemSize(height: 0)], .cells(.count(1)))
    #expect(flat.frames().map(\.height) == [1, 1])
  }

  @Test func `captions do not grow with the row`() {
    let items = [4, 4, 4].map { ItemSize(height: 5, width: $0) }
    let layout = ArrangedLayout<JustifiedRows<2, 25, 400>>(width: 9).adding(items: items, .cells(.count(1), spacing: 0))
    // Two pictures of 4 by 3 become 9 by 3.
    #expect(layout.frames().map(\.height) == [5, 5, 5])
    let wide = ArrangedLayout<JustifiedRows<2, 25, 400>>(width: 16).adding(items: items, .cells(.count(1), spacing: 0))
    #expect(wide.setting([ItemSize(height: 5, width: 30)]).frames().map(\.height) == [6, 6, 6, 4])
  }

  @Test func `rows fill every width without a free unit, and no item is wider than its share by more than one`() {
    var generator = SeededGenerator(seed: 7)
    for width in 20...400 {
      let widths = (0..<40).map { _ in Int.random(in: 4...30, using: &generator) }
      let frames = rows(widths, height: 8, width: width).frames()
      let rows = Dictionary(grouping: frames.indices) { frames[$0].minY }
      let lastRow = frames.map(\.minY).max()
      for (top, items) in rows where top != lastRow {
        #expect(items.reduce(0) { $0 + frames[$1].width } + items.count - 1 == width)
        let (room, sum) = (width - items.count + 1, items.reduce(0) { $0 + widths[$1] })
        #expect(items.allSatisfy { abs(frames[$0].width * sum - widths[$0] * room) <= sum })
        #expect(Set(items.map { frames[$0].height }).count == 1)
      }
    }
  }

  @Test func `up and down go to the nearest center, and back to the start`() {
    let layout = rows([4, 3, 3, 8, 3, 5, 6])
    #expect(
      layout.drawing == """
        AAAA.BBB.CCC
        AAAA.BBB.CCC
        AAAA.BBB.CCC
        ............
        DDDDDDDD.EEE
        DDDDDDDD.EEE
        DDDDDDDD.EEE
        ............
        FFFFF.GGGGGG
        FFFFF.GGGGGG
        FFFFF.GGGGGG
        """)
    var goal: NavigationGoal?
    // Moves follow the middle of the item where they began.
    let ways = [1, 2].map { start in
      goal = nil
      return [Direction.down, .down, .up, .up].reduce(into: [start]) { way, direction in
        let next = layout.neighbor(of: ElementPath(item: way[way.count - 1]), toward: direction, goal: &goal)
        way.append(next?.item ?? -1)
      }
    }
    #expect(ways == [[1, 3, 6, 3, 1], [2, 4, 6, 4, 2]])
    goal = nil
    #expect(layout.neighbor(of: ElementPath(item: 4), toward: .right, goal: &goal) == nil)
    #expect(layout.neighbor(of: ElementPath(item: 3), toward: .right, goal: &goal) == ElementPath(item: 4))
  }

  @Test func `the item nearest to a point is in the nearest row`() {
    let layout = rows([4, 3, 3, 8, 3])
    #expect(layout.item(nearestTo: Point(x: 11, y: 4)) == ElementPath(item: 4))
    #expect(layout.item(nearestTo: Point(x: 8, y: 2)) == ElementPath(item: 1))
    #expect(layout.item(nearestTo: Point(x: 0, y: 90)) == ElementPath(item: 3))
  }
}

extension CollectionLayout {
  fileprivate func setting(_ items: [ItemSize]) -> Self {
    changed { layout throws(LayoutError) in try layout.append(items, toSection: 0) }
  }
}
