import TestBasics
import Testing
import WaterfallEngine

// The documentation contains these examples line by line, which `DocumentationTests` checks.

extension SectionMetrics {
  /// Columns of terminal cells: one cell between them, none around them.
  init(cells columns: ColumnRule) {
    self.init()
    self.columns = columns
    columnSpacing = 1
    lineSpacing = 1
    insets = .zero
  }
}

extension ElementKind {
  static let badge = ElementKind.supplementary(1)
  static let filters = ElementKind.supplementary(2)
  static let shade = ElementKind.decoration(1)
}

/// Layout rules.
@Suite(.hangLimit) struct LayoutExampleTests {
  @Test func `the first steps`() throws {
    var drawn = 0
    func draw(_ item: Int, _ frame: Rect) { drawn += 1 }

    var layout = WaterfallLayout(width: 20)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(itemHeights: [2, 4, 3, 2, 1, 2], toSection: 0)

    let viewport = layout.viewport(at: 0, length: 5)
    for element in layout.layoutAttributes(inViewport: viewport) {
      draw(element.path.item, element.frame)
    }
    #expect(
      layout.drawing == """
        AAAAAA.BBBBBB.CCCCCC
        AAAAAA.BBBBBB.CCCCCC
        .......BBBBBB.CCCCCC
        DDDDDD.BBBBBB.......
        DDDDDD........EEEEEE
        .......FFFFFF.......
        .......FFFFFF.......
        """)
    #expect(drawn == 5)
  }

  @Test func `a waterfall`() throws {
    var layout = WaterfallLayout(width: 8)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(itemHeights: [1, 3, 2, 1, 1], toSection: 0)
    #expect(
      layout.drawing == """
        AA.BB.CC
        ...BB.CC
        DD.BB...
        ......EE
        """)
  }

  @Test func `orders`() throws {
    func drawing(_ order: ItemOrder) throws -> String {
      var metrics = SectionMetrics(cells: .count(3))
      metrics.order = order
      var layout = WaterfallLayout(width: 8)
      try layout.appendSection(metrics)
      try layout.append(itemHeights: [2, 1, 6, 1, 1, 1], toSection: 0)
      return layout.drawing
    }
    #expect(
      try drawing(.shortest) == """
        AA.BB.CC
        AA....CC
        ...DD.CC
        EE....CC
        ...FF.CC
        ......CC
        """)
    #expect(
      try drawing(.tolerance(1)) == """
        AA.BB.CC
        AA....CC
        ...EE.CC
        DD....CC
        ......CC
        FF....CC
        """)
    #expect(
      try drawing(.leftToRight) == """
        AA.BB.CC
        AA....CC
        ...EE.CC
        DD....CC
        ......CC
        ......CC
        ........
        ......FF
        """)
  }

  @Test func `cards of one shape`() throws {
    var layout = WaterfallLayout(width: 20)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(count: 6, heightPercentOfWidth: 50, toSection: 0)
    #expect(
      layout.drawing == """
        AAAAAA.BBBBBB.CCCCCC
        AAAAAA.BBBBBB.CCCCCC
        AAAAAA.BBBBBB.CCCCCC
        ....................
        DDDDDD.EEEEEE.FFFFFF
        DDDDDD.EEEEEE.FFFFFF
        DDDDDD.EEEEEE.FFFFFF
        """)
  }

  @Test func `columns`() throws {
    func drawing(_ rule: ColumnRule) throws -> String {
      var layout = WaterfallLayout(width: 22)
      try layout.appendSection(SectionMetrics(cells: rule))
      try layout.append(itemHeights: [1, 1, 1], toSection: 0)
      return layout.drawing
    }
    #expect(
      try drawing(.minimumWidth(6)) == """
        AAAAAAA.BBBBBBB.CCCCCC
        """)
    #expect(
      try drawing(.weights([1, 2, 1])) == """
        AAAAA.BBBBBBBBBB.CCCCC
        """)
  }

  @Test func `items that span columns`() throws {
    let items = [
      ItemSize(height: 2), ItemSize(height: 1, span: .full), ItemSize(height: 2),
      ItemSize(height: 1, span: .columns(2)), ItemSize(height: 1),
    ]
    func drawing(_ packing: SpanPacking) throws -> String {
      var metrics = SectionMetrics(cells: .count(3))
      metrics.spanPacking = packing
      var layout = WaterfallLayout(width: 8)
      try layout.appendSection(metrics)
      try layout.append(items, toSection: 0)
      return layout.drawing
    }
    #expect(
      try drawing(.inOrder) == """
        AA......
        AA......
        ........
        BBBBBBBB
        ........
        CC.DDDDD
        CC......
        ...EE...
        """)
    #expect(
      try drawing(.reordering(within: 9)) == """
        AA.CC.EE
        AA.CC...
        ........
        BBBBBBBB
        ........
        DDDDD...
        """)
  }

  @Test func `sections`() throws {
    var metrics = SectionMetrics(cells: .count(2))
    metrics.headerHeight = 1
    metrics.footerHeight = 1
    metrics.isHeaderSticky = true
    metrics.hasBackground = true
    metrics.separatorHeight = 1

    var layout = WaterfallLayout(width: 11)
    for section in 0..<2 {
      try layout.appendSection(metrics)
      try layout.append(itemHeights: [1, 3, 2], toSection: section)
    }
    #expect(
      layout.drawing == """
        ===========
        AAAAA+BBBBB
        ~~~~~+BBBBB
        CCCCC+BBBBB
        CCCCC+~~~~~
        -----------
        ===========
        AAAAA+BBBBB
        ~~~~~+BBBBB
        CCCCC+BBBBB
        CCCCC+~~~~~
        -----------
        """)

    let viewport = layout.viewport(at: 2, length: 4)
    let seen = layout.layoutAttributes(inViewport: viewport)
    let header = seen.first { $0.isPinned }
    // header?.frame == Rect(x: 0, y: 2, width: 11, height: 1)
    #expect(header?.frame == Rect(x: 0, y: 2, width: 11, height: 1))
  }

  @Test func `a header for the whole layout`() throws {
    var metrics = SectionMetrics(cells: .count(2))
    metrics.headerHeight = 1
    metrics.footerHeight = 1
    metrics.isHeaderSticky = true
    metrics.isFooterSticky = true

    var layout = WaterfallLayout(width: 11)
    try layout.setGlobalHeader(GlobalHeader(height: 2, isSticky: true))
    try layout.appendSection(metrics)
    try layout.append(itemHeights: [3, 4, 3, 2], toSection: 0)

    let viewport = layout.viewport(at: 2, length: 7)
    let seen = layout.layoutAttributes(inViewport: viewport)
    #expect(seen.filter(\.isPinned).map(\.kind) == [.globalHeader, .header, .footer])
    #expect(
      layout.drawing(at: 2, length: 7) == """
        ###########
        ###########
        ===========
        AAAAA.BBBBB
        ......BBBBB
        CCCCC......
        -----------
        """)
  }

  @Test func `element kinds defined by the program`() throws {
    var metrics = SectionMetrics(cells: .count(2))
    metrics.headerHeight = 1
    metrics.elements = [
      SectionElement(.filters, .aboveItems(height: 1)),
      SectionElement(.badge, .overItems(size: Size(width: 2, height: 1), corner: .topRight)),
      SectionElement(.shade, .behindItems),
    ]

    var layout = WaterfallLayout(width: 11)
    try layout.appendSection(metrics)
    try layout.append(itemHeights: [2, 3, 2], toSection: 0)
    #expect(
      layout.drawing == """
        ===========
        ***********
        AAA**:BBB**
        AAAAA:BBBBB
        ::::::BBBBB
        CCC**::::::
        CCCCC::::::
        """)
  }

  @Test func `a grid`() throws {
    var layout = RowGridLayout(width: 8)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(itemHeights: [1, 3, 2, 1, 1], toSection: 0)
    #expect(
      layout.drawing == """
        AA.BB.CC
        ...BB.CC
        ...BB...
        ........
        DD.EE...
        """)
  }

  @Test func `a carousel`() throws {
    var layout = CarouselLayout(viewport: Size(width: 40, height: 6))
    try layout.appendSection(SectionMetrics(cells: .count(1)))
    try layout.append(itemHeights: [14, 14, 14, 14], toSection: 0)

    let offset = layout.targetContentOffset(forProposed: 10, velocity: 0, viewportLength: 40)
    let viewport = layout.viewport(at: offset, length: 40)
    let cards = layout.layoutAttributes(inViewport: viewport)
    let shown = cards.map { element in
      var element = element
      element.frame = element.frame.offsetBy(x: -viewport.minX, y: 0)
      return element
    }
    #expect(
      WaterfallEngineTests.drawing(of: shown, size: viewport.size) == """
        .............BBBBBBBBBBBBBB.............
        AAAAAAAAAA...BBBBBBBBBBBBBB..CCCCCCCCCCC
        AAAAAAAAAA...BBBBBBBBBBBBBB..CCCCCCCCCCC
        AAAAAAAAAA...BBBBBBBBBBBBBB..CCCCCCCCCCC
        AAAAAAAAAA...BBBBBBBBBBBBBB..CCCCCCCCCCC
        .............BBBBBBBBBBBBBB.............
        """)
  }

  @Test func `switching the layout at run time`() throws {
    let heights = (0..<100).map { 4 + $0 % 9 }
    func filled(_ layout: some CollectionLayout) throws -> any CollectionLayout {
      var layout = layout
      try layout.appendSection(SectionMetrics(cells: .minimumWidth(20)))
      try layout.append(itemHeights: heights, toSection: 0)
      return layout
    }

    var layout = try filled(WaterfallLayout(width: 80))
    var offset = 120
    let selected = ElementPath(item: 40)
    let anchor = layout.anchor(at: selected, contentOffset: offset)

    layout = try filled(ListLayout(width: 80))
    offset = layout.contentOffset(keeping: anchor, viewportLength: 24)
    #expect(layout.anchor(at: selected, contentOffset: offset) == anchor)
  }

  @Test func `a waterfall in points`() throws {
    func pixels(_ points: Double) -> Int { Int((points * 2).rounded()) }
    func points(_ pixels: Int) -> Double { Double(pixels) / 2 }

    var layout = WaterfallLayout(width: pixels(320.5))
    let space = pixels(7.5)
    try layout.appendSection(
      SectionMetrics(columns: .count(3), columnSpacing: space, lineSpacing: space, insets: .zero))
    try layout.append(itemHeights: [81.25, 60.75, 99.5, 40].map(pixels), toSection: 0)

    let frame = layout.frame(ofItem: ElementPath(item: 3))
    let origin = [points(frame.minX), points(frame.minY)]
    // origin == [109.5, 68.5]: below the second item
    #expect(origin == [109.5, 68.5])
  }

  @Test func `directions`() throws {
    func drawing(_ orientation: Orientation) throws -> String {
      var layout = WaterfallLayout(breadth: 8, orientation: orientation)
      try layout.appendSection(SectionMetrics(cells: .count(3)))
      try layout.append(itemHeights: [1, 3, 2, 1, 1], toSection: 0)
      return layout.drawing
    }
    #expect(
      try drawing(Orientation(.vertical, isMirrored: true)) == """
        CC.BB.AA
        CC.BB...
        ...BB.DD
        EE......
        """)
    #expect(
      try drawing(.horizontal) == """
        A.D.
        A.D.
        ....
        BBB.
        BBB.
        ....
        CC.E
        CC.E
        """)
  }
}
