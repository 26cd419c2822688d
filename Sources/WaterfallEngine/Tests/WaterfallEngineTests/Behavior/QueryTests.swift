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

  @Test func `a rect that touches only gaps finds nothing`() {
    let layout = WaterfallLayout(width: 5).adding([1, 1, 1], .cells(.count(2)))
    #expect(layout.layoutAttributes(in: Rect(x: 0, y: 1, width: 5, height: 1)).isEmpty)
    #expect(layout.layoutAttributes(in: Rect(x: 2, y: 0, width: 1, height: 9)).isEmpty)
  }

  @Test func `an empty rect finds nothing`() {
    let layout = WaterfallLayout(width: 5).adding([9], .cells(.count(1)))
    #expect(layout.layoutAttributes(in: Rect(x: 1, y: 1, width: 0, height: 3)).isEmpty)
  }

  @Test func `elements are ordered by section: header, items by number, footer`() {
    let metrics = SectionMetrics.cells(.count(3), header: 1, footer: 1)
    let layout = WaterfallLayout(width: 9).adding([5, 1, 1, 1, 1], metrics).adding([1, 1], metrics)
    let found = layout.layoutAttributes(in: Rect(x: 0, y: 0, width: 9, height: 99))
    #expect(
      found.map(\.kind) == [
        .header, .item, .item, .item, .item, .item, .footer, .header, .item, .item, .footer,
      ])
    #expect(found.filter { $0.kind == .item }.map(\.path) == layout.allPaths)
  }

  @Test func `a rect between two columns touches only the items that span both`() {
    let plain = (0..<100).map { _ in ItemSize(height: 3) }
    let wide = ItemSize(height: 2, span: .columns(2))
    let layout = WaterfallLayout(width: 8)
      .adding(items: [wide] + plain + [wide] + plain, .cells(.count(3)).with(\.spanPacking, .inOrder))
    let found = layout.layoutAttributes(in: Rect(x: 2, y: 0, width: 1, height: layout.contentSize.height))
    #expect(found.map(\.path.item) == [0, 101])
  }
}
