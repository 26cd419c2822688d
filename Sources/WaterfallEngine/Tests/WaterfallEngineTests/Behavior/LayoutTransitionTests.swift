import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct LayoutTransitionTests {
  private let list = ListLayout(width: 3).adding([2, 2, 2], .cells(.count(1), line: 0))

  private func places(_ items: [LayoutTransition.Element]) -> [[Int]] {
    items.map { [$0.initial.frame.minY, $0.final.frame.minY] }
  }

  /// The movements in a viewport of the content's start, after a difference.
  private func transition<Layout: CollectionLayout>(
    of layout: Layout, _ old: [Int], to new: [Int], length: Int
  ) throws -> LayoutTransition {
    let rest = (1..<layout.sectionCount).map { section in
      (id: section, items: (0..<layout.itemCount(inSection: section)).map { 100 * section + $0 })
    }
    let changes = try BatchChanges(from: [(0, old)] + rest, to: [(0, new)] + rest)
    var changed = layout
    try changed.apply(changes, metrics: { _ in SectionMetrics() }, size: { _ in ItemSize(height: 2) })
    return LayoutTransition(
      from: layout, in: layout.viewport(at: 0, length: length), to: changed,
      in: changed.viewport(at: 0, length: length), newPath: changes.newPath, oldPath: changes.oldPath)
  }

  /// The rows where each item starts and ends: removed ones, inserted ones and those that stay.
  @Test(arguments: [
    // Inserted items come from above together with those that they push down.
    ([8, 9, 1, 2, 3], [[-4, 0], [-2, 2], [0, 4], [2, 6], [4, 8]]),
    // A removed item goes with the next one, the last with the one before it.
    ([1, 3], [[2, 0], [0, 0], [4, 2]]), ([1, 2], [[4, 4], [0, 0], [2, 2]]),
    // Items of another collection stay in their places.
    ([7, 8], [[0, 0], [2, 2], [4, 4], [0, 0], [2, 2]]),
    // A moved item starts at its old place.
    ([3, 1, 2], [[4, 0], [0, 2], [2, 4]]),
  ])
  func `items that come and go move with those beside them`(new: [Int], rows: [[Int]]) throws {
    let old = [1, 2, 3]
    let transition = try transition(of: list, old, to: new, length: 6)
    #expect(places(transition.items) == rows)
    for item in transition.items {
      let (before, after) = (item.oldPath.map { old[$0.item] }, item.newPath.map { new[$0.item] })
      let (isNew, isGone) = (!old.contains(after ?? 0), !new.contains(before ?? 0))
      #expect(before == after || before == nil && isNew || after == nil && isGone)
    }
  }

  @Test func `an item from far away comes from just outside the viewport`() throws {
    let long = ListLayout(width: 3).adding([Int](repeating: 2, count: 100), .cells(.count(1), line: 0))
    let old = Array(0..<100)
    let transition = try transition(of: long, old, to: old.reversed(), length: 4)
    #expect(places(transition.items) == [[4, 0], [6, 2], [2, 6], [0, 4]])
  }

  @Test func `badges move with their items, and headers with their sections`() throws {
    let badge = ElementKind.supplementary(1)
    let metrics = SectionMetrics.cells(.count(1), line: 0, header: 1).with(
      \.elements, [SectionElement(badge, .overItems(size: Size(width: 1, height: 1), corner: .topRight))])
    let sections = ListLayout(width: 3).adding([2, 2, 2], metrics).adding([2], metrics)
    let transition = try transition(of: sections, [1, 2, 3], to: [1, 9, 3], length: 20)
    func places(_ kind: ElementKind) -> [[Int]] {
      self.places(transition.otherElements.filter { $0.initial.kind == kind })
    }
    #expect(places(badge) == self.places(transition.items))
    #expect(places(.header) == [[0, 0], [7, 7]])
    let removed = transition.otherElements.filter { $0.newPath == nil }
    #expect(removed.map(\.oldPath?.item) == [1] && removed.map(\.initial.kind) == [badge])
    let longer = try self.transition(of: sections, [1, 2, 3], to: [1, 2, 3, 4], length: 20)
    #expect(self.places(longer.otherElements.filter { $0.initial.kind == .header }) == [[0, 0], [7, 9]])
  }

  @Test func `the header of a removed section goes with the next items, that of an inserted one comes with them`() {
    let metrics = SectionMetrics.cells(.count(1), line: 0, header: 1)
    let both = ListLayout(width: 3).adding([2], metrics).adding([4], metrics)
    let second = ListLayout(width: 3).adding([4], metrics)
    let viewport = Rect(x: 0, y: 0, width: 3, height: 20)
    let gone = LayoutTransition(
      from: both, in: viewport, to: second, in: viewport,
      newPath: { $0.section == 1 ? ElementPath(item: $0.item) : nil },
      oldPath: { ElementPath(section: 1, item: $0.item) },
      newSection: { $0 == 1 ? 0 : nil }, oldSection: { $0 + 1 })
    #expect(places(gone.otherElements) == [[0, -3], [3, 0]])
    let added = LayoutTransition(
      from: second, in: viewport, to: both, in: viewport, newPath: { ElementPath(section: 1, item: $0.item) },
      oldPath: { $0.section == 1 ? ElementPath(item: $0.item) : nil },
      newSection: { $0 + 1 }, oldSection: { $0 == 1 ? 0 : nil })
    #expect(places(added.otherElements) == [[-3, 0], [0, 3]])
  }

  @Test func `a pinned header stays at the edge while its content scrolls`() throws {
    let metrics = SectionMetrics.cells(.count(1), line: 0, header: 1).with(\.isHeaderSticky, true)
    let layout = ListLayout(width: 3).adding([Int](repeating: 2, count: 20), metrics)
    let (old, new) = (layout.viewport(at: 10, length: 6), layout.viewport(at: 16, length: 6))
    let transition = LayoutTransition(from: layout, in: old, to: layout, in: new, newPath: { $0 }, oldPath: { $0 })
    #expect(places(transition.otherElements) == [[16, 16]])
  }

  @Test func `every visible item starts and ends where the layouts have it`() throws {
    var generator = SeededGenerator(seed: 75)
    for number in 0..<1500 {
      let old = anyLayout(number: number, most: 25, using: &generator)
      var new = old
      let data = (0..<old.sectionCount).map { section in
        (id: section, items: (0..<old.itemCount(inSection: section)).map { 100 * section + $0 })
      }
      var changedData = data
      changedData[0].items.removeAll { _ in generator.chance(1, in: 5) }
      for item in 0..<Int.random(in: 0...4, using: &generator) {
        let place = Int.random(in: 0...changedData[0].items.count, using: &generator)
        changedData[0].items.insert(1000 + item, at: place)
      }
      let last = changedData[0].items.count - 1
      if generator.chance(1, in: 3), last > 1 { changedData[0].items.swapAt(0, last) }
      let changes = try BatchChanges(from: data, to: changedData)
      try new.apply(changes, metrics: { _ in SectionMetrics() }, size: { _ in .random(using: &generator) })
      let length = Int.random(in: 1...30, using: &generator)
      let viewports = [old, new].map { layout in
        layout.viewport(at: Int.random(in: 0...max(1, layout.contentLength), using: &generator), length: length)
      }
      let transition = LayoutTransition(
        from: old, in: viewports[0], to: new, in: viewports[1], newPath: changes.newPath, oldPath: changes.oldPath)
      check(transition, old, viewports[0], new, viewports[1], "layout \(number)", newPath: changes.newPath)
    }
  }

  private func check(
    _ transition: LayoutTransition, _ old: any CollectionLayout, _ oldViewport: Rect, _ new: any CollectionLayout,
    _ newViewport: Rect, _ name: Comment, newPath: (ElementPath) -> ElementPath?
  ) {
    let before = old.layoutAttributes(inViewport: oldViewport).filter { $0.kind == .item }
    let after = new.layoutAttributes(inViewport: newViewport).filter { $0.kind == .item }
    let (x, y) = (newViewport.minX - oldViewport.minX, newViewport.minY - oldViewport.minY)
    for element in before {
      let item = transition.items.first { $0.oldPath == element.path }
      #expect(item?.initial.frame == element.frame.offsetBy(x: x, y: y), name)
      #expect(item?.newPath == newPath(element.path), name)
    }
    for element in after {
      #expect(transition.items.first { $0.newPath == element.path }?.final == element, name)
    }
    #expect(
      Set(before.compactMap { newPath($0.path) }).union(after.map(\.path)).count
        == transition.items.count { $0.newPath != nil }, name)
    for item in transition.items {
      let isAlwaysVisible =
        before.contains { $0.path == item.oldPath } && after.contains { $0.path == item.newPath }
      let way = (item.final.frame.minX - item.initial.frame.minX, item.final.frame.minY - item.initial.frame.minY)
      if item.oldPath != nil, item.newPath != nil {
        #expect(isAlwaysVisible || abs(way.0) <= newViewport.width && abs(way.1) <= newViewport.height, name)
      } else {
        #expect(new.orientation.axis == .vertical ? way.0 == 0 : way.1 == 0, name)
        #expect(item.initial.frame.size == item.final.frame.size, name)
      }
    }
  }

  @Test func `extreme viewports do not trap`() {
    for number in [Int.min, -1, 0, .max] {
      let rect = Rect(x: number, y: number, width: .max, height: number)
      for (old, new) in [
        (rect, list.viewport(at: 0, length: 3)), (list.viewport(at: 0, length: 3), rect), (rect, rect),
      ] {
        let transition = LayoutTransition(from: list, in: old, to: list, in: new, newPath: { $0 }, oldPath: { $0 })
        #expect(transition.items.count <= 3)
      }
    }
  }
}
