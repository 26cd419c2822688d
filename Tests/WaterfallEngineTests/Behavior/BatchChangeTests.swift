import EngineOracle
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

  @Test func `an anchor follows its item through a difference, or the item that takes its place`() throws {
    let old = Array(0..<20)
    func anchor(_ new: [Int], _ item: Int) -> Int {
      let anchor = ScrollAnchor(path: ElementPath(item: item), screenRow: 3)
      let moved = anchor.applying(new.difference(from: old).inferringMoves(), inSection: 0)
      #expect(moved.screenRow == 3)
      return moved.path.item
    }
    #expect(anchor([30, 31] + old, 5) == 7)
    #expect(anchor(Array(old.dropFirst(3)), 5) == 2)
    #expect(anchor([5] + old.filter { $0 != 5 }, 5) == 0)
    #expect(anchor(old.filter { $0 != 5 }, 5) == 5)
    #expect(anchor([30] + old.filter { $0 != 5 }, 5) == 6)
    #expect(anchor(Array(old[..<5]), 9) == 5)
    let other = ScrollAnchor(path: ElementPath(section: 1, item: 4), screenRow: 0)
    #expect(other.applying([Int]().difference(from: old), inSection: 0) == other)
    #expect(anchor([30] + old, .max) == .max)
    #expect(anchor([30] + old, .max - 1) == .max)
    #expect(anchor([30] + old.dropFirst(), .min) == .min)
  }

  @Test func `a batch of changes above the viewport holds the view still`() throws {
    let old = Array(0..<40)
    let new = [50, 51] + old.filter { $0 != 1 }
    var layout = WaterfallLayout(width: 9).adding(items: old.map(size), .cells(.count(1)))
    let anchor = try #require(layout.firstVisibleAnchor(contentOffset: 60, viewportLength: 10))
    let difference = new.difference(from: old)
    try layout.apply(difference, toSection: 0, size: size)
    let kept = anchor.applying(difference, inSection: 0)
    let offset = layout.contentOffset(keeping: kept, viewportLength: 10)
    #expect(new[kept.path.item] == old[anchor.path.item])
    #expect(layout.anchor(at: kept.path, contentOffset: offset) == kept)
  }
}
