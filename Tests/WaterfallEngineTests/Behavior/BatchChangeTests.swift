import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct BatchChangeTests {
  private func size(_ item: Int) -> ItemSize { ItemSize(height: 1 + item % 7) }

  @Test func `a difference of the data becomes insertions, removals and moves`() throws {
    var generator = SeededGenerator(seed: 70)
    for _ in 0..<200 {
      let old = Array(0..<Int.random(in: 0...40, using: &generator))
      var new = old.filter { _ in !generator.chance(1, in: 4) }
      for item in 100..<Int.random(in: 100...110, using: &generator) {
        new.insert(item, at: Int.random(in: 0...new.count, using: &generator))
      }
      if new.count > 2 { new.swapAt(0, new.count - 1) }
      var layout = WaterfallLayout(width: 40).adding(items: old.map(size), .cells(.count(3)))
      let difference = new.difference(from: old).inferringMoves()
      try layout.apply(difference, toSection: 0, size: size)
      #expect(layout.items(inSection: 0).map(\.size) == new.map(size))
      #expect(layout.invariantViolations() == [])
      for (number, item) in old.enumerated() {
        #expect(ElementPath(item: number).applying(difference)?.item == new.firstIndex(of: item))
      }
    }
  }

  @Test func `a moved item keeps the size that it has in the layout`() throws {
    var layout = WaterfallLayout(width: 5).adding([1, 2, 3], .cells(.count(1)))
    try layout.setItemHeight(9, at: ElementPath(item: 0))
    try layout.apply([2, 3, 1].difference(from: [1, 2, 3]).inferringMoves(), toSection: 0) { _ in ItemSize(height: 5) }
    #expect(layout.items(inSection: 0).map(\.size.height) == [2, 3, 9])
  }

  @Test func `an invalid size in a difference changes nothing`() {
    let layout = WaterfallLayout(width: 5).adding([1, 2, 3], .cells(.count(1)))
    var copy = layout
    #expect(throws: LayoutError.itemHeight(-1, position: 0)) {
      try copy.apply([2, 9].difference(from: [1, 2, 3]), toSection: 0) { _ in ItemSize(height: -1) }
    }
    #expect(copy == layout)
  }
}
