import TestBasics
import WaterfallEngine

extension SectionMetrics {
  static func random(using generator: inout SeededGenerator) -> SectionMetrics {
    func small() -> Int { generator.chance(1, in: 2) ? Int.random(in: 0...3, using: &generator) : 0 }
    var metrics = cells(
      .random(using: &generator), spacing: small(), line: small(),
      insets: Insets(top: small(), left: small(), bottom: small(), right: small()), header: small(),
      footer: small())
    metrics.isHeaderSticky = generator.chance(1, in: 3)
    metrics.hasBackground = generator.chance(1, in: 4)
    metrics.isFooterSticky = metrics.isHeaderSticky != metrics.hasBackground
    if generator.chance(1, in: 4) { metrics.separatorHeight = small() }
    if generator.chance(1, in: 4) { metrics.elements = SectionElement.random(using: &generator) }
    return metrics
  }

  /// Random measures with any order and packing.
  static func anyOrder(using generator: inout SeededGenerator) -> SectionMetrics {
    var metrics = random(using: &generator)
    let tolerance = ItemOrder.tolerance(Int.random(in: 0...9, using: &generator))
    metrics.order =
      [.shortest, .shortest, .leftToRight, .rightToLeft, tolerance].randomElement(using: &generator) ?? .shortest
    let reordering = SpanPacking.reordering(within: Int.random(in: 0...9, using: &generator))
    metrics.spanPacking = [.inOrder, reordering, .dense].randomElement(using: &generator) ?? .dense
    return metrics
  }
}

extension GlobalHeader {
  /// Mostly none.
  static func random(using generator: inout SeededGenerator) -> GlobalHeader {
    GlobalHeader(
      height: generator.chance(1, in: 3) ? Int.random(in: 1...6, using: &generator) : 0,
      isSticky: generator.chance(1, in: 2))
  }
}

extension ColumnRule {
  static func random(using generator: inout SeededGenerator) -> ColumnRule {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0, 1: .count(Int.random(in: 1...9, using: &generator))
    case 2, 3: .minimumWidth(Int.random(in: 1...30, using: &generator))
    default:
      .weights((0..<Int.random(in: 1...6, using: &generator)).map { _ in Int.random(in: 1...9, using: &generator) })
    }
  }
}

extension SectionElement {
  /// One to four elements of different kinds at random places.
  static func random(using generator: inout SeededGenerator) -> [SectionElement] {
    (0..<UInt16.random(in: 1...4, using: &generator)).map { number in
      let kind = generator.chance(1, in: 2) ? ElementKind.supplementary(number) : .decoration(number)
      let height = Int.random(in: 0...3, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: return SectionElement(kind, .aboveItems(height: height))
      case 1: return SectionElement(kind, .belowItems(height: height))
      case 2: return SectionElement(kind, .behindSection)
      case 3: return SectionElement(kind, .behindItems)
      default:
        let size = Size(width: Int.random(in: 0...5, using: &generator), height: height)
        let corner = Corner.allCases.randomElement(using: &generator) ?? .topLeft
        return SectionElement(kind, .overItems(size: size, corner: corner))
      }
    }
  }
}

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

extension Orientation {
  static let all = Axis.allCases.flatMap { [Orientation($0), Orientation($0, isMirrored: true)] }
}

extension ItemSize {
  /// A size: mostly small and in one column, sometimes huge, without height, spanning columns, or with its own width.
  static func random(using generator: inout SeededGenerator) -> ItemSize {
    var item = ItemSize(height: randomHeights(1, using: &generator)[0])
    if generator.chance(1, in: 8) { item.span = .columns(Int.random(in: 1...4, using: &generator)) }
    if generator.chance(1, in: 20) { item.span = .full }
    if generator.chance(1, in: 20) { item.width = Int.random(in: 1...30, using: &generator) }
    item.isEstimate = generator.chance(1, in: 3)
    return item
  }
}

/// Heights: mostly small, sometimes huge or 0.
func randomHeights(_ count: Int, using generator: inout SeededGenerator) -> [Int] {
  (0..<count).map { _ in
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: Int.random(in: 50...400, using: &generator)
    case 1: 0
    default: Int.random(in: 1...9, using: &generator)
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

/// A layout of any kind and orientation, with any items and orders.
func anyLayout(number: Int, most: Int, using generator: inout SeededGenerator) -> any CollectionLayout {
  let breadth = Int.random(in: 0...60, using: &generator)
  let orientation = Orientation.all.randomElement(using: &generator) ?? .vertical
  switch number % 9 {
  case 8:
    return anyItems(
      in: ArrangedLayout<JustifiedRows<1, 25, 400>>(breadth: breadth, orientation: orientation), most: most,
      using: &generator)
  case 6:
    return anyItems(
      in: ArrangedLayout<Bricks>(breadth: breadth, orientation: orientation), most: most, using: &generator)
  case 7:
    return anyItems(
      in: ArrangedLayout<Steps>(breadth: breadth, orientation: orientation), most: most, using: &generator)
  case 0: return anyItems(in: RowGridLayout(breadth: breadth, orientation: orientation), most: most, using: &generator)
  case 1: return anyItems(in: ListLayout(breadth: breadth, orientation: orientation), most: most, using: &generator)
  default:
    return anyItems(in: WaterfallLayout(breadth: breadth, orientation: orientation), most: most, using: &generator)
  }
}

private func anyItems<Made: CollectionLayout>(in empty: Made, most: Int, using generator: inout SeededGenerator) -> Made
{
  var layout = empty
  let hasWideItems = generator.chance(1, in: 2)
  // A copy, so that the seeds of tests keep their layouts.
  var copy = generator
  let header = GlobalHeader.random(using: &copy)
  layout = layout.changed { layout throws(LayoutError) in try layout.setGlobalHeader(header) }
  for _ in 0..<Int.random(in: 1...3, using: &generator) { layout = layout.adding([], .anyOrder(using: &generator)) }
  for _ in 0..<Int.random(in: 1...4, using: &generator) {
    let section = Int.random(in: 0..<layout.sectionCount, using: &generator)
    let count = Int.random(in: 0...most, using: &generator)
    let heights = randomHeights(count, using: &generator)
    let items = (0..<count).map { _ in ItemSize.random(using: &generator) }
    layout = layout.changed { layout throws(LayoutError) in
      if hasWideItems {
        try layout.append(items, toSection: section)
      } else {
        try layout.append(itemHeights: heights, toSection: section)
      }
    }
  }
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
