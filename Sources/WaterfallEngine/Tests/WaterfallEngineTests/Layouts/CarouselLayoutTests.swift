import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct CarouselLayoutTests {
  let layout = CarouselLayout(viewport: Size(width: 20, height: 4))
    .adding([10, 10, 10], .cells(.count(1), line: 2))

  @Test func `the middle item is largest, and all shrink with their distance`() {
    let viewport = layout.viewport(at: 12, length: 20)
    let seen = layout.layoutAttributes(inViewport: viewport)
    #expect(seen.map(\.scale) == [0.7, 1, 0.7])
  }

  @Test func `an item one unit high stays visible beside the middle`() {
    let flat = CarouselLayout(viewport: Size(width: 20, height: 1)).adding([4, 4, 4], .cells(.count(1), line: 2))
    let seen = flat.layoutAttributes(inViewport: flat.viewport(at: 7, length: 20))
    #expect(seen.map(\.frame.height) == [1, 1, 1])
  }

  @Test func `the first and the last item can lie in the middle`() {
    #expect(layout.frame(0).midX == 10)
    #expect(layout.contentSize.width - layout.frame(2).midX == 10)
  }

  @Test func `the view snaps to the nearest middle`() {
    func target(_ offset: Int, _ velocity: Int = 0) -> Int {
      layout.targetContentOffset(forProposed: offset, velocity: velocity, viewportLength: 20)
    }
    #expect([0, 5, 7, 12, 17, 19, 99].map { target($0) } == [0, 0, 12, 12, 12, 24, 24])
    #expect(target(1, 5) == 12)
    #expect(target(11, -5) == 0)
    // A flick that ends at a middle stays there.
    #expect(target(12, 5) == 12 && target(12, -5) == 12)
    #expect(target(24, 5) == 24)
  }

  @Test func `a last item of an odd length can lie in the middle`() {
    let odd = CarouselLayout(viewport: Size(width: 20, height: 4)).adding([9], .cells(.count(1)))
    #expect(odd.frame(0) == Rect(x: 5, y: 0, width: 9, height: 4))
    #expect(odd.contentSize.width == 20)
  }

  @Test func `scrolling invalidates the visible elements`() {
    let old = layout.viewport(at: 0, length: 20)
    #expect(layout.invalidates(forBoundsChangeFrom: old, to: layout.viewport(at: 1, length: 20)))
    #expect(!layout.invalidates(forBoundsChangeFrom: old, to: old))
  }

  @Test func `left and right move to the adjacent items`() {
    var goal: NavigationGoal?
    let path = ElementPath(item: 1)
    #expect(layout.neighbor(of: path, toward: .right, goal: &goal) == ElementPath(item: 2))
    #expect(layout.neighbor(of: path, toward: .left, goal: &goal) == ElementPath(item: 0))
    #expect(layout.neighbor(of: path, toward: .up, goal: &goal) == nil)
  }

  @Test func `changing the viewport length moves the margins`() {
    var other = layout
    other.setViewportLength(30)
    #expect(other.frame(0).midX == 15)
    #expect(other.targetContentOffset(forProposed: 9, velocity: 0, viewportLength: 30) == 12)
  }

  @Test func `the invariants hold after any changes in every orientation`() throws {
    var generator = SeededGenerator(seed: 80)
    for number in 0..<200 {
      var layout: any CollectionLayout = CarouselLayout(
        viewport: Size(width: 30, height: 20), orientation: Orientation.all[number % 4]
      ).adding([], .random(using: &generator)).adding([], .random(using: &generator))
      for _ in 0..<9 { try layout.edit(using: &generator) }
      #expect(layout.invariantViolations() == [])
      for offset in stride(from: 0, to: layout.contentLength, by: 7) {
        let target = layout.targetContentOffset(forProposed: offset, velocity: 0, viewportLength: 30)
        let again = layout.targetContentOffset(forProposed: target, velocity: 0, viewportLength: 30)
        #expect(again == target)
      }
    }
  }
}
