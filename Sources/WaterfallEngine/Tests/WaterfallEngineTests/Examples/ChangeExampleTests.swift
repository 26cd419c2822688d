import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

// The documentation contains these examples line by line, which `DocumentationTests` checks.

/// Changes and navigation.
@Suite(.hangLimit) struct ChangeExampleTests {
  @Test func `estimates first, heights later`() throws {
    func measure(_ path: ElementPath, _ width: Int) -> Int { 1 + path.item % 3 }

    var layout = WaterfallLayout(width: 8)
    let guess = ItemSize(height: 2, isEstimate: true)
    for section in 0..<2 {
      try layout.appendSection(SectionMetrics(cells: .count(3)))
      try layout.append([ItemSize](repeating: guess, count: 500), toSection: section)
    }

    var offset = 490
    let length = 20
    let anchors = layout.visibleAnchors(contentOffset: offset, viewportLength: length)
    for path in layout.estimatedItems(in: layout.viewport(at: offset, length: length)) {
      let width = layout.columnWidth(inSection: path.section)
      try layout.setItemHeight(measure(path, width), at: path)
    }
    if let first = anchors.first {
      offset = layout.contentOffset(keeping: first, viewportLength: length)
    }
    #expect(layout.invariantViolations() == [])
    let first = try #require(anchors.first)
    #expect(Set(anchors.map(\.path.section)) == [0, 1])
    #expect(layout.anchor(at: first.path, contentOffset: offset) == first)
    for anchor in anchors { #expect(!layout.itemSize(at: anchor.path).isEstimate) }
  }

  @Test func `a height that changes`() throws {
    var layout = WaterfallLayout(width: 8)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(itemHeights: [1, 3, 2, 1, 1], toSection: 0)
    try layout.setItemHeight(3, at: ElementPath(item: 0))
    #expect(
      layout.drawing == """
        AA.BB.CC
        AA.BB.CC
        AA.BB...
        ......EE
        DD......
        """)
  }

  @Test func `a span that changes`() throws {
    var layout = WaterfallLayout(width: 8)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(itemHeights: [3, 3, 2, 1, 1], toSection: 0)
    try layout.setItemSize(ItemSize(height: 2, span: .columns(2)), at: ElementPath(item: 1))
    #expect(
      layout.drawing == """
        AA.BBBBB
        AA.BBBBB
        AA......
        ......CC
        EE....CC
        ........
        ......DD
        """)
  }

  @Test func `items are inserted, removed and moved`() throws {
    var layout = WaterfallLayout(width: 8)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(itemHeights: [1, 3, 2, 1, 1], toSection: 0)

    let changed = try layout.insert(itemHeights: [2], at: ElementPath(item: 3))
    #expect(
      layout.drawing == """
        AA.BB.CC
        ...BB.CC
        DD.BB...
        DD....FF
        ........
        EE......
        """)
    #expect(layout.layoutAttributes(in: changed).count > 0)

    layout.remove(items: 0..<2, fromSection: 0)
    try layout.moveItem(at: ElementPath(item: 3), to: ElementPath(item: 0))
    layout.repack(from: ElementPath(item: 0))
    #expect(
      layout.drawing == """
        AA.BB.CC
        ...BB.CC
        DD......
        """)
  }

  @Test func `a new version of the data`() throws {
    var layout = WaterfallLayout(width: 8)
    for count in [3, 1] {
      try layout.appendSection(SectionMetrics(cells: .count(3)))
      try layout.append([ItemSize](repeating: ItemSize(height: 2), count: count), toSection: layout.sectionCount - 1)
    }
    let changes = try BatchChanges(
      from: [("news", ["a", "b", "c"]), ("old", ["d"])],
      to: [("today", ["e"]), ("news", ["d", "a", "c"])])
    let anchors = layout.visibleAnchors(contentOffset: 0, viewportLength: 2)
    try layout.apply(
      changes, metrics: { _ in SectionMetrics(cells: .count(3)) }, size: { _ in ItemSize(height: 1) })
    let offset = layout.contentOffset(
      keepingFirstOf: anchors, currentOffset: 0, viewportLength: 2, newPath: changes.newPath)
    // offset == 3: "a" is still on the first row of the screen
    #expect(
      layout.drawing == """
        AA......
        AA....CC
        ......CC
        BB......
        BB......
        """)
    #expect(offset == 3)
  }

  @Test func `an invalid height`() throws {
    var message = ""
    func show(_ sentence: String) { message = sentence }

    var layout = WaterfallLayout(width: 8)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    do {
      try layout.append(itemHeights: [4, -1], toSection: 0)
    } catch {
      show(error.description)
      // item 1 of the list cannot be -1 units high: a height is 0 to 1000000
    }
    #expect(message == "item 1 of the list cannot be -1 units high: a height is 0 to 1000000")
    #expect(layout.itemCount(inSection: 0) == 0)
  }

  @Test func `elements that touch a rectangle`() throws {
    var layout = WaterfallLayout(width: 8)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(itemHeights: [1, 9, 2, 1, 1, 4], toSection: 0)

    let rect = Rect(x: 0, y: 2, width: 5, height: 2)
    let found = layout.layoutAttributes(in: rect)
    // found.map(\.path.item) == [1, 3]
    #expect(found.map(\.path.item) == [1, 3])

    let viewport = layout.viewport(at: 0, length: 2)
    let next = layout.layoutAttributes(inViewport: viewport, overscan: 2)
    // next.count == 5: A, B and C are visible, D and E will be
    #expect(next.count == 5)
    #expect(
      layout.drawing == """
        AA.BB.CC
        ...BB.CC
        DD.BB...
        ...BB.EE
        FF.BB...
        FF.BB...
        FF.BB...
        FF.BB...
        ...BB...
        """)
  }

  @Test func `a move and its opposite`() throws {
    var layout = WaterfallLayout(width: 5)
    try layout.appendSection(SectionMetrics(cells: .count(2)))
    try layout.append(itemHeights: [1, 7, 1, 1, 1], toSection: 0)
    #expect(
      layout.drawing == """
        AA.BB
        ...BB
        CC.BB
        ...BB
        DD.BB
        ...BB
        EE.BB
        """)

    var goal: NavigationGoal?
    var selected = ElementPath(item: 3)
    selected = layout.neighbor(of: selected, toward: .right, goal: &goal) ?? selected
    // selected.item == 1, and goal remembers the row of the move
    #expect(selected.item == 1)
    selected = layout.neighbor(of: selected, toward: .left, goal: &goal) ?? selected
    // selected.item == 3
    #expect(selected.item == 3)
  }

  @Test func `a page`() throws {
    var layout = ListLayout(width: 5)
    try layout.appendSection(SectionMetrics(cells: .count(1)))
    try layout.append(itemHeights: [Int](repeating: 2, count: 40), toSection: 0)
    var selected = ElementPath(item: 0)
    var offset = 0

    if let next = layout.item(pageFrom: selected, by: 12) {
      selected = next
      offset = layout.contentOffset(
        toShow: next, currentOffset: offset, viewportLength: 12, aligned: .nearest)
    }
    #expect(selected.item == 4)
    #expect(offset == 2)
  }

  @Test func `an anchor keeps its row`() throws {
    var layout = WaterfallLayout(width: 80)
    try layout.appendSection(SectionMetrics(cells: .count(4)))
    try layout.append(itemHeights: (0..<200).map { 4 + $0 % 17 }, toSection: 0)
    var offset = 200

    if let anchor = layout.firstVisibleAnchor(contentOffset: offset, viewportLength: 40) {
      try layout.setMetrics(SectionMetrics(cells: .count(5)), ofSection: 0)
      offset = layout.contentOffset(keeping: anchor, viewportLength: 40)
    }
    #expect(layout.columnCount(inSection: 0) == 5)

    let before = WaterfallLayout(width: 80).adding((0..<200).map { 4 + $0 % 17 }, SectionMetrics(cells: .count(4)))
    let anchor = try #require(before.firstVisibleAnchor(contentOffset: 200, viewportLength: 40))
    #expect(layout.anchor(at: anchor.path, contentOffset: offset) == anchor)
  }

  @Test func `a window of another size`() throws {
    let pictures = (0..<200).map { Size(width: 9 + $0 % 7, height: 9 + $0 % 5) }

    var layout = WaterfallLayout(width: 80)
    var offset = 200

    func fill() throws(LayoutError) {
      let width = layout.columnWidth(inSection: 0)
      layout.remove(items: 0..<layout.itemCount(inSection: 0), fromSection: 0)
      try layout.append(itemHeights: pictures.map { 2 + width * $0.height / $0.width }, toSection: 0)
    }

    func resize(toWidth width: Int, length: Int) throws(LayoutError) {
      let anchor = layout.firstVisibleAnchor(contentOffset: offset, viewportLength: length)
      layout.setBreadth(width)
      try fill()
      if let anchor {
        offset = layout.contentOffset(keeping: anchor, viewportLength: length)
      }
    }
    try layout.appendSection(SectionMetrics(cells: .minimumWidth(18)))
    try fill()
    try resize(toWidth: 120, length: 40)
    // layout.columnCount(inSection: 0) == 6
    #expect(layout.columnCount(inSection: 0) == 6)

    // A row of the screen shows the same item as before.
    let old = WaterfallLayout(width: 80).changed { layout throws(LayoutError) in
      try layout.appendSection(SectionMetrics(cells: .minimumWidth(18)))
      let width = layout.columnWidth(inSection: 0)
      try layout.append(itemHeights: pictures.map { 2 + width * $0.height / $0.width }, toSection: 0)
    }
    let anchor = try #require(old.firstVisibleAnchor(contentOffset: 200, viewportLength: 40))
    #expect(layout.anchor(at: anchor.path, contentOffset: offset) == anchor)
  }

  @Test func `a visible item is removed`() throws {
    var layout = WaterfallLayout(width: 8)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(itemHeights: [3, 4, 6, 3, 2, 4, 3, 2, 9], toSection: 0)
    #expect(
      layout.drawing(at: 4, length: 5) == """
        DD....CC
        DD.EE.CC
        DD.EE...
        ......FF
        GG.HH.FF
        """)

    let anchors = layout.visibleAnchors(contentOffset: 4, viewportLength: 5)
    layout.remove(items: 3..<4, fromSection: 0)
    let offset = layout.contentOffset(keepingFirstOf: anchors, currentOffset: 4, viewportLength: 5) {
      $0.item == 3 ? nil : ElementPath(item: $0.item < 3 ? $0.item : $0.item - 1)
    }
    #expect(offset == 4)
    #expect(
      layout.drawing(at: offset, length: 5) == """
        FF....CC
        FF.DD.CC
        FF.DD...
        ......EE
        ...GG.EE
        """)
  }

  @Test func `a transition`() throws {
    var layout = ListLayout(width: 3)
    try layout.appendSection(SectionMetrics(cells: .count(1)).with(\.lineSpacing, 0))
    try layout.append(itemHeights: [2, 2, 2], toSection: 0)

    let before = layout
    let changes = try BatchChanges(from: [(0, ["A", "B", "C"])], to: [(0, ["D", "A", "C"])])
    try layout.apply(changes, metrics: { _ in SectionMetrics() }, size: { _ in ItemSize(height: 2) })

    let viewport = layout.viewport(at: 0, length: 6)
    let transition = LayoutTransition(
      from: before, in: viewport, to: layout, in: viewport, newPath: changes.newPath, oldPath: changes.oldPath)

    // Both states, as letters of the data.
    let drawing = """
      AAA    DDD
      AAA    DDD
      BBB -> AAA
      BBB    AAA
      CCC    CCC
      CCC    CCC
      """
    let letters = (before: Array("ABC"), after: Array("DAC"))
    for (row, line) in drawing.split(separator: "\n").enumerated() {
      #expect(line.first == letters.before[before.item(nearestTo: Point(x: 0, y: row))?.item ?? 0])
      #expect(line.last == letters.after[layout.item(nearestTo: Point(x: 0, y: row))?.item ?? 0])
    }

    var rows: [Int: [Int]] = [:]
    func draw(_ item: Int, atRow row: Int) { rows[item, default: []].append(row) }
    for item in transition.items {
      for step in 1...5 {
        let left = (5 - step) * (5 - step)
        let (start, end) = (item.initial.frame.minY, item.final.frame.minY)
        draw(item.final.path.item, atRow: end + (start - end) * left / 25)
      }
    }
    #expect(rows == [0: [-1, 0, 0, 0, 0], 1: [2, 2, 2, 2, 2] + [1, 2, 2, 2, 2], 2: [4, 4, 4, 4, 4]])

    var grid = RowGridLayout(width: 3)
    try grid.appendSection(SectionMetrics(cells: .count(1)))
    try grid.append(itemHeights: [2, 2, 2], toSection: 0)
    let change = LayoutTransition(
      from: layout, in: viewport, to: grid, in: viewport, newPath: { $0 }, oldPath: { $0 })
    #expect(change.items.map(\.final.frame.minY) == [0, 3, 6])
  }
}
