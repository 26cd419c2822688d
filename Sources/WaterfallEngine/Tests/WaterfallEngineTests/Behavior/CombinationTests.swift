import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

/// Combines features of the engine.
@Suite(.hangLimit) struct CombinationTests {
  /// Wide items, estimates, a sticky header, separators and a background, in any orientation.
  private func layout(
    _ orientation: Orientation, _ packing: SpanPacking, using generator: inout SeededGenerator
  ) -> WaterfallLayout {
    var metrics = SectionMetrics.cells(.weights([2, 3, 2, 3]), header: 2, footer: 1)
      .with(\.isHeaderSticky, true).with(\.hasBackground, true).with(\.separatorHeight, 1)
    metrics.spanPacking = packing
    let items = (0..<120).map { _ in
      var item = ItemSize.mixed(using: &generator)
      item.isEstimate = true
      return item
    }
    return WaterfallLayout(breadth: 83, orientation: orientation)
      .adding(items: items, metrics).adding(items: items, metrics.with(\.order, .tolerance(4)))
  }

  @Test(arguments: Orientation.all)
  func `visible items stay while estimates become exact and items are inserted above`(orientation: Orientation) throws {
    var generator = SeededGenerator(seed: 90)
    let packings = [SpanPacking.inOrder, .reordering(within: 9), .dense]
    for (packing, quarter) in zip(packings + packings, [1, 1, 1, 3, 3, 3]) {
      var layout = layout(orientation, packing, using: &generator)
      var offset = layout.contentLength * quarter / 4
      for _ in 0..<12 {
        var anchor = try #require(layout.firstVisibleAnchor(contentOffset: offset, viewportLength: 60))
        let seen = layout.layoutAttributes(inViewport: layout.viewport(at: offset, length: 60))
        let columns = seen.filter { $0.kind == .item }.map { ($0.path, layout.layoutFrame($0.path).minX) }
        // Measures the visible items, inserts a page above and removes one item there.
        for path in layout.estimatedItems(in: layout.viewport(at: offset, length: 60)).prefix(3) {
          try layout.setItemHeight(Int.random(in: 4...20, using: &generator), at: path)
        }
        let inserted = (0..<5).map { _ in ItemSize.mixed(using: &generator) }
        try layout.insert(inserted, at: ElementPath(item: 3))
        layout.remove(items: 1..<2, fromSection: 0)
        func moved(_ path: ElementPath) -> ElementPath {
          path.section == 0 ? ElementPath(item: path.item + 4) : path
        }
        for (path, column) in columns where path.section > 0 || path.item > 3 {
          #expect(layout.layoutFrame(moved(path)).minX == column)
        }
        anchor.path = moved(anchor.path)
        offset = layout.contentOffset(keeping: anchor, viewportLength: 60)
        #expect(layout.anchor(at: anchor.path, contentOffset: offset) == anchor)
        #expect(layout.invariantViolations() == [])
        let header = layout.layoutAttributes(inViewport: layout.viewport(at: offset, length: 60)).first { $0.isPinned }
        #expect(header != nil)
      }
    }
  }
}
