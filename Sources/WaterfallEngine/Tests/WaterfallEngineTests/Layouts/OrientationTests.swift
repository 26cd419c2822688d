import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct OrientationTests {
  @Test func `moves follow the directions of the screen`() {
    var generator = SeededGenerator(seed: 71)
    for number in 0..<900 {
      let layout = anyLayout(number: number, most: 20, using: &generator)
      guard let path = layout.allPaths.randomElement(using: &generator) else { continue }
      let frame = layout.frame(ofItem: path)
      guard !frame.isEmpty else { continue }
      for direction in Direction.allCases {
        var goal: NavigationGoal?
        guard let next = layout.neighbor(of: path, toward: direction, goal: &goal) else { continue }
        let other = layout.frame(ofItem: next)
        switch direction {
        case .left: #expect(other.minX < frame.minX || other.maxX < frame.maxX || other.width == 0)
        case .right: #expect(other.maxX > frame.maxX || other.minX > frame.minX || other.width == 0)
        case .up: #expect(other.minY < frame.minY || other.height == 0)
        case .down: #expect(other.maxY > frame.maxY || other.minY > frame.minY || other.height == 0)
        }
      }
    }
  }
}
