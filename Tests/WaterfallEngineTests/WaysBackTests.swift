import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct WaysBackTests {
  @Test func `as many moves in any direction and back come home, through sections and rows of any kind`() {
    var generator = SeededGenerator(seed: 62)
    for number in 0..<900 {
      let layout = anyLayout(number: number, most: 15, using: &generator)
      for home in layout.allPaths {
        for (there, back) in [(Direction.left, Direction.right), (.right, .left), (.up, .down), (.down, .up)] {
          var goal: NavigationGoal?
          var path = home
          var way = [home]
          while way.count < 60, let next = layout.neighbor(of: path, toward: there, goal: &goal) {
            path = next
            way.append(next)
          }
          var wayBack = [path]
          for _ in 1..<way.count {
            path = layout.neighbor(of: path, toward: back, goal: &goal) ?? path
            wayBack.append(path)
          }
          guard path == home else {
            Issue.record(
              "layout \(number) \(type(of: layout)): \(there) by \(way), back by \(wayBack) of\n\(layout.drawing)")
            return
          }
        }
      }
    }
  }

  @Test func `every item of any layout can be reached`() {
    var generator = SeededGenerator(seed: 63)
    for number in 0..<300 {
      let layout = anyLayout(number: number, most: 12, using: &generator)
      let reached = reachedItems(in: layout)
      guard reached == layout.allPaths.count else {
        Issue.record("layout \(number) \(type(of: layout)): \(reached) of \(layout.allPaths.count)\n\(layout.drawing)")
        return
      }
    }
  }

  @Test func `a short section on the way does not lead astray`() {
    let layout = WaterfallLayout(width: 8)
      .adding([1, 1, 1], .cells(.count(3))).adding([1], .cells(.count(3))).adding([1, 1, 1], .cells(.count(3)))
    var goal: NavigationGoal?
    let short = layout.neighbor(of: ElementPath(item: 2), toward: .down, goal: &goal)
    #expect(short == ElementPath(section: 1, item: 0))
    let home = layout.neighbor(of: ElementPath(section: 1, item: 0), toward: .up, goal: &goal)
    #expect(home == ElementPath(item: 2))
  }

  /// How many items moves lead to from the first one, goals included.
  private func reachedItems(in layout: any Layout) -> Int {
    guard let first = layout.firstItem else { return 0 }
    struct State: Hashable {
      var path: ElementPath
      var goal: NavigationGoal?
    }
    var seen: Set = [State(path: first, goal: nil)]
    var open = Array(seen)
    while let state = open.popLast() {
      for direction in Direction.allCases {
        for goal in [state.goal, nil] {
          var next = goal
          guard let path = layout.neighbor(of: state.path, toward: direction, goal: &next) else { continue }
          if seen.insert(State(path: path, goal: next)).inserted { open.append(State(path: path, goal: next)) }
        }
      }
    }
    return Set(seen.map(\.path)).count
  }
}
