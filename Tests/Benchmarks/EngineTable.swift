import EngineOracle
import WaterfallEngine

/// The engine's figures among a million items beside their goals; those that a reference limits are ratios to it. Each
/// is the minimum of seven rounds, in which reference and engine take turns.
struct EngineTable {
  private var missedCount = 0
  private let heights = Heights.random(1_000_000)

  /// Prints the table. Returns the exit status: 1 if a goal is missed.
  static func run() -> Int32 {
    var table = EngineTable()
    table.printLine("figure", "measured", "goal")
    table.measureLayout()
    table.measureReading()
    table.measureChanges()
    table.measureWideItem()
    print(table.missedCount == 0 ? "all goals are reached" : "missed goals: \(table.missedCount)")
    return table.missedCount == 0 ? 0 : 1
  }

  // MARK: - Rows

  private mutating func measureLayout() {
    let heights = heights
    let times = EngineTable.times([
      { limitProbe(heights) }, { waterfall(heights).contentSize.height },
      { waterfall(heights, columns: 8).contentSize.height }, { waterfall(heights, columns: 16).contentSize.height },
    ])
    report("layout, 4 columns ÷ limit probe", times[1] / times[0], 2.2, "times")
    report("layout, 8 columns ÷ limit probe", times[2] / times[0], 2.2, "times")
    report("layout, 16 ÷ 4 columns", times[3] / times[1], 3, "times")
    let mixed = Heights.mixed(100_000)
    let spans = EngineTable.times([{ spanning(mixed, .inOrder).contentSize.height }])
    report("layout, spans in order", spans[0] / 100_000, 10, "ns/item")
    report("memory", Double(waterfall(heights).storedByteCount) / 1e6, 6, "bytes/item")
  }

  private mutating func measureReading() {
    let layout = waterfall(heights)
    let wide = EngineTable.withWideItem(heights)
    let (query, beside, anchor) = (
      EngineTable.repeated(1024, layout) { $0.layoutAttributes(in: EngineTable.viewport($1)).count },
      EngineTable.repeated(1024, wide) { $0.layoutAttributes(in: EngineTable.viewport($1)).count },
      EngineTable.repeated(1024, layout) {
        $0.firstVisibleAnchor(contentOffset: $1, viewportLength: 208)?.path.item ?? 0
      }
    )
    let times = EngineTable.times([query, beside, anchor]).map { $0 / 1024 }
    report("query", times[0] / 1000, 1.4, "µs")
    report("query, with a wide card ÷ without", times[1] / times[0], 1.5, "times")
    report("first visible anchor ÷ query", times[2] / times[0], 1.2, "times")
    let arrows = EngineTable.times([
      EngineTable.repeated(4096, layout) { EngineTable.neighbor($0, .right, $1) },
      EngineTable.repeated(4096, wide) { EngineTable.neighbor($0, .right, $1) },
      EngineTable.repeated(4096, wide) { EngineTable.neighbor($0, .down, $1) },
    ]).map { $0 / 4096 }
    report("arrow to the right, cold item", arrows[0], 150, "ns")
    report("arrow to the right, with a wide card", arrows[1] / 1000, 0.5, "µs")
    report("arrow down, with a wide card", arrows[2] / 1000, 0.5, "µs")
  }

  private mutating func measureChanges() {
    let page = Array(heights.prefix(20))
    var (layout, arrays) = (waterfall(heights), PlainArrays(heights))
    var appended = layout
    let appends = EngineTable.times([
      { EngineTable.count(500) { arrays.append(page) } }, { EngineTable.count(500) { append(page, to: &appended) } },
    ])
    report("append 20 ÷ plain arrays", appends[1] / appends[0], 1.5, "times")
    for (count, rounds, goal) in [(1, 20, 28.0), (9, 5, 200), (500, 2, 1500)] {
      var height = 4
      let time = EngineTable.times([
        {
          EngineTable.count(rounds) {
            height = 24 - height
            let new = [Int](repeating: height, count: count)
            carryOut { () throws(LayoutError) in
              try layout.setItemHeights(new, from: ElementPath(item: 7), areEstimates: false)
            }
          }
        }
      ])
      report("\(count) \(count == 1 ? "height" : "heights") at the top", time[0] / Double(rounds) / 1000, goal, "µs")
    }
    var columns = 4
    let heights = heights
    let change = EngineTable.times([
      { limitProbe(heights) },
      {
        columns = 10 - columns
        carryOut { () throws(LayoutError) in try layout.setMetrics(metrics(columns), ofSection: 0) }
        return layout.contentSize.height
      },
    ])
    // Half the time of FlexLayout in C++, which takes 15 to 20 times as long as the probe.
    report("4 to 6 columns in place ÷ limit probe", change[1] / change[0], 7.3, "times")
  }

  private mutating func measureWideItem() {
    let items = [ItemSize(height: 4, span: .columns(2))] + heights.map { ItemSize(height: $0) }
    let layouts = EngineTable.times([{ spanning(items, .reordering(within: 9)).contentSize.height }])
    report("layout, with a wide card", layouts[0] / 1e6, 30, "ns/item")
    var layout = EngineTable.withWideItem(heights)
    var height = 4
    let change = EngineTable.times([
      {
        height = 24 - height
        carryOut { () throws(LayoutError) in try layout.setItemHeight(height, at: ElementPath(item: 7)) }
        return layout.contentSize.height
      }
    ])
    report("height change, with a wide card", change[0] / 1e6, 2, "ms")
  }

  // MARK: - Measuring

  /// A wide card in the middle of a million others.
  private static func withWideItem(_ heights: [Int]) -> WaterfallLayout {
    var items = heights.map { ItemSize(height: $0) }
    items[heights.count / 2].span = .columns(2)
    return spanning(items, .reordering(within: 9))
  }

  private static func viewport(_ row: Int) -> Rect { Rect(x: 0, y: row, width: 160, height: 208) }

  private static func neighbor(_ layout: WaterfallLayout, _ direction: Direction, _ row: Int) -> Int {
    var goal: NavigationGoal?
    let path = ElementPath(item: row % layout.itemCount(inSection: 0))
    return layout.neighbor(of: path, toward: direction, goal: &goal)?.item ?? 0
  }

  /// The work at random rows.
  private static func repeated(
    _ count: Int, _ layout: WaterfallLayout, _ work: @escaping (WaterfallLayout, _ row: Int) -> Int
  ) -> () -> Int {
    var random = Heights(seed: 3)
    let rows = (0..<count).map { _ in random.next(below: layout.contentSize.height - 208) }
    return { rows.reduce(0) { $0 &+ work(layout, $1) } }
  }

  private static func count(_ rounds: Int, _ work: () -> Void) -> Int {
    for _ in 0..<rounds { work() }
    return rounds
  }

  /// The shortest time of each work in seven rounds, in nanoseconds.
  private static func times(_ works: [() -> Int]) -> [Double] {
    var least = works.map { _ in Double.infinity }
    for _ in 0..<7 {
      for (number, work) in works.enumerated() { least[number] = min(least[number], nanoseconds(work)) }
    }
    return least
  }

  /// The time of the second of two runs.
  private static func nanoseconds(_ work: () -> Int) -> Double {
    var used = work()
    let time = ContinuousClock().measure { used &+= work() }
    precondition(used != .min)
    return time / .nanoseconds(1)
  }

  // MARK: - Printing

  private mutating func report(_ figure: String, _ value: Double, _ goal: Double, _ unit: String) {
    if value > goal { missedCount += 1 }
    let rounded = (value * 100).rounded() / 100
    printLine((value > goal ? "! " : "  ") + figure, "\(rounded)", "\(goal) \(unit)")
  }

  private func printLine(_ figure: String, _ value: String, _ goal: String) {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    print(padded(figure, 42) + padded(value, 12) + goal)
  }
}
