import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct ColumnTests {
  @Test(arguments: [0, -1, Int.min])
  func `a layout without width has one column`(width: Int) {
    let layout = WaterfallLayout(width: width).adding([3, 4], .cells(.count(5)))
    #expect(layout.breadth == 0)
    #expect(layout.columnCount(inSection: 0) == 1)
    #expect(layout.contentSize == Size(width: 0, height: 8))
  }

  @Test(arguments: [ColumnRule.count(0), .count(-3), .count(.min), .minimumWidth(99), .minimumWidth(.max)])
  func `a rule that no column can satisfy gives one column`(rule: ColumnRule) {
    let layout = WaterfallLayout(width: 7).adding([1], .cells(rule))
    #expect(layout.columnCount(inSection: 0) == 1)
    #expect(layout.frame(0).width == 7)
  }

  @Test(arguments: [ColumnRule.count(.max), .minimumWidth(0), .minimumWidth(-1), .minimumWidth(.min)])
  func `a rule without a minimum gives columns of one unit`(rule: ColumnRule) {
    let layout = WaterfallLayout(width: 7).adding([1], .cells(rule, spacing: 0))
    #expect(layout.columnCount(inSection: 0) == 7)
  }

  @Test func `weights leave no unit over and give every column at least one`() {
    var generator = SeededGenerator(seed: 50)
    for width in [1, 2, 3, 7, 15, 16, 31, 32, 33, 80, 121, 400] {
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
}
