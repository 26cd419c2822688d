import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct OrderTests {
  private func drawing(_ order: ItemOrder, _ heights: [Int]) -> String {
    WaterfallLayout(width: 8).adding(heights, .cells(.count(3), line: 0).with(\.order, order)).drawing
  }

  @Test func `left to right fills the columns one after the other`() {
    #expect(drawing(.leftToRight, [1, 3, 2, 1, 1]) == "AA.BB.CC\nDD.BB.CC\n...BB...\n...EE...")
  }

  @Test func `right to left fills the columns one after the other from the right`() {
    #expect(drawing(.rightToLeft, [1, 3, 2, 1, 1]) == "CC.BB.AA\nCC.BB.DD\n...BB...\n...EE...")
  }

  @Test func `with tolerance an item goes under the next column that is not much longer than the shortest`() {
    #expect(drawing(.shortest, [2, 1, 1, 1, 1]) == "AA.BB.CC\nAA.DD.EE")
    #expect(drawing(.tolerance(1), [2, 1, 1, 1, 1]) == "AA.BB.CC\nAA.EE...\nDD......")
    #expect(drawing(.tolerance(0), [2, 1, 1, 1, 1]) == "AA.BB.CC\nAA.DD.EE")
  }

  @Test func `a column beyond the tolerance is skipped`() {
    #expect(drawing(.tolerance(1), [4, 1, 1, 1]) == "AA.BB.CC\nAA.DD...\nAA......\nAA......")
  }

  @Test func `columns share the width by their weights`() {
    let layout = WaterfallLayout(width: 12).adding([1, 1, 1], .cells(.weights([1, 2, 2])))
    #expect(layout.drawing == "AA.BBBB.CCCC")
    #expect((0..<3).map { layout.width(ofColumn: $0, inSection: 0) } == [2, 4, 4])
  }

  @Test func `weights leave no unit over and give every column at least one`() {
    var generator = SeededGenerator(seed: 50)
    for width in 1...400 {
      let weights = (0..<Int.random(in: 1...16, using: &generator)).map { _ in
        Int.random(in: 1...100, using: &generator)
      }
      let layout = WaterfallLayout(width: width).adding([], .cells(.weights(weights)))
      let columns = layout.columnExtents(ofSection: 0)
      #expect(columns.last?.upperBound == width)
      #expect(columns.allSatisfy { !$0.isEmpty })
      let total = weights.prefix(columns.count).reduce(0, +)
      let shared = width - columns.count + 1
      for (column, weight) in zip(columns, weights) {
        let exact = Double(shared * weight) / Double(total)
        #expect(abs(Double(column.count) - exact) < 2 || column.count == 1 || shared < 3 * columns.count)
      }
    }
  }

  @Test func `the height of cards of one shape is a percentage of their width`() throws {
    var layout = WaterfallLayout(width: 21).adding([], .cells(.count(2), line: 0))
    try layout.append(count: 2, heightPercentOfWidth: 30, toSection: 0)
    #expect(layout.frame(0) == Rect(x: 0, y: 0, width: 10, height: 3))
    #expect(layout.frame(1).height == 3)
  }
}
