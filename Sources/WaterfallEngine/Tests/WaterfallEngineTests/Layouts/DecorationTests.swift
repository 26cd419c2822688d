import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct DecorationTests {
  @Test func `the lowest item has no separator`() {
    let layout = ListLayout(width: 2)
      .adding([1, 1], .cells(.count(1), line: 3).with(\.separatorHeight, 1))
    #expect(layout.drawing == "AA\n..\n~~\n..\nBB")
    #expect(layout.layoutAttributes(of: .separator, at: ElementPath(item: 1)) == nil)
  }

  @Test func `decorations lie under items`() {
    let path = ElementPath(item: 0)
    let kinds: [ElementKind] = [.background, .separator, .item]
    let order = kinds.map { LayoutAttributes(kind: $0, path: path, frame: .zero).zIndex }
    #expect(order == order.sorted() && Set(order).count == 3)
  }
}
