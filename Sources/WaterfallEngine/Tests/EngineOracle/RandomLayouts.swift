import WaterfallEngine

extension SectionMetrics {
  public static func random(using generator: inout some RandomNumberGenerator) -> SectionMetrics {
    func small() -> Int { generator.chance(1, in: 2) ? Int.random(in: 0...3, using: &generator) : 0 }
    var metrics = SectionMetrics(
      columns: .random(using: &generator), columnSpacing: small(), lineSpacing: small(),
      insets: Insets(top: small(), left: small(), bottom: small(), right: small()), headerHeight: small(),
      footerHeight: small())
    metrics.isHeaderSticky = generator.chance(1, in: 3)
    metrics.hasBackground = generator.chance(1, in: 4)
    metrics.isFooterSticky = metrics.isHeaderSticky != metrics.hasBackground
    if generator.chance(1, in: 4) { metrics.separatorHeight = small() }
    if generator.chance(1, in: 4) { metrics.elements = SectionElement.random(using: &generator) }
    return metrics
  }

  /// Random measures with any order and packing.
  public static func anyOrder(using generator: inout some RandomNumberGenerator) -> SectionMetrics {
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
  public static func random(using generator: inout some RandomNumberGenerator) -> GlobalHeader {
    GlobalHeader(
      height: generator.chance(1, in: 3) ? Int.random(in: 1...6, using: &generator) : 0,
      isSticky: generator.chance(1, in: 2))
  }
}

extension ColumnRule {
  static func random(using generator: inout some RandomNumberGenerator) -> ColumnRule {
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
  static func random(using generator: inout some RandomNumberGenerator) -> [SectionElement] {
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

extension Orientation {
  public static let all = Axis.allCases.flatMap { [Orientation($0), Orientation($0, isMirrored: true)] }
}

extension ItemSize {
  /// A size: mostly small and in one column, sometimes huge, without height, spanning columns, or with its own width.
  public static func random(using generator: inout some RandomNumberGenerator) -> ItemSize {
    var item = ItemSize(height: randomHeights(1, using: &generator)[0])
    if generator.chance(1, in: 8) { item.span = .columns(Int.random(in: 1...4, using: &generator)) }
    if generator.chance(1, in: 20) { item.span = .full }
    if generator.chance(1, in: 20) { item.width = Int.random(in: 1...30, using: &generator) }
    item.isEstimate = generator.chance(1, in: 3)
    return item
  }
}

/// Heights: mostly small, sometimes huge or 0.
public func randomHeights(_ count: Int, using generator: inout some RandomNumberGenerator) -> [Int] {
  (0..<count).map { _ in
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: Int.random(in: 50...400, using: &generator)
    case 1: 0
    default: Int.random(in: 1...9, using: &generator)
    }
  }
}

extension RandomNumberGenerator {
  /// Returns true with the probability `one / many`.
  mutating func chance(_ one: Int, in many: Int) -> Bool { Int.random(in: 0..<many, using: &self) < one }
}

extension CollectionLayout {
  /// Fills an empty layout: up to three sections with any measures and items, which grow in several steps.
  public mutating func fill(most: Int, using generator: inout some RandomNumberGenerator) throws(LayoutError) {
    let hasWideItems = generator.chance(1, in: 2)
    try setGlobalHeader(.random(using: &generator))
    for _ in 0..<Int.random(in: 1...3, using: &generator) { try appendSection(.anyOrder(using: &generator)) }
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let section = Int.random(in: 0..<sectionCount, using: &generator)
      let count = Int.random(in: 0...most, using: &generator)
      if hasWideItems {
        try append((0..<count).map { _ in .random(using: &generator) }, toSection: section)
      } else {
        try append(itemHeights: randomHeights(count, using: &generator), toSection: section)
      }
    }
  }

  /// Makes one change of the items.
  public mutating func edit(
    spans: Bool = true, using generator: inout some RandomNumberGenerator
  ) throws(LayoutError) {
    let section = Int.random(in: 0..<sectionCount, using: &generator)
    let count = itemCount(inSection: section)
    let path = ElementPath(section: section, item: Int.random(in: 0...count, using: &generator))
    let few = Int.random(in: 1...12, using: &generator)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0 where spans: try insert((0..<few).map { _ in .random(using: &generator) }, at: path)
    case 0, 1: try insert(itemHeights: randomHeights(few, using: &generator), at: path)
    case 2: remove(items: path.item..<min(path.item + few, count), fromSection: section)
    case 3 where count > 0:
      let target = ElementPath(section: section, item: Int.random(in: 0..<count, using: &generator))
      try moveItem(at: ElementPath(section: section, item: min(path.item, count - 1)), to: target)
    case 4: repack(from: path)
    case 5 where spans && path.item < count: try setItemSize(.random(using: &generator), at: path)
    default:
      let heights = randomHeights(min(few, count - path.item), using: &generator)
      try setItemHeights(heights, from: path, areEstimates: Bool.random(using: &generator))
    }
  }
}
