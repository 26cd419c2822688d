import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct SelfSizingTests {
  @Test func `heights are estimates until they are measured`() throws {
    var layout = ListLayout(width: 4)
      .adding(items: (0..<9).map { _ in ItemSize(height: 5, isEstimate: true) }, .cells(.count(1), line: 0))
    let viewport = layout.viewport(at: 10, length: 10)
    #expect(layout.estimatedItems(in: viewport).map(\.item) == [2, 3])
    try layout.setItemHeights([2, 3], from: ElementPath(item: 2), areEstimates: false)
    #expect(layout.estimatedItems(in: viewport).map(\.item) == [4])
    #expect(layout.frame(4).minY == 15)
  }
}
