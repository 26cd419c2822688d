import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct QueryTests {
  @Test func `a query finds exactly the elements that touch the rect, in order`() {
    var generator = SeededGenerator(seed: 6)
    for number in 0..<10_000 {
      let most = number % 100 == 0 ? 300 : 10
      let layout = anyLayout(number: number, most: most, using: &generator)
      let size = layout.contentSize
      let rect = Rect(
        x: Int.random(in: -5...size.width + 5, using: &generator),
        y: Int.random(in: -5...size.height + 5, using: &generator),
        width: Int.random(in: 0...70, using: &generator), height: Int.random(in: 0...60, using: &generator))
      let found = layout.layoutAttributes(in: rect)
      guard found == layout.elementsByExhaustion(in: rect) else {
        Issue.record("layout \(number): \(found) in \(rect) of\n\(layout.drawing)")
        return
      }
    }
  }

  @Test func `a query in the middle of a giant item finds it and all items beside it`() {
    let heights = [100_000] + [Int](repeating: 3, count: 60_000)
    let layout = WaterfallLayout(width: 40).adding(heights, .cells(.count(4)))
    let rect = Rect(x: 0, y: 50_000, width: 40, height: 20)
    let found = layout.layoutAttributes(in: rect)
    #expect(found.first?.path.item == 0)
    #expect(found.count == 1 + 3 * 5)
    #expect(found.allSatisfy { $0.frame.intersects(rect) })
  }
}
