import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct InvalidInputTests {
  static let empty: [any CollectionLayout] = [WaterfallLayout(width: 9), RowGridLayout(width: 9), ListLayout(width: 9)]
  static let turned: [any CollectionLayout] = [
    CarouselLayout(viewport: Size(width: 9, height: 9)),
    WaterfallLayout(breadth: 9, orientation: Orientation(.horizontal, isMirrored: true)),
    RowGridLayout(breadth: 9, orientation: Orientation(.vertical, isMirrored: true)),
  ]

  @Test(arguments: empty)
  func `an invalid height is refused and changes nothing`(layout: any CollectionLayout) throws {
    var layout = layout.adding([3, 0, 1_000_000], .cells(.count(1), line: 0))
    #expect((0..<3).map { layout.frame($0).height } == [3, 0, 1_000_000])
    let before = layout.allElements
    for height in [Int.min, -1, 1_000_001, .max] {
      let error = LayoutError.itemHeight(height, position: 1)
      #expect(throws: error) { try layout.append(itemHeights: [5, height], toSection: 0) }
      #expect(throws: error) { try layout.insert(itemHeights: [5, height], at: ElementPath(item: 0)) }
      let path = ElementPath(item: 0)
      #expect(throws: error) { try layout.setItemHeights([5, height], from: path, areEstimates: false) }
    }
    #expect(layout.allElements == before)
    #expect(
      String(describing: LayoutError.itemHeight(-1, position: 7))
        == "item 7 of the list cannot be -1 units high: a height is 0 to 1000000")
  }

  @Test(arguments: empty)
  func `invalid spans and widths are refused`(layout: any CollectionLayout) {
    var layout = layout.adding([3], .cells(.count(2)))
    let path = ElementPath(item: 1)
    for number in [Int.min, -1, 0] {
      #expect(throws: LayoutError.itemSpan(number, position: 0)) {
        try layout.insert([ItemSize(height: 1, span: .columns(number))], at: path)
      }
      #expect(throws: LayoutError.itemWidth(number, position: 0)) {
        try layout.insert([ItemSize(height: 1, width: number)], at: path)
      }
    }
    #expect(layout.itemCount(inSection: 0) == 1)
  }

  @Test(arguments: empty)
  func `an invalid number of equal items is refused`(layout: any CollectionLayout) {
    var layout = layout.adding([3], .cells(.count(2)))
    for (count, refused) in [(-1, -1), (.min, .min), (1 << 40, 1 << 40 + 1), (.max, .max)] {
      #expect(throws: LayoutError.itemCount(refused)) {
        try layout.append(count: count, heightPercentOfWidth: 50, toSection: 0)
      }
    }
    #expect(layout.itemCount(inSection: 0) == 1)
  }

  @Test(arguments: empty)
  func `invalid measures are refused by name`(layout: any CollectionLayout) {
    let names: [(String, WritableKeyPath<SectionMetrics, Int> & Sendable)] = [
      ("columnSpacing", \.columnSpacing), ("lineSpacing", \.lineSpacing), ("headerHeight", \.headerHeight),
      ("footerHeight", \.footerHeight), ("separatorHeight", \.separatorHeight), ("insets.top", \.insets.top),
      ("insets.left", \.insets.left), ("insets.bottom", \.insets.bottom), ("insets.right", \.insets.right),
    ]
    var layout = layout.adding([1], .cells(.count(1)))
    for (name, property) in names {
      for value in [Int.min, -7, 1_000_001, .max] {
        var metrics = SectionMetrics()
        metrics[keyPath: property] = value
        #expect(throws: LayoutError.measure(name: name, value: value)) { try layout.appendSection(metrics) }
        #expect(throws: LayoutError.measure(name: name, value: value)) {
          try layout.setMetrics(metrics, ofSection: 0)
        }
      }
    }
    var metrics = SectionMetrics()
    metrics.columns = .weights([1, 0])
    #expect(throws: LayoutError.columnWeight(0, column: 1)) { try layout.appendSection(metrics) }
    metrics.columns = .count(1)
    metrics.order = .tolerance(-1)
    #expect(throws: LayoutError.measure(name: "tolerance", value: -1)) { try layout.appendSection(metrics) }
    #expect(layout.sectionCount == 1)
  }

  @Test(arguments: empty + turned)
  func `extreme rects do not trap and find the elements that they touch`(layout: any CollectionLayout) {
    let layout = layout.adding([1, 2, 3], .cells(.count(2), header: 1))
    let all = Rect(x: .min, y: .min, width: .max, height: .max)
    #expect(layout.layoutAttributes(in: all).isEmpty)
    let right = Rect(x: -1, y: -1, width: .max, height: .max)
    #expect(layout.layoutAttributes(in: right).count == 4)
    let far = Rect(x: .max, y: .max, width: .max, height: .max)
    #expect(layout.layoutAttributes(in: far).isEmpty)
    let negative = Rect(x: 5, y: 5, width: .min, height: .min)
    #expect(layout.layoutAttributes(in: negative).isEmpty)
  }

  @Test(arguments: empty + turned)
  func `extreme rows and offsets do not trap`(layout: any CollectionLayout) {
    let layout = layout.adding([1, 2, 3, 4], .cells(.count(2)))
    for number in [Int.min, .max] {
      var goal: NavigationGoal? = NavigationGoal(row: number)
      _ = layout.neighbor(of: ElementPath(item: 0), toward: .right, goal: &goal)
      #expect(layout.item(nearestTo: Point(x: number, y: number)) != nil)
      _ = layout.item(pageFrom: ElementPath(item: 1), by: number)
      let anchor = layout.anchor(at: ElementPath(item: 1), contentOffset: number)
      #expect(layout.contentOffset(keeping: anchor, viewportLength: number) >= 0)
      let frame = Rect(x: number, y: number, width: number, height: number)
      for alignment in ScrollAlignment.allCases {
        let offset = layout.contentOffset(
          toShow: frame, currentOffset: number, viewportLength: number, aligned: alignment)
        #expect(offset >= 0)
      }
      _ = layout.firstVisibleAnchor(contentOffset: number, viewportLength: number)
    }
  }

  @Test(arguments: empty + turned)
  func `extreme viewports do not trap`(layout: any CollectionLayout) {
    var layout = layout.adding([1, 2, 3], .cells(.count(2), header: 1).with(\.isHeaderSticky, true))
    for number in [Int.min, -1, 0, .max] {
      layout.setViewportLength(number)
      #expect(layout.invariantViolations() == [])
      _ = layout.layoutAttributes(inViewport: layout.viewport(at: number, length: number))
      _ = layout.layoutAttributes(inViewport: Rect(x: number, y: number, width: number, height: number))
      _ = layout.layoutAttributes(inViewport: Rect(x: 0, y: 0, width: number, height: number))
      #expect(layout.targetContentOffset(forProposed: number, velocity: number, viewportLength: number) >= 0)
    }
  }

  @Test(arguments: empty + turned)
  func `the longest lengths add up exactly`(layout: any CollectionLayout) throws {
    let most = LayoutLimits.length
    let metrics = SectionMetrics.cells(
      .count(3), spacing: most, line: most, insets: Insets(all: most), header: most, footer: most)
    var layout = layout.adding([Int](repeating: most, count: 400), metrics).adding([most], metrics)
    try layout.insert([ItemSize(height: most, span: .full, width: most)], at: ElementPath(item: 7))
    #expect(layout.invariantViolations() == [])
  }

  @Test func `a tall column does not hide the shortest`() throws {
    for columns in [2, 7, 12] {
      var layout = WaterfallLayout(width: 90).adding([Int](repeating: 1, count: 9000), .cells(.count(columns)))
      for item in stride(from: 0, to: 9000, by: columns) {
        try layout.setItemHeight(LayoutLimits.length, at: ElementPath(item: item))
      }
      try layout.append(itemHeights: [5], toSection: 0)
      #expect(layout.frame(9000).minX > 0)
      #expect(layout.frame(9000).minY < 40_000)
    }
  }

  @Test(arguments: empty + turned)
  func `a layout without items has no first, nearest or visible item`(layout: any CollectionLayout) {
    for layout in [layout, layout.adding([], .cells(.count(2), header: 1))] {
      #expect(layout.firstItem == nil)
      #expect(layout.lastItem == nil)
      #expect(layout.item(nearestTo: .zero) == nil)
      #expect(layout.firstVisibleAnchor(contentOffset: 0, viewportLength: 9) == nil)
      let anchor = ScrollAnchor(path: ElementPath(section: 3, item: 9), screenRow: 4)
      #expect(layout.contentOffset(keeping: anchor, viewportLength: 9) == 0)
    }
  }
}
