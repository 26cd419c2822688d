import WaterfallEngine

/// The quality of the layouts as the user sees it. Each figure is reported with its goal.
enum EngineQuality {
  typealias Report = (_ name: String, _ value: Double, _ unit: String) -> Void

  static func run(_ report: Report) {
    stability(report)
    tolerance(report)
    spans(report)
    report("widths.unused cells, 20 to 400 and 1 to 16 columns (goal 0)", Double(unusedCells()), "cells")
  }

  /// A card above the viewport grows: the visible cards that change their column, and the distance the anchor moves.
  private static func stability(_ report: Report) {
    var random = Heights(seed: 7)
    var changed = (stable: 0, packed: 0, of: 0, anchor: 0, appended: 0)
    for seed in 0..<200 {
      let heights = Heights.random(2000, seed: UInt64(seed))
      let layout = waterfall(heights)
      let offset = layout.contentSize.height / 2
      let seen = layout.layoutAttributes(inViewport: layout.viewport(at: offset, length: 208))
      var stable = layout
      let path = ElementPath(item: random.next(below: 400))
      carryOut { () throws(LayoutError) in try stable.setItemHeight(30, at: path) }
      var packed = stable
      packed.repack(from: ElementPath(item: 0))
      for item in seen {
        changed.of += 1
        if stable.frame(ofItem: item.path).minX != item.frame.minX { changed.stable += 1 }
        if packed.frame(ofItem: item.path).minX != item.frame.minX { changed.packed += 1 }
      }
      if let anchor = layout.firstVisibleAnchor(contentOffset: offset, viewportLength: 208) {
        let kept = stable.contentOffset(keeping: anchor, viewportLength: 208)
        changed.anchor += abs(stable.anchor(at: anchor.path, contentOffset: kept).screenRow - anchor.screenRow)
      }
      append(Heights.random(20), to: &stable)
      changed.appended += seen.count { layout.layoutAttributes(of: .item, at: $0.path) != $0 }
    }
    report("stability.change column (goal 0)", 100 * Double(changed.stable) / Double(changed.of), "%")
    report("stability.change column if packed anew (82)", 100 * Double(changed.packed) / Double(changed.of), "%")
    report("stability.anchor moves (goal 0)", Double(changed.anchor), "rows")
    report("stability.append moves (goal 0)", Double(changed.appended), "cards")
    report("stability.drift after 10k changes (951)", Double(drift(packed: false)), "rows")
    report("stability.drift after packing anew (15)", Double(drift(packed: true)), "rows")
  }

  private static func drift(packed: Bool) -> Int {
    var random = Heights(seed: 8)
    var layout = waterfall(Heights.random(100_000))
    for _ in 0..<10_000 {
      let path = ElementPath(item: random.next(below: 100_000))
      carryOut { () throws(LayoutError) in try layout.setItemHeight(4 + random.next(below: 17), at: path) }
    }
    if packed { layout.repack(from: ElementPath(item: 0)) }
    return raggedness(layout)
  }

  /// The distance between the highest and the lowest end of a column.
  private static func raggedness(_ layout: WaterfallLayout) -> Int {
    var ends: [Int: Int] = [:]
    for item in 0..<layout.itemCount(inSection: 0) {
      let frame = layout.frame(ofItem: ElementPath(item: item))
      ends[frame.minX] = frame.maxY
    }
    return (ends.values.max() ?? 0) - (ends.values.min() ?? 0)
  }

  private static func tolerance(_ report: Report) {
    for (name, order) in [("shortest (35)", ItemOrder.shortest), ("tolerance 4 (goal 74)", .tolerance(4))] {
      report("order.next column, \(name)", 100 * nextColumnShare(order), "%")
    }
    report(
      "order.more raggedness at tolerance 4 (goal 1.2)", meanRaggedness(.tolerance(4)) - meanRaggedness(.shortest),
      "rows")
  }

  private static func nextColumnShare(_ order: ItemOrder) -> Double {
    let layout = waterfall(Heights.random(100_000), order)
    let columns = (0..<100_000).map {
      layout.frame(ofItem: ElementPath(item: $0)).minX * 4 / 160
    }
    let next = zip(columns, columns.dropFirst()).count { $1 == ($0 + 1) % 4 }
    return Double(next) / Double(columns.count - 1)
  }

  private static func meanRaggedness(_ order: ItemOrder) -> Double {
    let sum = (0..<1000).reduce(0) { $0 + raggedness(waterfall(Heights.random(1000, seed: UInt64($1)), order)) }
    return Double(sum) / 1000
  }

  private static func spans(_ report: Report) {
    let goals = [
      ("in order (4.56)", SpanPacking.inOrder), ("reordering (goal 1.35)", .reordering(within: 9)),
      ("dense (goal 1.05)", .dense),
    ]
    let items = Heights.mixed(20_000)
    for (name, packing) in goals {
      let layout = spanning(items, packing)
      report("spans.empty area, \(name)", 100 * emptyShare(layout, items), "%")
      let time = fastest(of: 3) { spanning(items, packing).contentSize.height }
      report("spans.time, \(name)", time / Double(items.count), "ns/item")
    }
  }

  static func spanning(_ items: [ItemSize], _ packing: SpanPacking) -> WaterfallLayout {
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

  /// The part of the area above the shortest column's end that neither items nor gaps cover.
  private static func emptyShare(_ layout: WaterfallLayout, _ items: [ItemSize]) -> Double {
    let covered = items.reduce(0) { sum, item in
      let span =
        switch item.span {
        case .full: 4
        case .columns(let count): count
        }
      return sum + span * (item.height + 1)
    }
    let area = 4 * (layout.contentSize.height + 1)
    return Double(area - covered) / Double(area)
  }

  private static func unusedCells() -> Int {
    var unused = 0
    for width in 20...400 {
      for columns in 1...16 {
        let layout = filled(WaterfallLayout(width: width), [], metrics(columns))
        let last = layout.columnCount(inSection: 0)
        let widths = (0..<last).reduce(0) { $0 + layout.width(ofColumn: $1, inSection: 0) }
        unused += width - 2 - widths - (last - 1)
      }
    }
    return unused
  }
}
