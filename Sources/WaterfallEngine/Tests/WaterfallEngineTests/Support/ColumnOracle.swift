import EngineOracle
import WaterfallEngine

extension SectionMetrics {
  /// The height of all bars above the items.
  var barHeight: Int {
    elements.reduce(0) { height, element in
      if case .aboveItems(let own) = element.placement { height + own } else { height }
    }
  }
}

/// The items that do not lie under the column that the order chooses, given the places of the items before them.
func misplacedItems(of layout: WaterfallLayout) -> [String] {
  (0..<layout.sectionCount).flatMap { section in
    let metrics = layout.metrics(ofSection: section)
    let columns = layout.columnExtents(ofSection: section)
    let frame = layout.frame(ofSection: section)
    let top = frame.minY + metrics.headerHeight + metrics.barHeight + metrics.insets.top
    var ends = [Int](repeating: top, count: columns.count)
    var last: Int?
    return (0..<layout.itemCount(inSection: section)).compactMap { item -> String? in
      let frame = layout.frame(item, section: section)
      let column = chosenColumn(metrics.order, ends, after: last)
      let isRight = frame.minY == ends[column] && frame.minX == columns[column].lowerBound
      ends[column] = frame.maxY + metrics.lineSpacing
      last = column
      return isRight ? nil : "item \(section).\(item) at \(frame) is not under column \(column)"
    }
  }
}

/// The column for the next item, by the simplest algorithm.
func chosenColumn(_ order: ItemOrder, _ ends: [Int], after last: Int?) -> Int {
  let count = ends.count
  let shortest = ends.min() ?? 0
  switch order {
  case .shortest: return ends.firstIndex(of: shortest) ?? 0
  case .leftToRight: return last.map { ($0 + 1) % count } ?? 0
  case .rightToLeft: return last.map { ($0 + count - 1) % count } ?? count - 1
  case .tolerance(let tolerance):
    let cursor = last.map { $0 + 1 } ?? 0
    return (0..<count).map { (cursor + $0) % count }.first { ends[$0] <= shortest + tolerance } ?? 0
  }
}
