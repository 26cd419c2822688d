import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct ArrangedLayoutTests {
  @Test func `after any changes the layout equals a fresh one`() throws {
    for orientation in Orientation.all {
      try checkChanges(of: ArrangedLayout<Steps>(breadth: 30, orientation: orientation))
      try checkChanges(of: ArrangedLayout<JustifiedRows<1, 25, 400>>(breadth: 30, orientation: orientation))
      try checkChanges(of: RowGridLayout(breadth: 30, orientation: orientation))
    }
  }

  private func checkChanges<Made: CollectionLayout & Equatable>(of empty: Made) throws {
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
        let end = generator.chance(1, in: 5) ? items.count : removed + 1
        items.removeSubrange(removed..<end)
        layout.remove(items: removed..<end, fromSection: 0)
        guard let changed = items.indices.randomElement(using: &generator) else { continue }
        items[changed] = .random(using: &generator)
        try layout.setItemSize(items[changed], at: ElementPath(item: changed))
      }
      let fresh = empty.adding(items: items, metrics)
      #expect(layout.allElements == fresh.allElements)
      #expect(layout == fresh)
      #expect(layout.contentSize == fresh.contentSize)
      #expect(layout.invariantViolations() == [])
      for path in fresh.allPaths {
        for direction in Direction.allCases {
          var (goal, freshGoal): (NavigationGoal?, NavigationGoal?) = (nil, nil)
          let next = layout.neighbor(of: path, toward: direction, goal: &goal)
          #expect(next == fresh.neighbor(of: path, toward: direction, goal: &freshGoal))
        }
      }
    }
  }
}
