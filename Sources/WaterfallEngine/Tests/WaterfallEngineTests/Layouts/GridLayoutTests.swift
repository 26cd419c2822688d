import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct GridLayoutTests {
  @Test func `items with their own widths share a row as long as they fit`() {
    let widths: [Int?] = [2, 3, 5, nil, 9]
    let items = widths.enumerated().map { ItemSize(height: $0 + 1, width: $1) }
    let layout = RowGridLayout(width: 7).adding(items: Array(items.prefix(3)), .cells(.count(2)))
    #expect(layout.drawing == "AA.BBB.\n...BBB.\n.......\nCCCCC..\nCCCCC..\nCCCCC..")
    let whole = RowGridLayout(width: 7).adding(items: items, .cells(.count(2), line: 0))
    #expect(whole.frame(3) == Rect(x: 0, y: 5, width: 3, height: 4))
    #expect(whole.frame(4) == Rect(x: 0, y: 9, width: 7, height: 5))
  }

  @Test func `an appended item with its own width moves no other item`() throws {
    let layout = RowGridLayout(width: 8).adding([1, 1, 1, 1], .cells(.count(3), spacing: 0))
    let wider = layout.changed { layout throws(LayoutError) in
      try layout.append([ItemSize(height: 1, width: 5)], toSection: 0)
    }
    #expect(wider.drawing == "AAABBBCC\n........\nDDDEEEEE")
    #expect((0..<4).map { wider.frame($0) } == (0..<4).map { layout.frame($0) })
  }

  @Test func `a changed height in a row moves the rows below`() throws {
    var layout = RowGridLayout(width: 5).adding([1, 1, 1], .cells(.count(2), line: 0))
    try layout.setItemHeight(2, at: ElementPath(item: 1))
    #expect(layout.drawing == "AA.BB\n...BB\nCC...")
  }

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
