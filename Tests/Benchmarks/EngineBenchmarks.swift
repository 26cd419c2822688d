import EngineOracle
import WaterfallEngine

/// The speed of the layouts: 4 columns, items 4 to 20 units high, one unit between them, about 64 items in view.
enum EngineBenchmarks {
  typealias Report = (_ name: String, _ value: Double, _ unit: String) -> Void

  static func run(_ report: Report) {
    for (label, count) in [
      ("1k", 1000), ("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000), ("10M", 10_000_000),
    ] {
      let heights = Heights.random(count)
      func named(_ name: String, _ value: Double, _ unit: String) { report("engine.\(name).\(label)", value, unit) }
      measureLayout(heights, named)
      measureMemory(heights, named)
      measureAppend(heights, named)
      measureQuery(heights, named)
      measureEdits(heights, named)
      measureNavigation(heights, named)
    }
    EngineQuality.run { report("engine.quality.\($0)", $1, $2) }
  }

  /// The limit probe only finds the shortest column; the plain arrays store every frame.
  private static func measureLayout(_ heights: [Int], _ report: Report) {
    let rounds = max(1, 100_000 / heights.count)
    let repeats = heights.count > 1_000_000 ? 3 : 9
    func perItem(_ name: String, _ work: () -> Int) -> Double {
      let nanoseconds = median(of: repeats, rounds: rounds, work) / Double(heights.count)
      report(name, nanoseconds, "ns/item")
      return nanoseconds
    }
    let probe = perItem("limit probe.4columns") { limitProbe(heights) }
    _ = perItem("plain arrays.4columns") { PlainArrays(heights).tops.count }
    for columns in [1, 4, 8, 16] {
      let own = perItem("layout.\(columns)columns") { waterfall(heights, columns: columns).contentSize.height }
      if columns == 4 { report("layout ÷ limit probe", own / probe, "times") }
    }
    _ = perItem("layout.tolerance") { waterfall(heights, .tolerance(4)).contentSize.height }
    _ = perItem("layout.grid") { filled(RowGridLayout(width: 160), heights, metrics(4)).contentSize.height }
    _ = perItem("layout.list") { filled(ListLayout(width: 160), heights, metrics(1)).contentSize.height }
    _ = perItem("layout.100sections") { sections(heights).contentSize.height }
    guard heights.count <= 100_000 else { return }
    let mixed = Heights.mixed(heights.count)
    for (name, packing) in [
      ("in order", SpanPacking.inOrder), ("reordering", .reordering(within: 9)), ("dense", .dense),
    ] {
      _ = perItem("layout.spans \(name)") { EngineQuality.spanning(mixed, packing).contentSize.height }
    }
  }

  private static func sections(_ heights: [Int]) -> WaterfallLayout {
    var layout = WaterfallLayout(width: 160)
    for section in 0..<100 {
      carryOut { () throws(LayoutError) in try layout.appendSection(metrics(4)) }
      let part = heights.count * section / 100..<heights.count * (section + 1) / 100
      carryOut { () throws(LayoutError) in try layout.append(itemHeights: Array(heights[part]), toSection: section) }
    }
    return layout
  }

  private static func measureMemory(_ heights: [Int], _ report: Report) {
    let count = Double(heights.count)
    report("memory", Double(waterfall(heights).storedByteCount) / count, "bytes/item")
    var layout = waterfall([])
    for start in stride(from: 0, to: heights.count, by: 20) {
      append(Array(heights[start..<min(start + 20, heights.count)]), to: &layout)
    }
    report("memory.appended", Double(layout.storedByteCount) / count, "bytes/item")
  }

  private static func measureAppend(_ heights: [Int], _ report: Report) {
    let page = Array(heights.prefix(20))
    var layout = waterfall(heights)
    let nanoseconds = median(of: 99, rounds: 20) {
      append(page, to: &layout)
      return layout.contentSize.height
    }
    report("append20", nanoseconds, "ns")
  }

  private static func measureQuery(_ heights: [Int], _ report: Report) {
    let plain = waterfall(heights)
    let giant = waterfall([min(1_000_000, heights.count * 3)] + heights)
    report("query.random", query(plain) { $0.next(below: $1) }, "ns")
    report("query.top", query(plain) { _, _ in 0 }, "ns")
    report("query.giant", query(giant) { $0.next(below: $1) }, "ns")
    let arrays = PlainArrays(heights)
    var random = Heights(seed: 3)
    let rows = (0..<1024).map { _ in random.next(below: plain.contentSize.height - 208) }
    var number = 0
    let nanoseconds = median(of: 99, rounds: 32) {
      number = (number + 1) % rows.count
      return arrays.items(from: rows[number], to: rows[number] + 208).count
    }
    report("plain arrays.query", nanoseconds, "ns")
    report("query.worst place", worstQuery(plain), "ns")
  }

  /// The slowest of 1024 places, each measured by its fastest run.
  private static func worstQuery(_ layout: WaterfallLayout) -> Double {
    let last = layout.contentSize.height - 208
    return (0..<1024).map { place in
      let rect = Rect(x: 0, y: last * place / 1023, width: 160, height: 208)
      return fastest(of: 9) { layout.layoutAttributes(in: rect).count }
    }.max() ?? 0
  }

  private static func query(_ layout: WaterfallLayout, row: (inout Heights, Int) -> Int) -> Double {
    var random = Heights(seed: 3)
    let rows = (0..<1024).map { _ in row(&random, layout.contentSize.height - 208) }
    var number = 0
    return median(of: 99, rounds: 32) {
      number = (number + 1) % rows.count
      return layout.layoutAttributes(in: Rect(x: 0, y: rows[number], width: 160, height: 208)).count
    }
  }

  /// Edits at the top, with most items below.
  private static func measureEdits(_ heights: [Int], _ report: Report) {
    var layout = waterfall(heights)
    var height = 4
    let change = median(of: 49, rounds: 4) {
      height = height == 4 ? 20 : 4
      carryOut { () throws(LayoutError) in try layout.setItemHeight(height, at: ElementPath(item: 7)) }
      return layout.contentSize.height
    }
    report("height change", change / 1000, "µs")
    if heights.count <= 100_000 { measureSpanningEdit(heights.count, report) }
    let page = Array(heights.prefix(20))
    let prepend = median(of: 9, rounds: 1) {
      carryOut { () throws(LayoutError) in try layout.insert(itemHeights: page, at: ElementPath(item: 0)) }
      return layout.contentSize.height
    }
    report("prepend20", prepend / 1000, "µs")
    let width = median(of: heights.count > 1_000_000 ? 3 : 9, rounds: max(1, 100_000 / heights.count)) {
      waterfall(heights, columns: 6).contentSize.height
    }
    report("4 to 6 columns", width / 1e6, "ms")
  }

  /// Edits in the middle, with items that span columns and may be out of order.
  private static func measureSpanningEdit(_ count: Int, _ report: Report) {
    var layout = EngineQuality.spanning(Heights.mixed(count), .reordering(within: 9))
    var height = 4
    let change = median(of: 9, rounds: 1) {
      height = height == 4 ? 20 : 4
      carryOut { () throws(LayoutError) in try layout.setItemHeight(height, at: ElementPath(item: count / 2)) }
      return layout.contentSize.height
    }
    report("height change.spans", change / 1000, "µs")
  }

  private static func measureNavigation(_ heights: [Int], _ report: Report) {
    let layout = waterfall(heights)
    var random = Heights(seed: 4)
    let items = (0..<4096).map { _ in random.next(below: heights.count) }
    for direction in Direction.allCases {
      var number = 0
      let nanoseconds = median(of: 99, rounds: 256) {
        number = (number + 1) % items.count
        var goal: NavigationGoal?
        return layout.neighbor(of: ElementPath(item: items[number]), toward: direction, goal: &goal)?.item ?? 0
      }
      report("neighbor.\(direction)", nanoseconds, "ns")
    }
    report("neighbor.walk", walk(layout, &random), "ns")
    var number = 0
    let nanoseconds = median(of: 99, rounds: 256) {
      number = (number + 1) % items.count
      return layout.item(pageFrom: ElementPath(item: items[number]), by: 208)?.item ?? 0
    }
    report("page", nanoseconds, "ns")
  }

  /// A random walk from item to item.
  private static func walk(_ layout: WaterfallLayout, _ random: inout Heights) -> Double {
    let moves = (0..<4096).map { _ in Direction.allCases[random.next(below: 4)] }
    var path = ElementPath(item: layout.itemCount(inSection: 0) / 2)
    var goal: NavigationGoal?
    var number = 0
    return median(of: 99, rounds: 256) {
      number = (number + 1) % moves.count
      path = layout.neighbor(of: path, toward: moves[number], goal: &goal) ?? path
      return path.item
    }
  }
}
