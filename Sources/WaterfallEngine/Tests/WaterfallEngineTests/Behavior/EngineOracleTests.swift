import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct EngineOracleTests {
  @Test func `layouts of any kind agree with an implementation of their documentation`() {
    var generator = SeededGenerator(seed: 73)
    for number in 0..<3000 {
      let layout = anyLayout(number: number, most: number % 50 == 0 ? 200 : 30, using: &generator)
      guard let mismatch = EngineOracle.mismatch(in: layout) else { continue }
      Issue.record("layout \(number) \(type(of: layout)): \(mismatch)\n\(layout.drawing)")
      return
    }
  }

  @Test func `sticky elements lie where the documentation says, at every offset`() {
    var generator = SeededGenerator(seed: 74)
    for number in 0..<2000 {
      let layout = anyLayout(number: number, most: 20, using: &generator)
      let offset = Int.random(in: -3...layout.contentLength + 3, using: &generator)
      let length = Int.random(in: 1...30, using: &generator)
      guard let mismatch = EngineOracle.stickyMismatch(in: layout, at: offset, length: length) else { continue }
      Issue.record("layout \(number) \(type(of: layout)) at \(offset), \(length) units: \(mismatch)\n\(layout.drawing)")
      return
    }
  }

  @Test(arguments: 1...18) func `columns of any number agree with the documentation up to the highest items`(
    columns: Int
  ) {
    var generator = SeededGenerator(seed: 75)
    for limit in [3, 50, LayoutLimits.length] {
      let items = (0..<500).map { _ in
        let isWide = generator.chance(1, in: 15)
        return ItemSize(
          height: Int.random(in: 0...limit, using: &generator), span: isWide ? .columns(2 + columns / 3) : .columns(1))
      }
      for items in [items, items.map { ItemSize(height: $0.height) }] {
        var metrics = SectionMetrics.cells(.count(columns))
        metrics.spanPacking = .inOrder
        let layout = WaterfallLayout(width: 40).adding(items: items, metrics)
        #expect(EngineOracle.mismatch(in: layout) == nil, "items up to \(limit) high")
      }
    }
  }
}
