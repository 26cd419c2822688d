import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct AnchorTests {
  @Test func `the first visible anchor starts in the viewport, or else reaches into it`() {
    let layout = WaterfallLayout(width: 5).adding([90, 3, 3, 3], .cells(.count(2)))
    for (offset, length, item, row) in [(2, 5, 2, 2), (4, 20, 2, 0), (20, 5, 0, -20)] {
      let anchor = layout.firstVisibleAnchor(contentOffset: offset, viewportLength: length)
      #expect(anchor == ScrollAnchor(path: ElementPath(item: item), screenRow: row))
    }
  }

  @Test func `every visible anchor keeps the offset, in reading order and in every direction`() {
    var generator = SeededGenerator(seed: 13)
    for number in 0..<600 {
      let layout = anyLayout(number: number, most: 40, using: &generator)
      let length = Int.random(in: 1...30, using: &generator)
      let offset = layout.clampedContentOffset(Int.random(in: 0...90, using: &generator), viewportLength: length)
      let anchors = layout.visibleAnchors(contentOffset: offset, viewportLength: length)
      let visible = layout.layoutAttributes(inViewport: layout.viewport(at: offset, length: length))
        .filter { $0.kind == .item }
      #expect(Set(anchors.map(\.path)) == Set(visible.map(\.path)))
      let places = anchors.map { layout.layoutFrame($0.path).origin }
      #expect(zip(places, places.dropFirst()).allSatisfy { ($0.y, $0.x) <= ($1.y, $1.x) })
      #expect(zip(anchors, places).allSatisfy { $0.screenRow == $1.y - offset })
      for anchor in anchors {
        #expect(layout.contentOffset(keeping: anchor, viewportLength: length) == offset)
      }
    }
  }

  @Test func `the first of any anchors that survives keeps its row, and the offset stays if none does`() throws {
    var generator = SeededGenerator(seed: 16)
    for number in 0..<600 {
      var layout = anyLayout(number: number, most: 40, using: &generator)
      let length = Int.random(in: 1...30, using: &generator)
      let offset = layout.clampedContentOffset(Int.random(in: 0...90, using: &generator), viewportLength: length)
      let anchors = layout.visibleAnchors(contentOffset: offset, viewportLength: length)
      let old = (0..<layout.sectionCount).map { section in
        (id: section, items: (0..<layout.itemCount(inSection: section)).map { [section, $0] })
      }
      var new = old.filter { _ in !generator.chance(1, in: 6) }
      for place in new.indices { new[place].items.removeAll { _ in generator.chance(1, in: 2) } }
      let changes = try BatchChanges(from: old, to: new)
      try layout.apply(changes, metrics: { _ in .cells(.count(1)) }, size: { _ in ItemSize(height: 1) })
      let kept = layout.contentOffset(
        keepingFirstOf: anchors, currentOffset: offset, viewportLength: length, newPath: changes.newPath)
      #expect(kept == layout.clampedContentOffset(kept, viewportLength: length))
      guard let survivor = anchors.first(where: { changes.newPath(of: $0.path) != nil }),
        let path = changes.newPath(of: survivor.path)
      else {
        #expect(kept == layout.clampedContentOffset(offset, viewportLength: length))
        continue
      }
      let row = layout.anchor(at: path, contentOffset: kept).screenRow
      let last = max(0, layout.contentLength - length)
      #expect(row == survivor.screenRow || kept == 0 || kept == last)
    }
  }

  @Test func `a path that the layout lacks counts as removed`() {
    let layout = ListLayout(width: 5).adding([Int](repeating: 4, count: 9), .cells(.count(1), line: 0))
    let anchors = [ScrollAnchor(path: ElementPath(item: 1), screenRow: 0)]
    let offset = layout.contentOffset(keepingFirstOf: anchors, currentOffset: 900, viewportLength: 8) { _ in
      ElementPath(section: 4, item: 99)
    }
    #expect(offset == 36 - 8)
  }

  @Test func `a path behind the last item counts as the last item`() {
    let layout = ListLayout(width: 5).adding([Int](repeating: 4, count: 9), .cells(.count(1), line: 0))
    let gone = ScrollAnchor(path: ElementPath(section: 2, item: 5), screenRow: 3)
    #expect(layout.contentOffset(keeping: gone, viewportLength: 8) == 36 - 8)
    let beyond = ScrollAnchor(path: ElementPath(item: 99), screenRow: 6)
    #expect(layout.contentOffset(keeping: beyond, viewportLength: 8) == 32 - 6)
  }
}
