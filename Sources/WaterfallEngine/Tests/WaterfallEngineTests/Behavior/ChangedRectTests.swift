import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct ChangedRectTests {
  /// Elements that moved, appeared or disappeared must lie in the rectangle that the change returned.
  private func check(
    _ before: any CollectionLayout, _ after: any CollectionLayout, _ changed: Rect, _ description: String
  ) -> Bool {
    struct Picture: Hashable {
      var kind: ElementKind
      var frame: Rect
    }
    func pictures(_ layout: any CollectionLayout) -> [Picture: Int] {
      var pictures: [Picture: Int] = [:]
      for element in layout.allElements where !element.frame.isEmpty && element.zIndex > -2 {
        pictures[Picture(kind: element.kind, frame: element.frame), default: 0] += 1
      }
      return pictures
    }
    let old = pictures(before)
    let new = pictures(after)
    for (picture, count) in old where new[picture] != count && !covers(changed, picture.frame) {
      Issue.record(
        "\(description): \(picture) disappeared outside of \(changed) of\n\(before.drawing)\n->\n\(after.drawing)")
      return false
    }
    for (picture, count) in new where old[picture] != count && !covers(changed, picture.frame) {
      Issue.record(
        "\(description): \(picture) appeared outside of \(changed) of\n\(before.drawing)\n->\n\(after.drawing)")
      return false
    }
    return true
  }

  private func covers(_ rect: Rect, _ frame: Rect) -> Bool { rect.intersection(frame) == frame }

  @Test(arguments: UInt64(46)..<49) func `nothing outside of the returned rectangle needs redrawing`(
    seed: UInt64
  ) throws {
    var generator = SeededGenerator(seed: seed)
    for number in 0..<1600 {
      var layout =
        number % 8 == 7
        ? CarouselLayout(
          viewport: Size(width: 30, height: 20),
          orientation: Orientation.all.randomElement(using: &generator) ?? .vertical
        )
        .adding(randomHeights(6, using: &generator), .random(using: &generator))
        : anyLayout(number: number, most: 12, using: &generator)
      for _ in 0..<4 {
        let before = layout
        guard let (changed, description) = try change(&layout, using: &generator) else { continue }
        guard check(before, layout, changed, "layout \(number) \(type(of: layout)) \(description)") else { return }
      }
    }
  }

  private func change(_ layout: inout any CollectionLayout, using generator: inout SeededGenerator) throws -> (
    Rect, String
  )? {
    let section = Int.random(in: 0..<layout.sectionCount, using: &generator)
    let count = layout.itemCount(inSection: section)
    let path = ElementPath(section: section, item: Int.random(in: 0...count, using: &generator))
    switch Int.random(in: 0..<16, using: &generator) {
    case 9: return (layout.setBreadth(.random(in: 0...60, using: &generator)), "breadth")
    case 12:
      let numbers = (0..<layout.sectionCount).shuffled(using: &generator)
      return (layout.selectSections(numbers), "select sections \(numbers)")
    case 13:
      let old = (0..<layout.sectionCount).map { section in
        (id: section, items: (0..<layout.itemCount(inSection: section)).map { [section, $0] })
      }
      var new = old.filter { _ in !generator.chance(1, in: 4) }.shuffled(using: &generator)
      for place in new.indices {
        new[place].items.removeAll { _ in generator.chance(1, in: 3) }
        if generator.chance(1, in: 3) { new[place].items.shuffle(using: &generator) }
      }
      new.insert((id: -1, items: [[-1, 0], [-1, 1]]), at: Int.random(in: 0...new.count, using: &generator))
      let metrics = SectionMetrics.anyOrder(using: &generator)
      let changed = try layout.apply(
        BatchChanges(from: old, to: new), metrics: { _ in metrics }, size: { ItemSize(height: 2 + $0[1]) })
      return (changed, "batch \(new)")
    case 15:
      let header = GlobalHeader.random(using: &generator)
      return (try layout.setGlobalHeader(header), "\(header)")
    case 14 where path.item < count:
      let size = ItemSize.random(using: &generator)
      return (try layout.setItemSize(size, at: path), "set \(size) at \(path)")
    case 10 where count > 0:
      let range = path.item..<min(count, path.item + 3)
      return (layout.remove(items: range, fromSection: section), "remove \(range) of \(section)")
    case 11 where path.item < count:
      let heights = randomHeights(min(3, count - path.item), using: &generator)
      return (try layout.setItemHeights(heights, from: path, areEstimates: false), "set \(heights) from \(path)")
    case 5:
      let items = (0..<4).map { _ in ItemSize.random(using: &generator) }
      return (try layout.append(items, toSection: section), "append to \(section)")
    case 6: return (try layout.setMetrics(.anyOrder(using: &generator), ofSection: section), "metrics of \(section)")
    case 7:
      return (try layout.insertSection(.anyOrder(using: &generator), at: section), "insert section \(section)")
    case 8 where layout.sectionCount > 1:
      return (layout.removeSection(at: section), "remove section \(section)")
    case 0: return (try layout.insert([.random(using: &generator)], at: path), "insert \(path)")
    case 1 where path.item < count:
      return (layout.remove(items: path.item..<path.item + 1, fromSection: section), "remove \(path)")
    case 2 where path.item < count:
      return (try layout.setItemHeight(randomHeights(1, using: &generator)[0], at: path), "set \(path)")
    case 3 where path.item < count:
      let target = ElementPath(
        section: section, item: Int.random(in: 0..<count, using: &generator))
      return (try layout.moveItem(at: path, to: target), "move \(path) to \(target)")
    case 4: return (layout.repack(from: path), "repack \(path)")
    default: return nil
    }
  }
}
