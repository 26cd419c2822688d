import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct InvariantTests {
  @Test func `frames lie in the content without overlaps, and every size is exact`() {
    var generator = SeededGenerator(seed: 1)
    for number in 0..<1500 {
      let layout = anyLayout(number: number, most: 40, using: &generator)
      #expect(layout.invariantViolations() == [])
    }
  }

  @Test func `every waterfall item lies under the column that the order chooses`() {
    var generator = SeededGenerator(seed: 2)
    for number in 0..<800 {
      let most = number % 20 == 0 ? 1000 : 60
      let empty = WaterfallLayout(width: Int.random(in: 0...60, using: &generator))
      let layout = randomLayout(empty, most: most, order: true, using: &generator)
      #expect(misplacedItems(of: layout) == [])
    }
  }

  @Test(arguments: [1, 4, 5, 8, 9, 16, 17, 100])
  func `the shortest column is found among any number of columns`(columns: Int) {
    var generator = SeededGenerator(seed: 3)
    let layout = WaterfallLayout(width: 300)
      .adding(randomHeights(5000, using: &generator), .cells(.count(columns)))
    #expect(layout.columnCount(inSection: 0) == columns)
    #expect(misplacedItems(of: layout).isEmpty)
  }

  @Test func `appending items in pages gives the same layout as appending all at once`() throws {
    var generator = SeededGenerator(seed: 4)
    for columns in [1, 3, 6, 20] {
      let heights = randomHeights(3000, using: &generator)
      let whole = WaterfallLayout(width: 200).adding(heights, .cells(.count(columns)))
      var pages = WaterfallLayout(width: 200).adding([], .cells(.count(columns)))
      var rest = heights[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...99, using: &generator)
        try pages.append(itemHeights: Array(rest.prefix(count)), toSection: 0)
        rest = rest.dropFirst(count)
      }
      #expect(whole.allElements == pages.allElements)
      #expect(whole.contentSize == pages.contentSize)
    }
  }

  @Test func `appending does not move the section's other items`() throws {
    var generator = SeededGenerator(seed: 5)
    for number in 0..<300 {
      var layout = randomLayout(number: number, most: 60, using: &generator)
      let last = layout.sectionCount - 1
      let before = layout.allPaths.map { (path: $0, frame: layout.frame(ofItem: $0)) }
      try layout.append(itemHeights: randomHeights(20, using: &generator), toSection: last)
      #expect(before.allSatisfy { $0.frame == layout.frame(ofItem: $0.path) })
    }
  }

  @Test func `appending to a layout does not change its copy`() throws {
    var layout = WaterfallLayout(width: 9).adding([1, 2], .cells(.count(2)))
    let copy = layout
    try layout.append(itemHeights: [3, 4], toSection: 0)
    #expect(copy.itemCount(inSection: 0) == 2)
    #expect(copy.contentSize.height == 2)
  }
}
