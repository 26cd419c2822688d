import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct OppositeMoveTests {
  @Test func `the same number of opposite moves returns to the start, through sections and rows of any kind`() {
    var generator = SeededGenerator(seed: 62)
    for number in 0..<900 {
      let layout = anyLayout(number: number, most: 15, using: &generator)
      for start in layout.allPaths {
        for (outward, back) in [(Direction.left, Direction.right), (.right, .left), (.up, .down), (.down, .up)] {
          var goal: NavigationGoal?
          var path = start
          var way = [start]
          while way.count < 60, let next = layout.neighbor(of: path, toward: outward, goal: &goal) {
            path = next
            way.append(next)
          }
          var wayBack = [path]
          for _ in 1..<way.count {
            path = layout.neighbor(of: path, toward: back, goal: &goal) ?? path
            wayBack.append(path)
          }
          guard path == start else {
            Issue.record(
              "layout \(number) \(type(of: layout)): \(outward) by \(way), back by \(wayBack) of\n\(layout.drawing)")
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
      let reached = reachedItemCount(in: layout)
      guard reached == layout.allPaths.count else {
        Issue.record("layout \(number) \(type(of: layout)): \(reached) of \(layout.allPaths.count)\n\(layout.drawing)")
        return
      }
    }
  }
}
