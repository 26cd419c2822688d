import WaterfallEngine

/// Random numbers that are the same in every run (SplitMix64).
struct Heights: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// 4 to 20 units.
  static func random(_ count: Int, seed: UInt64 = 1) -> [Int] {
    var random = Heights(seed: seed)
    return (0..<count).map { _ in 4 + random.next(below: 17) }
  }

  /// 5 % over two columns, 2 % over all.
  static func mixed(_ count: Int, seed: UInt64 = 1) -> [ItemSize] {
    var random = Heights(seed: seed)
    return (0..<count).map { _ in
      let kind = random.next(below: 100)
      return ItemSize(
        height: 4 + random.next(below: 17), span: kind < 5 ? .columns(2) : kind < 7 ? .full : .columns(1))
    }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func next(below bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}

func metrics(_ columns: Int) -> SectionMetrics {
  var metrics = SectionMetrics()
  metrics.columns = .count(columns)
  metrics.columnSpacing = 1
  metrics.lineSpacing = 1
  metrics.insets = Insets(all: 1)
  return metrics
}

func filled<Filled: CollectionLayout>(_ layout: Filled, _ heights: [Int], _ metrics: SectionMetrics) -> Filled {
  var layout = layout
  carryOut { () throws(LayoutError) in
    try layout.appendSection(metrics)
    try layout.append(itemHeights: heights, toSection: 0)
  }
  return layout
}

func waterfall(_ heights: [Int], columns: Int = 4) -> WaterfallLayout {
  filled(WaterfallLayout(width: 160), heights, metrics(columns))
}

func spanning(_ items: [ItemSize], _ packing: SpanPacking) -> WaterfallLayout {
  var layout = WaterfallLayout(width: 160)
  var metrics = metrics(4)
  metrics.spanPacking = packing
  metrics.insets = .zero
  carryOut { () throws(LayoutError) in
    try layout.appendSection(metrics)
    try layout.append(items, toSection: 0)
  }
  return layout
}

func append(_ heights: [Int], to layout: inout WaterfallLayout) {
  carryOut { () throws(LayoutError) in try layout.append(itemHeights: heights, toSection: 0) }
}

/// Makes a change that never throws: benchmarks use valid sizes only.
func carryOut(_ change: () throws(LayoutError) -> Void) {
  do { try change() } catch { fatalError("\(error)") }
}
