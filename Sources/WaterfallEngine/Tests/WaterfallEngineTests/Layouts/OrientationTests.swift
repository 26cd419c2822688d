import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct OrientationTests {
  private func drawing(_ orientation: Orientation) -> String {
    WaterfallLayout(breadth: 5, orientation: orientation)
      .adding([1, 2, 1], .cells(.count(2), header: 1)).drawing
  }

  @Test func `a mirrored layout begins at the right`() {
    #expect(drawing(.vertical) == "=====\nAA.BB\n...BB\nCC...")
    #expect(drawing(Orientation(.vertical, isMirrored: true)) == "=====\nBB.AA\nBB...\n...CC")
  }

  @Test func `a horizontal layout scrolls to the right, and its columns are rows`() {
    #expect(drawing(.horizontal) == "=A.C\n=A.C\n=...\n=BB.\n=BB.")
    #expect(drawing(Orientation(.horizontal, isMirrored: true)) == "C.A=\nC.A=\n...=\n.BB=\n.BB=")
  }

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

  @Test func `an anchor keeps its place in every orientation`() throws {
    var generator = SeededGenerator(seed: 72)
    for orientation in Orientation.all {
      let heights = (0..<200).map { _ in Int.random(in: 4...20, using: &generator) }
      var layout = WaterfallLayout(breadth: 80, orientation: orientation).adding(heights, .cells(.count(4)))
      let anchor = try #require(layout.firstVisibleAnchor(contentOffset: 200, viewportLength: 60))
      let before = layout.frame(ofItem: anchor.path)
      let place = before.origin.x - layout.viewport(at: 200, length: 60).minX
      try layout.insert([ItemSize(height: 9, span: .full)], at: ElementPath(item: 2))
      var moved = anchor
      moved.path.item += 1
      let offset = layout.contentOffset(keeping: moved, viewportLength: 60)
      #expect(layout.anchor(at: moved.path, contentOffset: offset) == moved)
      let after = layout.frame(ofItem: moved.path)
      #expect(after.origin.x - layout.viewport(at: offset, length: 60).minX == place)
    }
  }
}
