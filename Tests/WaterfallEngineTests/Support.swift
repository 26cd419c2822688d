import Geometry
import WaterfallEngine

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

extension SectionMetrics {
  /// Columns of cells without insets.
  static func cells(
    _ columns: ColumnRule, spacing: Int = 1, line: Int = 1, insets: EdgeInsets = .zero, header: Int = 0,
    footer: Int = 0
  ) -> SectionMetrics {
    var metrics = SectionMetrics()
    metrics.columns = columns
    metrics.columnSpacing = spacing
    metrics.lineSpacing = line
    metrics.insets = insets
    metrics.headerHeight = header
    metrics.footerHeight = footer
    return metrics
  }

  static func random(using generator: inout SeededGenerator) -> SectionMetrics {
    func small(_ chance: Int = 2) -> Int {
      Int.random(in: 0..<chance, using: &generator) == 0 ? Int.random(in: 0...3, using: &generator) : 0
    }
    let rule: ColumnRule =
      Bool.random(using: &generator)
      ? .count(Int.random(in: 1...9, using: &generator))
      : .minimumWidth(Int.random(in: 1...30, using: &generator))
    return cells(
      rule, spacing: small(), line: small(),
      insets: EdgeInsets(top: small(), left: small(), bottom: small(), right: small()), header: small(),
      footer: small())
  }
}

extension Layout {
  /// The layout with one more section of these items.
  func adding(_ heights: [Int], _ metrics: SectionMetrics) -> Self {
    var layout = self
    layout.appendSection(metrics)
    layout.append(itemHeights: heights, toSection: layout.sectionCount - 1)
    return layout
  }

  var allPaths: [ElementPath] {
    (0..<sectionCount).flatMap { section in
      (0..<itemCount(inSection: section)).map { ElementPath(section: section, item: $0) }
    }
  }

  var allElements: [LayoutAttributes] {
    (0..<sectionCount).flatMap { section in
      let items = (0..<itemCount(inSection: section)).map {
        layoutAttributesForItem(at: ElementPath(section: section, item: $0))
      }
      let header = layoutAttributesForHeader(ofSection: section)
      let footer = layoutAttributesForFooter(ofSection: section)
      return [header].compactMap { $0 } + items + [footer].compactMap { $0 }
    }
  }

  func frame(_ item: Int, section: Int = 0) -> Rect {
    layoutAttributesForItem(at: ElementPath(section: section, item: item)).frame
  }

  /// The layout as a picture: items are letters, headers `=`, footers `-`, nothing is a dot.
  var drawing: String {
    var rows = [[Character]](
      repeating: [Character](repeating: ".", count: width), count: contentSize.height)
    for element in allElements {
      let letter: Character =
        switch element.kind {
        case .item: Character(Unicode.Scalar(UInt8(65 + element.path.item % 26)))
        case .header: "="
        case .footer: "-"
        }
      for y in element.frame.minY..<element.frame.maxY {
        for x in element.frame.minX..<element.frame.maxX { rows[y][x] = letter }
      }
    }
    return rows.map { String($0) }.joined(separator: "\n")
  }
}

/// Some heights: mostly small, now and then a giant.
func randomHeights(_ count: Int, using generator: inout SeededGenerator) -> [Int] {
  (0..<count).map { _ in
    Int.random(in: 0..<40, using: &generator) == 0
      ? Int.random(in: 50...400, using: &generator) : Int.random(in: 1...9, using: &generator)
  }
}

/// A layout of up to three sections, which now and then grow again.
func randomLayout(_ empty: some Layout, most: Int, using generator: inout SeededGenerator) -> any Layout {
  var layout = empty
  for _ in 0..<Int.random(in: 1...3, using: &generator) {
    layout.appendSection(.random(using: &generator))
  }
  for _ in 0..<Int.random(in: 1...4, using: &generator) {
    let heights = randomHeights(Int.random(in: 0...most, using: &generator), using: &generator)
    layout.append(itemHeights: heights, toSection: Int.random(in: 0..<layout.sectionCount, using: &generator))
  }
  return layout
}

/// Waterfall, grid and list in turn.
func randomLayout(number: Int, most: Int, using generator: inout SeededGenerator) -> any Layout {
  let width = Int.random(in: 0...60, using: &generator)
  switch number % 4 {
  case 0: return randomLayout(GridLayout(width: width), most: most, using: &generator)
  case 1: return randomLayout(ListLayout(width: width), most: most, using: &generator)
  default: return randomLayout(WaterfallLayout(width: width), most: most, using: &generator)
  }
}
