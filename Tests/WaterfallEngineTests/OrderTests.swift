import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct OrderTests {
  private func drawing(_ order: ItemOrder, _ heights: [Int]) -> String {
    WaterfallLayout(width: 8).adding(heights, .cells(.count(3), line: 0).with(\.order, order)).drawing
  }

  @Test func `left to right takes the columns one after the other`() {
    #expect(drawing(.leftToRight, [1, 3, 2, 1, 1]) == "AA.BB.CC\nDD.BB.CC\n...BB...\n...EE...")
  }

  @Test func `right to left takes the columns one after the other from the right`() {
    #expect(drawing(.rightToLeft, [1, 3, 2, 1, 1]) == "CC.BB.AA\nCC.BB.DD\n...BB...\n...EE...")
  }

  @Test func `with tolerance the next column is taken that is not much longer than the shortest`() {
    #expect(drawing(.shortest, [2, 1, 1, 1, 1]) == "AA.BB.CC\nAA.DD.EE")
    #expect(drawing(.tolerance(1), [2, 1, 1, 1, 1]) == "AA.BB.CC\nAA.EE...\nDD......")
    #expect(drawing(.tolerance(0), [2, 1, 1, 1, 1]) == "AA.BB.CC\nAA.DD.EE")
  }

  @Test func `a column that is too long is passed over`() {
    #expect(drawing(.tolerance(1), [4, 1, 1, 1]) == "AA.BB.CC\nAA.DD...\nAA......\nAA......")
  }

  @Test func `weights share the width out`() {
    let layout = WaterfallLayout(width: 12).adding([1, 1, 1], .cells(.weights([1, 2, 2])))
    #expect(layout.drawing == "AA.BBBB.CCCC")
    #expect((0..<3).map { layout.width(ofColumn: $0, inSection: 0) } == [2, 4, 4])
  }

  @Test func `weights leave no unit over and every column one unit`() {
    var generator = SeededGenerator(seed: 50)
    for width in 1...400 {
      let weights = (0..<Int.random(in: 1...16, using: &generator)).map { _ in
        Int.random(in: 1...100, using: &generator)
      }
      let layout = WaterfallLayout(width: width).adding([], .cells(.weights(weights)))
      let columns = layout.columnExtents(ofSection: 0)
      #expect(columns.last?.upperBound == width)
      #expect(columns.allSatisfy { !$0.isEmpty })
      let total = weights.prefix(columns.count).reduce(0, +)
      let shared = width - columns.count + 1
      for (column, weight) in zip(columns, weights) {
        let exact = Double(shared * weight) / Double(total)
        #expect(abs(Double(column.count) - exact) < 2 || column.count == 1 || shared < 3 * columns.count)
      }
    }
  }

  @Test func `cards of one shape are as high as their width says`() throws {
    var layout = WaterfallLayout(width: 21).adding([], .cells(.count(2), line: 0))
    try layout.append(count: 2, heightPercentOfWidth: 30, toSection: 0)
    #expect(layout.frame(0) == Rect(x: 0, y: 0, width: 10, height: 3))
    #expect(layout.frame(1).height == 3)
  }
}

@Suite(.hangLimit) struct SpanTests {
  private func item(_ height: Int, _ span: ItemSize.Span = .columns(1)) -> ItemSize {
    ItemSize(height: height, span: span)
  }

  private func drawing(_ packing: SpanPacking, _ items: [ItemSize], _ order: ItemOrder = .shortest) -> String {
    let metrics = SectionMetrics.cells(.count(3), line: 0).with(\.spanPacking, packing).with(\.order, order)
    return WaterfallLayout(width: 8).adding(items: items, metrics).drawing
  }

  @Test func `a wide item lies under the lowest of its columns`() {
    #expect(
      drawing(.inOrder, [item(1), item(3), item(1), item(1, .columns(2)), item(1)]) == """
        AA.BB.CC
        ...BB.EE
        ...BB...
        DDDDD...
        """)
  }

  @Test func `a wide item takes the columns where it lies highest`() {
    #expect(
      drawing(.inOrder, [item(3), item(1), item(2), item(1, .columns(2))]) == """
        AA.BB.CC
        AA....CC
        AA.DDDDD
        """)
  }

  @Test func `a full item takes all columns, however many there are`() {
    #expect(drawing(.inOrder, [item(1), item(1, .full), item(1)]) == "AA......\nBBBBBBBB\nCC......")
    #expect(drawing(.inOrder, [item(1, .columns(99))]) == "AAAAAAAA")
  }

  @Test func `items that fill the hole go first, if they may`() {
    let items = [item(2), item(1, .full), item(2), item(2), item(1)]
    #expect(drawing(.inOrder, items) == "AA......\nAA......\nBBBBBBBB\nCC.DD.EE\nCC.DD...")
    #expect(drawing(.reordering(within: 9), items) == "AA.CC.DD\nAA.CC.DD\nBBBBBBBB\nEE......")
    #expect(drawing(.reordering(within: 1), items) == "AA.CC...\nAA.CC...\nBBBBBBBB\nDD.EE...\nDD......")
  }

  @Test func `dense packing fills a hole with any later item that fits`() {
    let items = [item(2), item(1, .full)] + [Int](repeating: 3, count: 9).map { item($0) } + [item(1), item(2)]
    let rows = drawing(.dense, items).split(separator: "\n")
    #expect(rows.prefix(4) == ["AA.LL.MM", "AA....MM", "BBBBBBBB", "CC.DD.EE"])
    #expect(drawing(.reordering(within: 9), items).hasPrefix("AA......\nAA......\nBBBBBBBB\n"))
  }

  @Test func `with tolerance wide items go on in reading order`() {
    let items = [item(2), item(1), item(1), item(1, .columns(2)), item(1)]
    #expect(drawing(.inOrder, items, .tolerance(2)) == "AA.BB.CC\nAA....EE\nDDDDD...")
    #expect(drawing(.inOrder, items, .leftToRight) == "AA.BB.CC\nAA....EE\nDDDDD...")
  }

  @Test func `no item comes earlier or later than it may`() {
    var generator = SeededGenerator(seed: 60)
    for reach in [0, 1, 4, 9] {
      let items = (0..<400).map { _ in ItemSize.mixed(using: &generator) }
      let metrics = SectionMetrics.cells(.count(4)).with(\.spanPacking, .reordering(within: reach))
      let layout = WaterfallLayout(width: 83).adding(items: items, metrics)
      // What lies above in a column came before: everything must be explained by an order that is near enough.
      for (number, path) in layout.allPaths.enumerated() {
        let frame = layout.layoutAttributesForItem(at: path).frame
        for other in layout.allPaths.dropFirst(number + 2 * reach + 1) {
          let later = layout.layoutAttributesForItem(at: other).frame
          let sharesColumn = later.minX < frame.maxX && frame.minX < later.maxX
          #expect(!sharesColumn || later.minY > frame.minY)
        }
      }
    }
  }

  @Test func `moves through wide items come home up and down and to the sides, and reach every item`() {
    var generator = SeededGenerator(seed: 61)
    for _ in 0..<200 {
      let items = (0..<30).map { _ in ItemSize.random(using: &generator) }
      let layout = WaterfallLayout(width: 60)
        .adding(items: items, .anyOrder(using: &generator).with(\.columns, .count(4)))
      for home in layout.allPaths {
        for (there, back) in [(Direction.left, Direction.right), (.right, .left), (.up, .down), (.down, .up)] {
          var goal: NavigationGoal?
          var path = home
          var steps = 0
          while let next = layout.neighbor(of: path, toward: there, goal: &goal) {
            path = next
            steps += 1
          }
          for _ in 0..<steps { path = layout.neighbor(of: path, toward: back, goal: &goal) ?? path }
          #expect(path == home)
        }
      }
      #expect(reached(in: layout) == layout.allPaths.count)
    }
  }

  /// How many items moves lead to from the first one, goals included.
  private func reached(in layout: WaterfallLayout) -> Int {
    guard let first = layout.firstItem else { return 0 }
    struct State: Hashable {
      var path: ElementPath
      var goal: NavigationGoal?
    }
    var seen: Set = [State(path: first, goal: nil)]
    var open = Array(seen)
    while let state = open.popLast() {
      for direction in Direction.allCases {
        for goal in [state.goal, nil] {
          var next = goal
          guard let path = layout.neighbor(of: state.path, toward: direction, goal: &next) else { continue }
          if seen.insert(State(path: path, goal: next)).inserted { open.append(State(path: path, goal: next)) }
        }
      }
    }
    return Set(seen.map(\.path)).count
  }
}

extension ItemSize {
  /// 5 % over two columns, 2 % over all.
  static func mixed(using generator: inout SeededGenerator) -> ItemSize {
    let kind = Int.random(in: 0..<100, using: &generator)
    let span: Span = kind < 5 ? .columns(2) : kind < 7 ? .full : .columns(1)
    return ItemSize(height: Int.random(in: 4...20, using: &generator), span: span)
  }
}
