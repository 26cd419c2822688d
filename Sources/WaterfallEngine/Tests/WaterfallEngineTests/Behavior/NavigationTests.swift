import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct NavigationTests {
  @Test func `of two equally near items the upper one is chosen`() {
    let layout = WaterfallLayout(width: 5).adding([5, 9, 5], .cells(.count(2), line: 3))
    for (row, item) in [(5, 0), (6, 0), (7, 2)] {
      var goal: NavigationGoal? = NavigationGoal(row: row)
      let left = layout.neighbor(of: ElementPath(item: 1), toward: .left, goal: &goal)
      #expect(left == ElementPath(item: item))
    }
  }

  @Test func `without a goal row moves start from the item's middle`() {
    let layout = WaterfallLayout(width: 5).adding([1, 9, 1, 1, 1], .cells(.count(2)))
    #expect(walk(layout, from: 1, .left) == 3)
  }

  @Test func `moving up or down forgets the goal row`() {
    let layout = WaterfallLayout(width: 5).adding([1, 1, 1], .cells(.count(2)))
    for direction in [Direction.up, .down] {
      var goal: NavigationGoal? = NavigationGoal(row: 7)
      _ = layout.neighbor(of: ElementPath(item: 0), toward: direction, goal: &goal)
      #expect(goal == nil)
    }
  }

  @Test func `at the edge there is no neighbor and the goal row stays`() {
    let layout = WaterfallLayout(width: 5).adding([1, 1, 1], .cells(.count(2)))
    var goal: NavigationGoal? = NavigationGoal(row: 7)
    #expect(layout.neighbor(of: ElementPath(item: 0), toward: .left, goal: &goal) == nil)
    #expect(layout.neighbor(of: ElementPath(item: 1), toward: .right, goal: &goal) == nil)
    #expect(goal?.row == 7)
  }

  @Test func `up and down cross empty sections to the nearest column`() {
    let layout = WaterfallLayout(width: 12)
      .adding([1, 1, 1, 1], .cells(.count(4), spacing: 0))
      .adding([], .cells(.count(2)))
      .adding([1, 1, 1], .cells(.count(2), spacing: 0))
    func neighbor(_ section: Int, _ item: Int, _ direction: Direction) -> ElementPath? {
      walk(layout, from: ElementPath(section: section, item: item), direction)
    }
    #expect(neighbor(0, 1, .down) == ElementPath(section: 2, item: 0))
    #expect(neighbor(0, 3, .down) == ElementPath(section: 2, item: 1))
    #expect(neighbor(2, 1, .up) == ElementPath(section: 0, item: 2))
    #expect(neighbor(2, 2, .down) == nil)
  }

  @Test func `down in a grid's last column continues in the next section when the last row is short`() {
    let layout = RowGridLayout(width: 5).adding([1, 1, 1], .cells(.count(2)))
    #expect(walk(layout, from: 1, .down) == nil)
    #expect(walk(layout, from: 2, .right) == 1)
  }

  @Test func `items without height have their place in the rows of a grid with own widths`() {
    for zero in [[2], [3], [2, 3], [0, 1], [0, 4]] {
      let items = (0..<6).map { ItemSize(height: zero.contains($0) ? 0 : 3, width: $0 % 2 == 0 ? 4 : 5) }
      let layout = RowGridLayout(width: 10).adding(items: items, .cells(.count(2), line: 0))
      #expect((0..<6).map { walk(layout, from: $0, .down) } == [2, 3, 4, 5, nil, nil])
      #expect((0..<6).map { walk(layout, from: $0, .up) } == [nil, nil, 0, 1, 2, 3])
      #expect((0..<6).map { walk(layout, from: $0, .right) } == [1, nil, 3, nil, 5, nil])
    }
  }

  @Test func `moves to the sides choose the item nearest to the goal row`() {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<600 {
      let empty = WaterfallLayout(width: Int.random(in: 5...60, using: &generator))
      let layout = randomLayout(empty, most: 30, using: &generator)
      guard let path = layout.allPaths.randomElement(using: &generator) else { continue }
      let row = Int.random(in: -9...layout.contentSize.height + 9, using: &generator)
      var goal: NavigationGoal? = NavigationGoal(row: row)
      guard let next = layout.neighbor(of: path, toward: .right, goal: &goal) else { continue }
      let chosen = layout.frame(ofItem: next)
      let column = layout.allPaths.filter { $0.section == path.section }
        .map { layout.frame(ofItem: $0) }.filter { $0.minX == chosen.minX }
      #expect(column.map { distance(of: $0, from: row) }.min() == distance(of: chosen, from: row))
      #expect(chosen.minX > layout.frame(ofItem: path).minX)
    }
  }

  @Test func `up and down pass items without height and gaps`() {
    var generator = SeededGenerator(seed: 64)
    for _ in 0..<300 {
      var layout = WaterfallLayout(width: 8)
        .adding([400] + randomHeights(300, using: &generator), .cells(.count(3), line: 0))
      for _ in 0..<8 {
        let item = Int.random(in: 0..<290, using: &generator)
        let heights = [[0, 0], [0], [3], [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]].randomElement(using: &generator) ?? []
        layout = layout.changed { layout throws(LayoutError) in
          if Bool.random(using: &generator) { layout.remove(items: item..<item + 2, fromSection: 0) }
          let path = ElementPath(item: min(item, layout.itemCount(inSection: 0) - heights.count))
          try layout.setItemHeights(heights, from: path, areEstimates: false)
          try layout.insert(itemHeights: heights, at: path)
        }
      }
      for column in Set(layout.allPaths.map { layout.layoutFrame($0).minX }) {
        let items = layout.allPaths.filter { layout.layoutFrame($0).minX == column }.map(\.item)
        #expect(items.dropLast().map { walk(layout, from: $0, .down) } == Array(items.dropFirst()))
        #expect(items.dropFirst().map { walk(layout, from: $0, .up) } == Array(items.dropLast()))
      }
    }
  }

  @Test func `a page moves to the item of the same column one viewport further`() {
    let layout = WaterfallLayout(width: 5).adding([Int](repeating: 1, count: 40), .cells(.count(2)))
    #expect(layout.item(pageFrom: ElementPath(item: 1), by: 10) == ElementPath(item: 11))
    #expect(layout.item(pageFrom: ElementPath(item: 11), by: -10) == ElementPath(item: 1))
    #expect(layout.item(pageFrom: ElementPath(item: 1), by: 999) == ElementPath(item: 39))
    #expect(layout.item(pageFrom: ElementPath(item: 39), by: 10) == nil)
    #expect(layout.item(pageFrom: ElementPath(item: 0), by: -10) == nil)
  }

  @Test func `a page moves past an item higher than the viewport`() {
    let layout = ListLayout(width: 5).adding([1, 500, 1], .cells(.count(1)))
    #expect(layout.item(pageFrom: ElementPath(item: 1), by: 10) == ElementPath(item: 2))
    #expect(layout.item(pageFrom: ElementPath(item: 1), by: -10) == ElementPath(item: 0))
  }

  @Test func `pages lead from the first row to the last, column by column`() {
    var generator = SeededGenerator(seed: 10)
    for number in 0..<300 {
      let layout = randomLayout(number: number, most: 30, using: &generator)
      guard var path = layout.allPaths.randomElement(using: &generator) else { continue }
      while let next = layout.item(pageFrom: path, by: 20) {
        #expect(next > path)
        path = next
      }
      #expect(walk(layout, from: path, .down) == nil)
    }
  }

  @Test func `the first and the last item skip empty sections`() {
    let layout = WaterfallLayout(width: 5)
      .adding([], .cells(.count(1))).adding([1, 1], .cells(.count(1))).adding([], .cells(.count(1)))
    #expect(layout.firstItem == ElementPath(section: 1, item: 0))
    #expect(layout.lastItem == ElementPath(section: 1, item: 1))
  }

  @Test func `the item nearest to a point is the one under it`() {
    var generator = SeededGenerator(seed: 11)
    for number in 0..<800 {
      let layout = randomLayout(number: number, most: 30, using: &generator)
      guard let path = layout.allPaths.randomElement(using: &generator) else { continue }
      let frame = layout.frame(ofItem: path)
      guard !frame.isEmpty else { continue }
      let point = Point(
        x: Int.random(in: frame.minX..<frame.maxX, using: &generator),
        y: Int.random(in: frame.minY..<frame.maxY, using: &generator))
      #expect(layout.item(nearestTo: point) == path)
    }
  }
}

private func walk(_ layout: any CollectionLayout, from item: Int, _ direction: Direction) -> Int? {
  walk(layout, from: ElementPath(item: item), direction)?.item
}

private func walk(_ layout: any CollectionLayout, from path: ElementPath, _ direction: Direction) -> ElementPath? {
  var goal: NavigationGoal?
  return layout.neighbor(of: path, toward: direction, goal: &goal)
}

private func distance(of frame: Rect, from row: Int) -> Int { max(0, frame.minY - row, row - frame.maxY + 1) }
