import Geometry
import WaterfallEngine

/// How fast the layouts are: 4 columns, items 4 to 20 units high, one unit between them, about 64 items in view.
enum EngineBenchmarks {
  static func run(_ report: (_ name: String, _ value: Double, _ unit: String) -> Void) {
    for (label, count) in [("1k", 1000), ("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000)] {
      let heights = Heights.random(count)
      measureLayout(heights) { report("engine.\($0).\(label)", $1, $2) }
      measureAppend(heights) { report("engine.\($0).\(label)", $1, $2) }
      measureQuery(heights) { report("engine.\($0).\(label)", $1, $2) }
      measureNavigation(heights) { report("engine.\($0).\(label)", $1, $2) }
    }
  }

  private typealias Report = (_ name: String, _ value: Double, _ unit: String) -> Void

  private static func measureLayout(_ heights: [Int], _ report: Report) {
    for columns in [1, 4, 8, 16] {
      let nanoseconds = median(of: 9, rounds: max(1, 100_000 / heights.count)) {
        waterfall(heights, columns: columns).contentSize.height
      }
      report("layout.\(columns)columns", nanoseconds / Double(heights.count), "ns/item")
    }
    let grid = median(of: 9, rounds: max(1, 100_000 / heights.count)) {
      filled(GridLayout(width: 160), heights, columns: 4).contentSize.height
    }
    report("layout.grid", grid / Double(heights.count), "ns/item")
    let bytes = waterfall(heights, columns: 4).storedByteCount
    report("memory", Double(bytes) / Double(heights.count), "bytes/item")
  }

  private static func measureAppend(_ heights: [Int], _ report: Report) {
    let page = Array(heights.prefix(20))
    var layout = waterfall(heights, columns: 4)
    let nanoseconds = median(of: 99, rounds: 20) {
      try! layout.append(itemHeights: page, toSection: 0)
      return layout.contentSize.height
    }
    report("append20", nanoseconds, "ns")
    report("memory.appended", bytesAfterAppending(heights), "bytes/item")
  }

  private static func bytesAfterAppending(_ heights: [Int]) -> Double {
    var layout = waterfall([], columns: 4)
    for start in stride(from: 0, to: heights.count, by: 20) {
      try! layout.append(itemHeights: Array(heights[start..<min(start + 20, heights.count)]), toSection: 0)
    }
    return Double(layout.storedByteCount) / Double(heights.count)
  }

  private static func measureQuery(_ heights: [Int], _ report: Report) {
    let plain = waterfall(heights, columns: 4)
    let giant = waterfall([min(1_000_000, heights.count * 3)] + heights, columns: 4)
    report("query.random", query(plain) { $0.next(below: $1) }, "ns")
    report("query.top", query(plain) { _, _ in 0 }, "ns")
    report("query.giant", query(giant) { $0.next(below: $1) }, "ns")
  }

  private static func query(_ layout: WaterfallLayout, row: (inout Heights, Int) -> Int) -> Double {
    var random = Heights(seed: 3)
    let rows = (0..<1024).map { _ in row(&random, layout.contentSize.height - 208) }
    var number = 0
    return median(of: 99, rounds: 32) {
      number = (number + 1) % rows.count
      return layout.layoutAttributesForElements(in: Rect(x: 0, y: rows[number], width: 160, height: 208))
        .count
    }
  }

  private static func measureNavigation(_ heights: [Int], _ report: Report) {
    let layout = waterfall(heights, columns: 4)
    var random = Heights(seed: 4)
    let items = (0..<4096).map { _ in random.next(below: heights.count) }
    for direction in Direction.allCases {
      var number = 0
      let nanoseconds = median(of: 99, rounds: 256) {
        number = (number + 1) % items.count
        var goal: NavigationGoal?
        return layout.neighbor(of: ElementPath(item: items[number]), toward: direction, goal: &goal)?
          .item ?? 0
      }
      report("neighbor.\(direction)", nanoseconds, "ns")
    }
    var number = 0
    let nanoseconds = median(of: 99, rounds: 256) {
      number = (number + 1) % items.count
      return layout.item(pageFrom: ElementPath(item: items[number]), by: 208)?.item ?? 0
    }
    report("page", nanoseconds, "ns")
  }

  private static func waterfall(_ heights: [Int], columns: Int) -> WaterfallLayout {
    filled(WaterfallLayout(width: 160), heights, columns: columns)
  }

  private static func filled<Filled: Layout>(_ layout: Filled, _ heights: [Int], columns: Int) -> Filled {
    var layout = layout
    var metrics = SectionMetrics()
    metrics.columns = .count(columns)
    metrics.columnSpacing = 1
    metrics.lineSpacing = 1
    metrics.insets = EdgeInsets(all: 1)
    try! layout.appendSection(metrics)
    try! layout.append(itemHeights: heights, toSection: 0)
    return layout
  }

  /// The median time of one round in nanoseconds; what `work` answers is used, so that it can't be left out.
  private static func median(of repeats: Int, rounds: Int, _ work: () -> Int) -> Double {
    var used = work()
    let clock = ContinuousClock()
    let times = (0..<repeats).map { _ in
      let time = clock.measure { for _ in 0..<rounds { used &+= work() } }
      return Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
    }
    precondition(used != .min)
    return times.sorted()[repeats / 2] / Double(rounds)
  }
}

/// Random numbers that are the same in every run (SplitMix64).
private struct Heights {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  static func random(_ count: Int) -> [Int] {
    var random = Heights(seed: 1)
    return (0..<count).map { _ in 4 + random.next(below: 17) }
  }

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ mixed >> 31) % UInt64(max(bound, 1)))
  }
}
