import EngineOracle
import Foundation
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct EncodedLayoutTests {
  private typealias CodableLayout = CollectionLayout & Codable & Equatable

  /// Inserts, removes and measures items, so that the columns are not those of a new layout.
  private func edited(_ layout: some CodableLayout, using generator: inout SeededGenerator) -> any CodableLayout {
    var layout = layout
    for section in 0..<layout.sectionCount {
      let count = layout.itemCount(inSection: section)
      guard count > 2 else { continue }
      let item = Int.random(in: 0..<count - 1, using: &generator)
      let path = ElementPath(section: section, item: item)
      layout = layout.changed { layout throws(LayoutError) in
        try layout.setItemHeights([7, 0], from: path, areEstimates: true)
        try layout.insert([ItemSize(height: 5, span: .columns(2)), ItemSize(height: 2, width: 4)], at: path)
        layout.remove(items: item..<item + 1, fromSection: section)
      }
    }
    guard generator.chance(1, in: 3) else { return layout }
    // Without its spanning items, a densely packed layout still has ranks that are not numbers.
    for path in layout.allPaths.reversed() where layout.itemSize(at: path).span != .columns(1) {
      layout.remove(items: path.item..<path.item + 1, fromSection: path.section)
    }
    return layout
  }

  private func decoded<Layout: CodableLayout>(_ layout: Layout) throws -> (isEqual: Bool, layout: Layout) {
    let decoded = try JSONDecoder().decode(Layout.self, from: JSONEncoder().encode(layout))
    return (decoded == layout, decoded)
  }

  @Test func `a layout is restored with the places of its items`() throws {
    var generator = SeededGenerator(seed: 90)
    for number in 0..<300 {
      let layout = try #require(anyLayout(number: number, most: 80, using: &generator) as? any CodableLayout)
      let edited = edited(layout, using: &generator)
      let mismatch = try mismatchAfterDecoding(edited, using: &generator)
      try #require(mismatch == nil, "layout \(number)")
    }
  }

  /// Decodes a layout, and compares the copy with the original before and after the same changes.
  private func mismatchAfterDecoding<Layout: CodableLayout>(
    _ layout: Layout, using generator: inout SeededGenerator
  ) throws -> String? {
    let (isEqual, decoded) = try decoded(layout)
    guard isEqual else { return "the copy is not equal" }
    if let mismatch = mismatch(layout, decoded) { return "decoded: \(mismatch)" }
    var (original, copy) = (layout, decoded)
    for change in 0..<4 {
      let seed = UInt64.random(in: 0...1000, using: &generator)
      try original.change(change, seed: seed)
      try copy.change(change, seed: seed)
      if let mismatch = mismatch(original, copy) { return "change \(change): \(mismatch)" }
    }
    return nil
  }

  /// The first difference between the elements, or the neighbors of about eight items, of two layouts.
  private func mismatch(_ original: some CollectionLayout, _ copy: some CollectionLayout) -> String? {
    guard copy.contentSize == original.contentSize, copy.allElements == original.allElements else {
      return "\(original.drawing)\n->\n\(copy.drawing)"
    }
    let paths = original.allPaths
    for path in stride(from: 0, to: paths.count, by: 1 + paths.count / 8).map({ paths[$0] }) {
      for direction in Direction.allCases {
        var goals: (NavigationGoal?, NavigationGoal?) = (nil, nil)
        let expected = original.neighbor(of: path, toward: direction, goal: &goals.0)
        let found = copy.neighbor(of: path, toward: direction, goal: &goals.1)
        guard found == expected else { return "\(direction) of \(path) is \(found as Any), not \(expected as Any)" }
      }
    }
    return nil
  }

  /// Item 3 lies above item 1, in the hole over an item that was removed.
  private func ranksWithoutSpans() -> WaterfallLayout {
    let metrics = SectionMetrics.cells(.count(2), line: 0).with(\.spanPacking, .dense)
    let items = [ItemSize(height: 3), ItemSize(height: 2, span: .full), ItemSize(height: 5), ItemSize(height: 2)]
    var layout = WaterfallLayout(width: 5).adding(items: items, metrics)
    layout.remove(items: 1..<2, fromSection: 0)
    return layout
  }

  @Test func `a layout whose items rank otherwise than by number goes on as the original, even without spans`() throws {
    let layout = ranksWithoutSpans()
    let copy = try decoded(layout).layout
    #expect(String(decoding: try JSONEncoder().encode(layout), as: UTF8.self).contains("\"numbersByRank\":[0,2,1]"))
    #expect(mismatch(layout, copy) == nil)
    var (narrow, narrowCopy) = (layout, copy)
    narrow.setBreadth(1)
    narrowCopy.setBreadth(1)
    #expect(mismatch(narrow, narrowCopy) == nil)
    var (packed, packedCopy) = (layout, copy)
    packed.repack(from: ElementPath(item: 0))
    packedCopy.repack(from: ElementPath(item: 0))
    #expect(mismatch(packed, packedCopy) == nil)
    #expect(packedCopy.items(inSection: 0).map(\.size.height) == [3, 5, 2])
  }

  @Test func `ranks in a layout of one column are refused`() throws {
    let layout = WaterfallLayout(width: 20).adding([3, 1], .cells(.count(1)))
    let text = String(decoding: try JSONEncoder().encode(layout), as: UTF8.self)
    let places = "{\"columns\":[0,0],\"numbersByRank\":[1,0]}"
    let hostile = text.replacing("\"items\":", with: "\"places\":\(places),\"items\":")
    #expect(hostile != text)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(WaterfallLayout.self, from: Data(hostile.utf8))
    }
  }

  @Test func `a carousel is restored with its margins`() throws {
    var layout = CarouselLayout(viewport: Size(width: 40, height: 10)).adding([10, 12, 14], .cells(.count(1)))
    #expect(try decoded(layout).isEqual)
    layout.setViewportLength(50)
    let copy = try decoded(layout).layout
    #expect(copy == layout)
    #expect(copy.contentSize == layout.contentSize)
  }

  @Test func `a restored layout goes on as the original`() throws {
    let layout = WaterfallLayout(width: 20).adding([3, 1, 2, 5, 1], .cells(.count(3)).with(\.order, .tolerance(2)))
    var (original, copy) = (layout, try decoded(layout).layout)
    try original.append(itemHeights: [1, 2, 3, 4], toSection: 0)
    try copy.append(itemHeights: [1, 2, 3, 4], toSection: 0)
    #expect(copy == original)
  }

  @Test func `a layout in points is restored with its scale`() throws {
    var layout = ScaledLayout<WaterfallLayout, Double>(breadth: 100.5, scale: CoordinateScale(unitsPerPoint: 32))
    try layout.appendSection(SectionMetrics())
    try layout.append(itemHeights: [1.5, 2.5], toSection: 0)
    let data = try JSONEncoder().encode(layout)
    #expect(try JSONDecoder().decode(ScaledLayout<WaterfallLayout, Double>.self, from: data) == layout)
    let hostile = String(decoding: data, as: UTF8.self).replacing("\"number\":32", with: "\"number\":0")
    let decoded = try JSONDecoder().decode(ScaledLayout<WaterfallLayout, Double>.self, from: Data(hostile.utf8))
    #expect(decoded.scale.unitsPerPoint == 1)
  }

  @Test func `damaged data is an error or a valid layout`() throws {
    var generator = SeededGenerator(seed: 91)
    var refused = 0
    for number in 0..<1500 {
      let layout = try #require(anyLayout(number: number, most: 12, using: &generator) as? any CodableLayout)
      refused += try isRefused(layout, damagedBy: &generator) ? 1 : 0
    }
    #expect((200..<1500).contains(refused))
  }

  private func isRefused<Layout: CodableLayout>(
    _ layout: Layout, damagedBy generator: inout SeededGenerator
  ) throws -> Bool {
    let value = try JSONSerialization.jsonObject(with: JSONEncoder().encode(layout))
    let data = try JSONSerialization.data(withJSONObject: damaged(value, using: &generator))
    guard let decoded = try? JSONDecoder().decode(Layout.self, from: data) else { return true }
    #expect(decoded.invariantViolations() == [], "\(String(decoding: data, as: UTF8.self))")
    return false
  }

  /// Replaces, removes or repeats one value somewhere in the tree.
  private func damaged(_ value: Any, using generator: inout SeededGenerator) -> Any {
    if var object = value as? [String: Any], let key = object.keys.sorted().randomElement(using: &generator) {
      object[key] = damaged(object[key] ?? 0, using: &generator)
      return object
    }
    if var array = value as? [Any], let place = array.indices.randomElement(using: &generator) {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: array.remove(at: place)
      case 1: array.append(array[place])
      case 2: array.swapAt(0, place)
      default: array[place] = damaged(array[place], using: &generator)
      }
      return array
    }
    let numbers = [-1, 0, 1, 2, 7, 1023, 1024, 1_000_000, 1_000_001, 1 << 31, 1 << 40, Int.max, Int.min]
    return generator.chance(1, in: 12) ? "x" : numbers.randomElement(using: &generator) ?? 0
  }

  @Test func `places outside of the columns are refused`() throws {
    let layout = WaterfallLayout(width: 20).adding([3, 1, 2], .cells(.count(3)))
    let text = String(decoding: try JSONEncoder().encode(layout), as: UTF8.self)
    for places in ["[0,1,3]", "[0,1]", "[0,1,2,0]", "[0,1,-1]", "[0,1,9223372036854775807]"] {
      let hostile = text.replacing("\"columns\":[0,1,2]", with: "\"columns\":\(places)")
      #expect(hostile != text)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(WaterfallLayout.self, from: Data(hostile.utf8))
      }
    }
  }
}

extension CollectionLayout {
  /// Makes a change that follows from its number and a seed alone.
  fileprivate mutating func change(_ number: Int, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let section = Int.random(in: 0..<sectionCount, using: &generator)
    let count = itemCount(inSection: section)
    let path = ElementPath(section: section, item: Int.random(in: 0..<max(count, 1), using: &generator))
    switch number {
    case 0 where count > 0: try setItemHeight(.random(in: 0...9, using: &generator), at: path)
    case 1 where count > 0: repack(from: path)
    case 2: setBreadth(.random(in: 0...60, using: &generator))
    case 3: try setMetrics(.anyOrder(using: &generator), ofSection: section)
    default: break
    }
  }
}
