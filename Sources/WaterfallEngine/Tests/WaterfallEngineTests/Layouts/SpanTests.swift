import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct SpanTests {
  private func item(_ height: Int, _ span: ItemSize.Span = .columns(1)) -> ItemSize {
    ItemSize(height: height, span: span)
  }

  private func drawing(_ packing: SpanPacking, _ items: [ItemSize], _ order: ItemOrder = .shortest) -> String {
    let metrics = SectionMetrics.cells(.count(3), line: 0).with(\.spanPacking, packing).with(\.order, order)
    return WaterfallLayout(width: 8).adding(items: items, metrics).drawing
  }

  @Test func `items that fill a hole go first within their reach`() {
    let items = [item(2), item(1, .full), item(2), item(2), item(1)]
    #expect(drawing(.inOrder, items) == "AA......\nAA......\nBBBBBBBB\nCC.DD.EE\nCC.DD...")
    #expect(drawing(.reordering(within: 9), items) == "AA.CC.DD\nAA.CC.DD\nBBBBBBBB\nEE......")
    #expect(drawing(.reordering(within: 1), items) == "AA.CC...\nAA.CC...\nBBBBBBBB\nDD.EE...\nDD......")
  }

  @Test func `dense packing fills a hole with any later item that fits`() {
    let items = [item(2), item(1, .full)] + [Int](repeating: 3, count: 9).map { item($0) } + [item(1), item(2)]
    let rows = drawing(.dense, items).split(separator: "\n")
    #expect(rows.prefix(4) == ["AA.LL.MM", "AA....MM", "BBBBBBBB", "CC.DD.EE"])
    #expect(drawing(.reordering(within: 9), items).hasPrefix("AA......\nAA......\nBBBBBBBB\n"))
  }

  @Test func `reordering moves no item beyond its reach`() {
    var generator = SeededGenerator(seed: 60)
    for reach in [0, 1, 4, 9] {
      let items = (0..<400).map { _ in ItemSize.mixed(using: &generator) }
      let metrics = SectionMetrics.cells(.count(4)).with(\.spanPacking, .reordering(within: reach))
      let layout = WaterfallLayout(width: 83).adding(items: items, metrics)
      // The items above in a column were placed before: an order within reach must explain all places.
      for (number, path) in layout.allPaths.enumerated() {
        let frame = layout.frame(ofItem: path)
        for other in layout.allPaths.dropFirst(number + 2 * reach + 1) {
          let later = layout.frame(ofItem: other)
          let sharesColumn = later.minX < frame.maxX && frame.minX < later.maxX
          #expect(!sharesColumn || later.minY > frame.minY)
        }
      }
    }
  }
}

extension ItemSize {
  /// 5 % over two columns, 2 % over all.
  static func mixed(using generator: inout SeededGenerator) -> ItemSize {
    let kind = Int.random(in: 0..<100, using: &generator)
    let span: Span = kind < 5 ? .columns(2) : kind < 7 ? .full : .columns(1)
    return ItemSize(height: Int.random(in: 4...20, using: &generator), span: span)
  }
}
