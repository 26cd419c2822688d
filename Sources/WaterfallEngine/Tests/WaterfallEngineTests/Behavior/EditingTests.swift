import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct EditingTests {
  @Test func `an item that no longer fits behind its column moves to the left`() throws {
    var layout = WaterfallLayout(width: 8).adding([1, 3, 2], .cells(.count(3)))
    try layout.setItemSize(ItemSize(height: 1, span: .columns(2)), at: ElementPath(item: 2))
    #expect(
      layout.drawing == """
        AA.BB...
        ...BB...
        ...BB...
        ........
        ...CCCCC
        """)
  }

  @Test func `a size can change in every layout, and an invalid one changes nothing`() throws {
    var generator = SeededGenerator(seed: 47)
    for number in 0..<900 {
      var layout = anyLayout(number: number, most: 40, using: &generator)
      guard let path = layout.allPaths.randomElement(using: &generator) else { continue }
      let before = layout
      let size = ItemSize.random(using: &generator)
      try layout.setItemSize(size, at: path)
      let now = layout.itemSize(at: path)
      #expect(now.height == size.height && now.isEstimate == size.isEstimate)
      if layout is WaterfallLayout { #expect(now.span == size.span) }
      if layout is RowGridLayout { #expect(now.width == size.width) }
      #expect(layout.invariantViolations() == [])
      #expect(EngineOracle.mismatch(in: layout) == nil)
      let isStrict = [.leftToRight, .rightToLeft].contains(layout.metrics(ofSection: path.section).order)
      if layout is WaterfallLayout, !isStrict {
        for other in layout.allPaths where other != path {
          #expect(before.layoutFrame(other).minX == layout.layoutFrame(other).minX)
        }
      }
      let elements = layout.allElements
      #expect(throws: LayoutError.itemHeight(-1, position: 0)) {
        try layout.setItemSize(ItemSize(height: -1), at: path)
      }
      #expect(layout.allElements == elements)
    }
  }

  @Test(arguments: [1, 3, 4, 9]) func `removals anywhere in a long section leave every column without a gap`(
    columns: Int
  ) {
    var generator = SeededGenerator(seed: 48)
    for line in [0, 1] {
      var layout = WaterfallLayout(width: 60)
        .adding(randomHeights(700, using: &generator), .cells(.count(columns), line: line))
      while layout.itemCount(inSection: 0) > 0 {
        let count = layout.itemCount(inSection: 0)
        let first = [0, count / 2, max(0, count - 5)].randomElement(using: &generator) ?? 0
        layout.remove(items: first..<min(count, first + Int.random(in: 1...60, using: &generator)), fromSection: 0)
        var ends: [Int: Int] = [:]
        for path in layout.allPaths {
          let frame = layout.frame(ofItem: path)
          guard frame.minY == ends[frame.minX, default: 0] else {
            Issue.record("\(path) of \(layout.itemCount(inSection: 0)) lies at \(frame)")
            return
          }
          ends[frame.minX] = frame.maxY + line
        }
        let found = layout.layoutAttributes(in: Rect(origin: .zero, size: layout.contentSize))
        #expect(found.count == layout.allPaths.count { layout.frame(ofItem: $0).height > 0 })
        #expect(layout.contentLength == max(0, (ends.values.max() ?? 0) - line))
      }
    }
  }

  @Test func `inserting and removing preserve a strict order`() throws {
    for order in [ItemOrder.leftToRight, .rightToLeft] {
      var generator = SeededGenerator(seed: 40)
      let metrics = SectionMetrics.cells(.count(3)).with(\.order, order)
      var layout = WaterfallLayout(width: 20).adding(randomHeights(100, using: &generator), metrics)
      try layout.insert(itemHeights: [3, 4], at: ElementPath(item: 40))
      layout.remove(items: 10..<14, fromSection: 0)
      var packed = layout
      packed.repack(from: ElementPath(item: 0))
      #expect(packed == layout)
    }
  }

  @Test func `inserted items lie where they would lie if no item followed`() throws {
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<300 {
      let empty = WaterfallLayout(width: Int.random(in: 5...60, using: &generator))
      let metrics = SectionMetrics.anyOrder(using: &generator)
      let heights = randomHeights(Int.random(in: 0...200, using: &generator), using: &generator)
      let added = randomHeights(3, using: &generator)
      let index = Int.random(in: 0...heights.count, using: &generator)
      var layout = empty.adding(heights, metrics)
      try layout.insert(itemHeights: added, at: ElementPath(item: index))
      let expected = empty.adding(heights.prefix(index) + added, metrics).frames()
      #expect(Array(layout.frames().prefix(expected.count)) == expected)
    }
  }

  @Test func `repacking gives the same layout as a fresh one`() throws {
    var generator = SeededGenerator(seed: 41)
    for number in 0..<300 {
      var layout = anyLayout(number: number, most: 40, using: &generator)
      for _ in 0..<9 { try layout.edit(using: &generator) }
      var fresh = type(of: layout).init(breadth: layout.breadth, orientation: layout.orientation)
      try fresh.setGlobalHeader(layout.globalHeader)
      for section in 0..<layout.sectionCount {
        layout.repack(from: ElementPath(section: section, item: 0))
        try fresh.appendSection(layout.metrics(ofSection: section))
        let sizes = (0..<layout.itemCount(inSection: section)).map {
          layout.itemSize(at: ElementPath(section: section, item: $0))
        }
        try fresh.append(sizes, toSection: section)
      }
      #expect(layout.allElements == fresh.allElements)
      #expect(layout.contentSize == fresh.contentSize)
    }
  }

  @Test func `the invariants hold after any changes`() throws {
    var generator = SeededGenerator(seed: 43)
    for number in 0..<400 {
      var layout = anyLayout(number: number, most: 40, using: &generator)
      for _ in 0..<12 {
        try layout.edit(using: &generator)
        let violations = layout.invariantViolations()
        #expect(violations == [])
        guard violations.isEmpty else { return }
      }
    }
  }

  @Test func `items without spans have no gaps after any changes`() throws {
    var generator = SeededGenerator(seed: 44)
    for _ in 0..<300 {
      var layout: any CollectionLayout = randomLayout(
        WaterfallLayout(width: 40), most: 60, order: true, using: &generator)
      for _ in 0..<9 { try layout.edit(spans: false, using: &generator) }
      for section in 0..<layout.sectionCount {
        let (top, spacing) = (layout.itemsTop(ofSection: section), layout.metrics(ofSection: section).lineSpacing)
        var ends: [Int: Int] = [:]
        for item in 0..<layout.itemCount(inSection: section) {
          let frame = layout.frame(item, section: section)
          #expect(frame.minY == ends[frame.minX] ?? top)
          ends[frame.minX] = frame.maxY + spacing
        }
      }
    }
  }

  @Test func `sections are inserted and removed`() throws {
    var layout = WaterfallLayout(width: 2).adding([1], .cells(.count(1)))
    try layout.insertSection(.cells(.count(1), header: 1), at: 0)
    try layout.append(itemHeights: [2], toSection: 0)
    #expect(layout.drawing == "==\nAA\nAA\nAA")
    layout.removeSection(at: 0)
    #expect(layout.drawing == "AA")
  }

  @Test func `a growing footer moves the sections below`() throws {
    var layout = WaterfallLayout(width: 2).adding([1], .cells(.count(1))).adding([1], .cells(.count(1)))
    try layout.setFooterHeight(2, ofSection: 0)
    #expect(layout.drawing == "AA\n--\n--\nAA")
  }

  @Test func `another rule for the same columns moves no item`() throws {
    for rule in [ColumnRule.minimumWidth(2), .weights([1, 1, 1])] {
      var layout = WaterfallLayout(width: 8).adding([1, 3, 2, 1, 1], .cells(.count(3)))
      try layout.setItemHeight(4, at: ElementPath(item: 0))
      let before = layout.allElements
      try layout.setMetrics(.cells(rule), ofSection: 0)
      #expect(layout.allElements == before)
      #expect(layout.metrics(ofSection: 0).columns == rule)
    }
  }

  @Test func `appending items in pages gives the same layout as appending all at once`() throws {
    var generator = SeededGenerator(seed: 4)
    for columns in [1, 3, 6, 20] {
      let heights = randomHeights(3000, using: &generator)
      let whole = WaterfallLayout(width: 200).adding(heights, .cells(.count(columns)))
      var pages = WaterfallLayout(width: 200).adding([], .cells(.count(columns)))
      var rest = heights[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...99, using: &generator)
        try pages.append(itemHeights: Array(rest.prefix(count)), toSection: 0)
        rest = rest.dropFirst(count)
      }
      #expect(whole.allElements == pages.allElements)
      #expect(whole.contentSize == pages.contentSize)
    }
  }
}
