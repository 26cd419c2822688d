import EngineOracle
import WaterfallEngine

/// The time and memory to lay out a million items beside their goals; those that a reference limits are ratios to it.
/// Each is the minimum of seven rounds, in which reference and engine take turns. `.ci/check-instructions` counts the
/// work of queries and changes.
struct EngineTable {
  private var missedCount = 0
  private let heights = Heights.random(1_000_000)

  /// Prints the table. Returns the exit status: 1 if a goal is missed.
  static func run() -> Int32 {
    var table = EngineTable()
    table.printLine("figure", "measured", "goal")
    table.measureLayout()
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

  // MARK: - Measuring

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
