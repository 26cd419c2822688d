import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct DecorationTests {
  @Test func `a background lies behind the section, separators lie between items`() {
    let metrics = SectionMetrics.cells(.count(2), line: 1, header: 1)
      .with(\.hasBackground, true).with(\.separatorHeight, 1)
    let layout = WaterfallLayout(width: 5).adding([1, 2, 2], metrics)
    #expect(
      layout.drawing == """
        =====
        AA+BB
        ~~+BB
        CC+~~
        CC+++
        """)
  }

  @Test func `the lowest item has no separator`() {
    let layout = ListLayout(width: 2)
      .adding([1, 1], .cells(.count(1), line: 3).with(\.separatorHeight, 1))
    #expect(layout.drawing == "AA\n..\n~~\n..\nBB")
    #expect(layout.layoutAttributes(of: .separator, at: ElementPath(item: 1)) == nil)
  }

  @Test func `decorations lie under what is data`() {
    let path = ElementPath(item: 0)
    let kinds: [ElementKind] = [.background, .separator, .item]
    let order = kinds.map { LayoutAttributes(kind: $0, path: path, frame: .zero).zIndex }
    #expect(order == order.sorted() && Set(order).count == 3)
  }
}

@Suite(.hangLimit) struct StickyHeaderTests {
  let layout = WaterfallLayout(width: 3)
    .adding([2, 2], .cells(.count(1), header: 1, footer: 1).with(\.isHeaderSticky, true))
    .adding([2], .cells(.count(1), header: 1))

  private func seen(_ layout: some Layout, at offset: Int, length: Int = 3) -> String {
    let viewport = layout.viewport(at: offset, length: length)
    let elements = layout.layoutAttributes(inViewport: viewport).sorted { $0.zIndex < $1.zIndex }.map { element in
      var element = element
      element.frame = element.frame.offsetBy(x: -viewport.minX, y: -viewport.minY)
      return element
    }
    return drawing(of: elements, size: viewport.size)
  }

  @Test func `a sticky header stays at the top while its section is in view`() {
    #expect(seen(layout, at: 0) == "===\nAAA\nAAA")
    #expect(seen(layout, at: 2) == "===\n...\nBBB")
  }

  @Test func `the end of its section pushes it out`() {
    #expect(seen(layout, at: 5) == "===\n---\n===")
    #expect(seen(layout, at: 6) == "---\n===\nAAA")
  }

  @Test func `a header that is pushed out as far as it began is not pinned`() {
    let empty = WaterfallLayout(width: 3).adding([], .cells(.count(1), header: 2).with(\.isHeaderSticky, true))
    let seen = empty.layoutAttributes(inViewport: empty.viewport(at: 1, length: 3))
    #expect(seen.map(\.isPinned) == [false])
  }

  @Test func `a header that is not sticky goes`() {
    #expect(seen(layout, at: 8, length: 2) == "AAA\nAAA")
  }

  @Test func `a header stays at the start, however the layout is turned`() {
    for orientation in Orientation.all {
      let metrics = SectionMetrics.cells(.count(1), header: 1).with(\.isHeaderSticky, true)
      let layout = WaterfallLayout(breadth: 1, orientation: orientation).adding([2, 2], metrics)
      let viewport = layout.viewport(at: 2, length: 3)
      let header = layout.layoutAttributes(inViewport: viewport)[0]
      #expect(header.kind == .header && header.isPinned && header.zIndex == 2)
      switch (orientation.axis, orientation.isMirrored) {
      case (.vertical, _): #expect(header.frame.minY == viewport.minY)
      case (.horizontal, false): #expect(header.frame.minX == viewport.minX)
      case (.horizontal, true): #expect(header.frame.maxX == viewport.maxX)
      }
    }
  }

  @Test func `an item that is shown is not under the header`() {
    let path = ElementPath(item: 0)
    #expect(layout.contentOffset(toShow: path, currentOffset: 3, viewportLength: 3, aligned: .nearest) == 0)
    let second = ElementPath(item: 1)
    #expect(layout.contentOffset(toShow: second, currentOffset: 5, viewportLength: 3, aligned: .top) == 3)
    #expect(layout.contentOffset(toShow: second, currentOffset: 0, viewportLength: 1, aligned: .nearest) == 4)
  }

  @Test func `a viewport shows what touches it, with its header pinned`() {
    var generator = SeededGenerator(seed: 70)
    for number in 0..<2000 {
      let layout = anyLayout(number: number, most: 20, using: &generator)
      let offset = Int.random(in: 0...max(0, layout.contentLength), using: &generator)
      let viewport = layout.viewport(at: offset, length: Int.random(in: 1...30, using: &generator))
      let seen = layout.layoutAttributes(inViewport: viewport)
      #expect(
        seen.filter { !$0.isPinned && $0.kind != .header }
          == layout.elementsByExhaustion(in: viewport).filter { $0.kind != .header })
      let pinned = seen.filter(\.isPinned)
      #expect(pinned.count <= 1)
      for header in pinned {
        let section = layout.frame(ofSection: header.path.section)
        #expect(section.intersection(header.frame) == header.frame)
        #expect(header.frame.intersects(viewport))
      }
    }
  }
}

@Suite(.hangLimit) struct OrientationTests {
  private func drawing(_ orientation: Orientation) -> String {
    WaterfallLayout(breadth: 5, orientation: orientation)
      .adding([1, 2, 1], .cells(.count(2), header: 1)).drawing
  }

  @Test func `a mirrored layout begins at the right`() {
    #expect(drawing(.vertical) == "=====\nAA.BB\n...BB\nCC...")
    #expect(drawing(Orientation(.vertical, isMirrored: true)) == "=====\nBB.AA\nBB...\n...CC")
  }

  @Test func `a horizontal layout scrolls sideways, and columns lie on their sides`() {
    #expect(drawing(.horizontal) == "=A.C\n=A.C\n=...\n=BB.\n=BB.")
    #expect(drawing(Orientation(.horizontal, isMirrored: true)) == "C.A=\nC.A=\n...=\n.BB=\n.BB=")
  }

  @Test func `moves go where the screen shows`() {
    var generator = SeededGenerator(seed: 71)
    for number in 0..<900 {
      let layout = anyLayout(number: number, most: 20, using: &generator)
      guard let path = layout.allPaths.randomElement(using: &generator) else { continue }
      let frame = layout.layoutAttributesForItem(at: path).frame
      guard !frame.isEmpty else { continue }
      for direction in Direction.allCases {
        var goal: NavigationGoal?
        guard let next = layout.neighbor(of: path, toward: direction, goal: &goal) else { continue }
        let other = layout.layoutAttributesForItem(at: next).frame
        switch direction {
        case .left: #expect(other.minX < frame.minX || other.maxX < frame.maxX || other.width == 0)
        case .right: #expect(other.maxX > frame.maxX || other.minX > frame.minX || other.width == 0)
        case .up: #expect(other.minY < frame.minY || other.height == 0)
        case .down: #expect(other.maxY > frame.maxY || other.minY > frame.minY || other.height == 0)
        }
      }
    }
  }

  @Test func `an anchor keeps its place whichever way the layout scrolls`() throws {
    var generator = SeededGenerator(seed: 72)
    for orientation in Orientation.all {
      let heights = (0..<200).map { _ in Int.random(in: 4...20, using: &generator) }
      var layout = WaterfallLayout(breadth: 80, orientation: orientation).adding(heights, .cells(.count(4)))
      let anchor = try #require(layout.firstVisibleAnchor(contentOffset: 200, viewportLength: 60))
      let before = layout.layoutAttributesForItem(at: anchor.path).frame
      let place = before.origin.x - layout.viewport(at: 200, length: 60).minX
      try layout.insert([ItemSize(height: 9, span: .full)], at: ElementPath(item: 2))
      var moved = anchor
      moved.path.item += 1
      let offset = layout.contentOffset(keeping: moved, viewportLength: 60)
      #expect(layout.anchor(at: moved.path, contentOffset: offset) == moved)
      let after = layout.layoutAttributesForItem(at: moved.path).frame
      #expect(after.origin.x - layout.viewport(at: offset, length: 60).minX == place)
    }
  }
}

@Suite(.hangLimit) struct GridTests {
  @Test func `items with widths of their own follow each other as long as they fit`() {
    let widths: [Int?] = [2, 3, 5, nil, 9]
    let items = widths.enumerated().map { ItemSize(height: $0 + 1, width: $1) }
    let layout = GridLayout(width: 7).adding(items: Array(items.prefix(3)), .cells(.count(2)))
    #expect(layout.drawing == "AA.BBB.\n...BBB.\n.......\nCCCCC..\nCCCCC..\nCCCCC..")
    let whole = GridLayout(width: 7).adding(items: items, .cells(.count(2), line: 0))
    #expect(whole.frame(3) == Rect(x: 0, y: 5, width: 3, height: 4))
    #expect(whole.frame(4) == Rect(x: 0, y: 9, width: 7, height: 5))
  }

  @Test func `another height in a row moves the rows below`() throws {
    var layout = GridLayout(width: 5).adding([1, 1, 1], .cells(.count(2), line: 0))
    try layout.setItemHeight(2, at: ElementPath(item: 1))
    #expect(layout.drawing == "AA.BB\n...BB\nCC...")
  }
}

@Suite(.hangLimit) struct SelfSizingTests {
  @Test func `estimates are known as such until they are measured`() throws {
    var layout = ListLayout(width: 4)
      .adding(items: (0..<9).map { _ in ItemSize(height: 5, isEstimate: true) }, .cells(.count(1), line: 0))
    let viewport = layout.viewport(at: 10, length: 10)
    #expect(layout.estimatedItems(in: viewport).map(\.item) == [2, 3])
    try layout.setItemHeights([2, 3], from: ElementPath(item: 2), areEstimates: false)
    #expect(layout.estimatedItems(in: viewport).map(\.item) == [4])
    #expect(layout.frame(4).minY == 15)
  }
}
