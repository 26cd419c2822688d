import EngineOracle
import WaterfallEngine

/// Checks random layouts of every kind and orientation after random changes: a query must find exactly the elements
/// that touch a rect, in order, the invariants must hold, and once packed anew all items must lie where a second
/// implementation puts them.
enum EngineVerification {
  static func run(layouts: Int) -> Int32 {
    var random = Heights(seed: 11)
    var queries = 0
    var elements = 0
    for number in 0..<layouts {
      let layout = RandomLayout.make(number, &random)
      // Twelve rects in every layout, and the invariants of every tenth.
      for _ in 0..<12 {
        let rect = RandomLayout.rect(in: layout.contentSize, &random)
        let found = layout.layoutAttributes(in: rect)
        let expected = layout.elementsByExhaustion(in: rect)
        queries += 1
        elements += expected.count
        guard found == expected else {
          let missed = expected.count { !found.contains($0) }
          let extra = found.count { !expected.contains($0) }
          print("layout \(number): \(missed) missed, \(extra) extra in \(rect)")
          return 1
        }
      }
      if let mismatch = EngineOracle.mismatch(in: layout) {
        print("layout \(number): \(mismatch)")
        return 1
      }
      let violations = number % 10 == 0 ? layout.invariantViolations() : []
      guard violations.isEmpty else {
        print("layout \(number): \(violations.joined(separator: "\n"))")
        return 1
      }
    }
    print(
      "{\"name\":\"engine.verify\",\"layouts\":\(layouts),\"queries\":\(queries),\"elements\":\(elements),"
        + "\"missed\":0,\"extra\":0}")
    return 0
  }
}

private enum RandomLayout {
  static func make(_ number: Int, _ random: inout Heights) -> any CollectionLayout {
    let axis: Orientation.Axis = random.next(below: 3) == 0 ? .horizontal : .vertical
    let orientation = Orientation(axis, isMirrored: random.next(below: 3) == 0)
    let breadth = random.next(below: 80)
    switch number % 7 {
    case 0: return filled(RowGridLayout(breadth: breadth, orientation: orientation), number, &random)
    case 1: return filled(ListLayout(breadth: breadth, orientation: orientation), number, &random)
    case 2:
      let viewport = Size(width: 40, height: 20)
      return filled(CarouselLayout(viewport: viewport, orientation: orientation), number, &random)
    default: return filled(WaterfallLayout(breadth: breadth, orientation: orientation), number, &random)
    }
  }

  /// Mostly small, for speed; a few fill several blocks.
  private static func filled<Made: CollectionLayout>(_ empty: Made, _ number: Int, _ random: inout Heights) -> Made {
    var layout = empty
    let most = number % 200 == 0 ? 600 : 14
    let hasSpans = random.next(below: 2) == 0
    carryOut { () throws(LayoutError) in
      for _ in 0...random.next(below: 3) { try layout.appendSection(metrics(&random)) }
      for _ in 0...random.next(below: 3) {
        let items = (0..<random.next(below: most + 1)).map { _ in item(hasSpans, &random) }
        try layout.append(items, toSection: random.next(below: layout.sectionCount))
      }
      for _ in 0..<random.next(below: 4) { try change(&layout, hasSpans, &random) }
    }
    return layout
  }

  private static func change(_ layout: inout some CollectionLayout, _ spans: Bool, _ random: inout Heights)
    throws(LayoutError)
  {
    let section = random.next(below: layout.sectionCount)
    let count = layout.itemCount(inSection: section)
    let path = ElementPath(section: section, item: random.next(below: count + 1))
    let few = min(1 + random.next(below: 10), count - path.item)
    switch random.next(below: 5) {
    case 0: try layout.insert([item(spans, &random), item(spans, &random)], at: path)
    case 1: layout.remove(items: path.item..<path.item + few, fromSection: section)
    case 2: layout.repack(from: path)
    case 3 where few > 0: try layout.setItemSize(item(spans, &random), at: path)
    default:
      let heights = (0..<few).map { _ in height(&random) }
      try layout.setItemHeights(heights, from: path, areEstimates: false)
    }
  }

  private static func height(_ random: inout Heights) -> Int {
    switch random.next(below: 40) {
    case 0: 50 + random.next(below: 400)
    case 1, 2: 0
    default: 1 + random.next(below: 9)
    }
  }

  private static func item(_ spans: Bool, _ random: inout Heights) -> ItemSize {
    var item = ItemSize(height: height(&random))
    guard spans else { return item }
    switch random.next(below: 20) {
    case 0: item.span = .full
    case 1...3: item.span = .columns(1 + random.next(below: 4))
    case 4: item.width = 1 + random.next(below: 30)
    default: break
    }
    return item
  }

  private static func metrics(_ random: inout Heights) -> SectionMetrics {
    func small() -> Int { random.next(below: 2) == 0 ? 0 : random.next(below: 4) }
    var metrics = SectionMetrics()
    switch random.next(below: 3) {
    case 0: metrics.columns = .count(1 + random.next(below: 9))
    case 1: metrics.columns = .minimumWidth(1 + random.next(below: 30))
    default: metrics.columns = .weights((0...random.next(below: 5)).map { _ in 1 + random.next(below: 9) })
    }
    metrics.columnSpacing = small()
    metrics.lineSpacing = small()
    metrics.insets = Insets(top: small(), left: small(), bottom: small(), right: small())
    metrics.headerHeight = small()
    metrics.footerHeight = small()
    metrics.separatorHeight = small()
    metrics.hasBackground = random.next(below: 4) == 0
    if random.next(below: 4) == 0 { metrics.elements = elements(&random) }
    let orders: [ItemOrder] = [.shortest, .shortest, .leftToRight, .rightToLeft, .tolerance(random.next(below: 9))]
    metrics.order = orders[random.next(below: orders.count)]
    let packings: [SpanPacking] = [.inOrder, .reordering(within: 9), .dense]
    metrics.spanPacking = packings[random.next(below: packings.count)]
    return metrics
  }

  private static func elements(_ random: inout Heights) -> [SectionElement] {
    (0...UInt16(random.next(below: 3))).map { number in
      let height = random.next(below: 4)
      let corner = SectionElement.Corner.allCases[random.next(below: 4)]
      let placements: [SectionElement.Placement] = [
        .aboveItems(height: height), .belowItems(height: height), .behindSection, .behindItems,
        .overItems(size: Size(width: random.next(below: 6), height: height), corner: corner),
      ]
      return SectionElement(.supplementary(number), placements[random.next(below: placements.count)])
    }
  }

  static func rect(in size: Size, _ random: inout Heights) -> Rect {
    Rect(
      x: random.next(below: size.width + 10) - 5, y: random.next(below: size.height + 10) - 5,
      width: random.next(below: 70), height: random.next(below: 60))
  }
}
