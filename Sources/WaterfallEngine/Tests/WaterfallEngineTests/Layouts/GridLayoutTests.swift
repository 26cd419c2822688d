import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct GridLayoutTests {
  @Test func `grids are equal regardless of the order in which items came`() throws {
    let items = [ItemSize(height: 1, span: .full), ItemSize(height: 1, width: 5)]
    let whole = RowGridLayout(width: 8).adding(items: items, .cells(.count(3)))
    let appended = RowGridLayout(width: 8).adding(items: [items[0]], .cells(.count(3))).changed {
      layout throws(LayoutError) in
      try layout.append([items[1]], toSection: 0)
    }
    #expect(whole == appended)
    #expect(whole.itemSize(at: ElementPath(item: 0)) == ItemSize(height: 1))
  }

  @Test func `a removal of the last own width frees the memory of the widths`() {
    let plain = [ItemSize](repeating: ItemSize(height: 1), count: 4000)
    let wide = ItemSize(height: 1, width: 5)
    var layout = RowGridLayout(width: 80).adding(items: plain + [wide, wide], .cells(.count(3)))
    layout.remove(items: 4000..<4001, fromSection: 0)
    #expect(layout.storedByteCount > 4000 * 60)
    layout.remove(items: 4000..<4001, fromSection: 0)
    #expect(layout.storedByteCount < 4000 * 30)
  }
}
