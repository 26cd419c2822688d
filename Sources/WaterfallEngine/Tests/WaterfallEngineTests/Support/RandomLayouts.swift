import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

/// Places items in steps down to the right; an item that does not fit starts at the left again.
enum Steps: ItemArrangement {
  static func place(_ items: [ItemSize], in space: ArrangementSpace, frames: inout [Rect]) {
    for item in items[frames.count...] {
      let width = min(item.width ?? 3, space.extent.count)
      var x = frames.last.map { $0.maxX + space.columnSpacing } ?? space.extent.lowerBound
      if x + width > space.extent.upperBound { x = space.extent.lowerBound }
      let y = frames.last.map { $0.maxY + space.lineSpacing } ?? 0
      frames.append(Rect(x: x, y: y, width: width, height: item.height))
    }
  }
}

/// A layout of up to three sections that grow in several steps.
func randomLayout<Made: CollectionLayout>(
  _ empty: Made, most: Int, order: Bool = false, using generator: inout SeededGenerator
) -> Made {
  var layout = empty
  for _ in 0..<Int.random(in: 1...3, using: &generator) {
    layout = layout.adding([], order ? .anyOrder(using: &generator) : .random(using: &generator))
  }
  for _ in 0..<Int.random(in: 1...4, using: &generator) {
    let heights = randomHeights(Int.random(in: 0...most, using: &generator), using: &generator)
    let section = Int.random(in: 0..<layout.sectionCount, using: &generator)
    layout = layout.changed { layout throws(LayoutError) in
      try layout.append(itemHeights: heights, toSection: section)
    }
  }
  return layout
}

/// A layout of any kind and orientation, with any items and orders; without carousels.
func anyLayout(number: Int, most: Int, using generator: inout SeededGenerator) -> any CollectionLayout {
  let breadth = Int.random(in: 0...60, using: &generator)
  let orientation = Orientation.all.randomElement(using: &generator) ?? .vertical
  var layout: any CollectionLayout =
    switch number % 9 {
    case 0: RowGridLayout(breadth: breadth, orientation: orientation)
    case 1: ListLayout(breadth: breadth, orientation: orientation)
    case 6: ArrangedLayout<Bricks>(breadth: breadth, orientation: orientation)
    case 7: ArrangedLayout<Steps>(breadth: breadth, orientation: orientation)
    case 8: ArrangedLayout<JustifiedRows<1, 25, 400>>(breadth: breadth, orientation: orientation)
    default: WaterfallLayout(breadth: breadth, orientation: orientation)
    }
  do { try layout.fill(most: most, using: &generator) } catch { Issue.record(error) }
  return layout
}

/// A waterfall, grid or list, chosen by `number`, without spans.
func randomLayout(number: Int, most: Int, using generator: inout SeededGenerator) -> any CollectionLayout {
  let width = Int.random(in: 0...60, using: &generator)
  switch number % 4 {
  case 0: return randomLayout(RowGridLayout(width: width), most: most, using: &generator)
  case 1: return randomLayout(ListLayout(width: width), most: most, using: &generator)
  default: return randomLayout(WaterfallLayout(width: width), most: most, using: &generator)
  }
}
