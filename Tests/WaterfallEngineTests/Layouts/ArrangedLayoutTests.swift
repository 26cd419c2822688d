import EngineOracle
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct ArrangedLayoutTests {
  @Test func `each item lies where the arrangement places it`() {
    let items = [3, 2, 4].map { ItemSize(height: 1, width: $0) }
    let layout = ArrangedLayout<Steps>(width: 7).adding(items: items, .cells(.count(1), line: 0))
    #expect(layout.drawing == "AAA....\n....BB.\nCCCC...")
  }

  @Test func `after any changes the layout equals a fresh one`() throws {
    for orientation in Orientation.all {
      try checkChanges(of: ArrangedLayout<Steps>(breadth: 30, orientation: orientation))
      try checkChanges(of: ArrangedLayout<JustifiedRows<1>>(breadth: 30, orientation: orientation))
    }
  }

  private func checkChanges(of empty: some CollectionLayout) throws {
    var generator = SeededGenerator(seed: 101)
    for _ in 0..<50 {
      let metrics = SectionMetrics.random(using: &generator)
      var items = (0..<Int.random(in: 0...80, using: &generator)).map { _ in ItemSize.random(using: &generator) }
      var layout = empty.adding(items: items, metrics)
      for _ in 0..<5 {
        let index = Int.random(in: 0...items.count, using: &generator)
        let added = ItemSize.random(using: &generator)
        items.insert(added, at: index)
        try layout.insert([added], at: ElementPath(item: index))
        let removed = Int.random(in: 0..<items.count, using: &generator)
        items.remove(at: removed)
        layout.remove(items: removed..<removed + 1, fromSection: 0)
      }
      #expect(layout.allElements == empty.adding(items: items, metrics).allElements)
      #expect(layout.invariantViolations() == [])
    }
  }

  @Test func `a changed height moves the items behind it`() throws {
    var layout = ArrangedLayout<Steps>(width: 7).adding([1, 1, 1], .cells(.count(1), line: 0))
    let changed = try layout.setItemHeight(2, at: ElementPath(item: 1))
    #expect(layout.drawing == "AAA....\n....BBB\n....BBB\nCCC....")
    #expect(changed == Rect(x: 0, y: 1, width: 7, height: 3))
  }
}
