import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct BatchChangeTests {
  private func size(_ item: Int) -> ItemSize { ItemSize(height: 1 + item % 7) }

  private typealias Version = BatchChanges<String, Int>.Version

  private func version(_ random: inout SeededGenerator, sections: [String], _ items: ClosedRange<Int>) -> Version {
    var version: Version = sections.filter { _ in random.chance(3, in: 4) }.shuffled(using: &random).map { ($0, []) }
    guard !version.isEmpty else { return [] }
    for item in items where random.chance(3, in: 4) {
      // Mostly in the same section and order.
      let section = random.chance(1, in: 8) ? Int.random(in: version.indices, using: &random) : item % version.count
      let count = version[section].items.count
      version[section].items.insert(
        item, at: random.chance(1, in: 9) ? Int.random(in: 0...count, using: &random) : count)
    }
    return version
  }

  private func metrics(_ section: String) -> SectionMetrics {
    .cells(.count(1 + section.utf8.count), line: section.utf8.count % 2, header: section.utf8.count)
  }

  private func layout<Made: CollectionLayout>(_ empty: Made, _ version: Version) -> Made {
    version.reduce(empty) { $0.adding(items: $1.items.map(size), metrics($1.id)) }
  }

  /// The frame of each item and header in the layout, by identifiers.
  private func frames(_ layout: some CollectionLayout, _ version: Version) -> [String: Rect] {
    var frames: [String: Rect] = [:]
    for element in layout.allElements {
      let section = version[element.path.section]
      frames[element.kind == .item ? "\(section.items[element.path.item])" : section.id] = element.frame
    }
    return frames
  }

  @Test(arguments: UInt64(0)..<120) func `a batch yields the new sections and items, each with its identity`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let sections = ["a", "bb", "ccc", "dddd", "eeeee"]
    let most = seed % 10 == 0 ? 400 : 40
    let (old, new) = (
      version(&random, sections: sections, 0...most), version(&random, sections: sections, 10...most + 10)
    )
    let orientation = Orientation.all.randomElement(using: &random) ?? .vertical
    var layout = layout(WaterfallLayout(breadth: 40, orientation: orientation), old)
    for path in layout.allPaths where random.chance(1, in: 5) { try layout.setItemHeight(9, at: path) }
    let before = layout
    let changes = try BatchChanges(from: old, to: new)
    let changed = try layout.apply(changes, metrics: metrics, size: size)

    #expect(layout.sectionCount == new.count)
    #expect(layout.invariantViolations() == [])
    var fresh = WaterfallLayout(breadth: 40, orientation: orientation)
    for (number, section) in new.enumerated() {
      let sizes = section.items.map { item in
        let oldNumber = old.firstIndex { $0.id == section.id }
        let oldItem = oldNumber.flatMap { old[$0].items.firstIndex(of: item) }
        return oldItem.map { before.itemSize(at: ElementPath(section: oldNumber ?? 0, item: $0)) } ?? size(item)
      }
      #expect(layout.sizes(inSection: number) == sizes)
      fresh = fresh.adding(items: sizes, metrics(section.id))
    }
    for path in before.allPaths {
      let id = old[path.section].items[path.item]
      let found = new.enumerated().flatMap { number, section in
        section.items.indices.filter { section.items[$0] == id }.map { ElementPath(section: number, item: $0) }
      }
      #expect(changes.newPath(of: path) == found.first)
      if let path = found.first { #expect(changes.oldPath(of: path).map { old[$0.section].items[$0.item] } == id) }
    }
    let (oldFrames, newFrames) = (frames(before, old), frames(layout, new))
    for id in Set(oldFrames.keys).union(newFrames.keys) where oldFrames[id] != newFrames[id] {
      for frame in [oldFrames[id], newFrames[id]].compactMap(\.self) where !frame.isEmpty {
        #expect(changed.intersection(frame) == frame, "\(id) changed outside of \(changed)")
      }
    }
    for section in new.indices { layout.repack(from: ElementPath(section: section, item: 0)) }
    #expect(layout == fresh)
  }

  @Test(arguments: [RowGridLayout.self, ListLayout.self, CarouselLayout.self] as [any CollectionLayout.Type])
  func `a batch moves sections of any layout`(type: any CollectionLayout.Type) throws {
    func check<Made: CollectionLayout>(_ type: Made.Type) throws {
      var random = SeededGenerator(seed: 76)
      for _ in 0..<50 {
        let old = version(&random, sections: ["a", "bb", "ccc"], 0...30)
        let new = version(&random, sections: ["a", "bb", "ccc"], 5...35)
        var layout = layout(Made(width: 40), old)
        try layout.apply(BatchChanges(from: old, to: new), metrics: metrics, size: size)
        #expect(frames(layout, new) == frames(self.layout(Made(width: 40), new), new))
      }
    }
    try check(type)
  }

  @Test func `items that stay keep their columns, and a moved section its items' places`() throws {
    let old: Version = [("a", Array(0..<30)), ("bb", Array(30..<60))]
    var layout = layout(WaterfallLayout(width: 40), old)
    for item in 0..<10 { try layout.setItemHeight(40, at: ElementPath(section: 1, item: item)) }
    let before = frames(layout, old)
    let new: Version = [("bb", Array(30..<60)), ("a", [5] + Array(0..<5) + Array(6..<30))]
    try layout.apply(BatchChanges(from: old, to: new), metrics: metrics, size: size)
    let after = frames(layout, new)
    let distance = (after["30"]?.minY ?? 0) - (before["30"]?.minY ?? 0)
    for item in 30..<60 { #expect(after["\(item)"] == before["\(item)"]?.offsetBy(x: 0, y: distance)) }
    for item in (0..<30) where item != 5 { #expect(after["\(item)"]?.minX == before["\(item)"]?.minX) }
  }

  @Test func `inconsistent data changes nothing`() throws {
    #expect(throws: LayoutError.duplicateSection(1)) {
      try BatchChanges(from: [("a", []), ("a", [1])], to: [])
    }
    #expect(throws: LayoutError.duplicateItem(ElementPath(section: 1, item: 0))) {
      try BatchChanges(from: [], to: [("a", [1]), ("b", [1])])
    }
    let layout = layout(WaterfallLayout(width: 40), [("a", [1, 2]), ("bb", [3])])
    var copy = layout
    for old: Version in [[("a", [1, 2])], [("a", [1]), ("bb", [2, 3])]] {
      let changes = try BatchChanges(from: old, to: [])
      #expect(throws: LayoutError.outdatedData) { try copy.apply(changes, metrics: metrics, size: size) }
    }
    let changes = try BatchChanges(from: [("a", [1, 2]), ("bb", [3])], to: [("ccc", [4]), ("a", [2, 5])])
    #expect(throws: LayoutError.itemHeight(-5, position: 1)) {
      try copy.apply(changes, metrics: metrics) { ItemSize(height: $0 == 5 ? -5 : 1) }
    }
    #expect(throws: LayoutError.measure(name: "headerHeight", value: -1)) {
      try copy.apply(changes, metrics: { metrics($0).with(\.headerHeight, -1) }, size: size)
    }
    #expect(copy == layout)
  }

  @Test func `paths and sections that a version lacks map to none`() throws {
    let changes = try BatchChanges(from: [("a", [0, 1]), ("b", [2])], to: [("b", [1]), ("c", [])])
    #expect(changes.newPath(of: ElementPath(item: 1)) == ElementPath(item: 0))
    #expect(changes.newPath(of: ElementPath(section: 1, item: 0)) == nil)
    for path in [ElementPath(section: 7, item: 0), ElementPath(item: 2), ElementPath(section: -1, item: .min)] {
      #expect(changes.newPath(of: path) == nil && changes.oldPath(of: path) == nil)
    }
    #expect((-1...2).map(changes.newSection) == [nil, nil, 0, nil])
    #expect((-1...2).map(changes.oldSection) == [nil, 1, nil, nil])
  }

  @Test func `many changes of a section pack it anew from the first on`() throws {
    let old = Array(0..<500)
    let new = old.filter { $0 < 200 || $0 % 3 != 0 } + [900]
    let sizes = new.map(size)
    var layout = WaterfallLayout(width: 40).adding(items: old.map(size), .cells(.count(3)))
    try layout.apply(
      BatchChanges(from: [(0, old)], to: [(0, new)]), metrics: { _ in .cells(.count(1)) }, size: size)
    #expect(layout == WaterfallLayout(width: 40).adding(items: sizes, .cells(.count(3))))
  }
}
