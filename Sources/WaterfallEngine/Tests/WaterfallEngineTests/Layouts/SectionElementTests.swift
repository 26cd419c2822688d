import EngineOracle
import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct SectionElementTests {
  private let badge = SectionElement(
    .supplementary(7), .overItems(size: Size(width: 2, height: 1), corner: .bottomLeft))

  private func metrics(_ elements: [SectionElement]) -> SectionMetrics {
    SectionMetrics.cells(.count(2), header: 1, footer: 1).with(\.elements, elements)
  }

  @Test func `bars lie between the header, the items and the footer, in their order`() {
    let elements = [
      SectionElement(.supplementary(1), .aboveItems(height: 1)), SectionElement(.decoration(1), .aboveItems(height: 2)),
      SectionElement(.decoration(2), .belowItems(height: 1)),
      SectionElement(.supplementary(2), .belowItems(height: 1)),
    ]
    let layout = WaterfallLayout(width: 5).adding([1, 1], metrics(elements))
    #expect(layout.drawing == "=====\n*****\n:::::\n:::::\nAA.BB\n:::::\n*****\n-----")
    #expect(layout.invariantViolations() == [])
  }

  @Test func `an element over items is never larger than its item`() {
    let layout = WaterfallLayout(width: 3).adding([2, 0], metrics([badge]))
    let found = layout.layoutAttributes(of: .supplementary(7), at: ElementPath(item: 0))
    #expect(found?.frame == Rect(x: 0, y: 2, width: 1, height: 1))
    #expect(found?.zIndex == 1)
    #expect(layout.layoutAttributes(of: .supplementary(7), at: ElementPath(item: 1)) == nil)
    #expect(layout.layoutAttributes(of: .supplementary(8), at: ElementPath(item: 0)) == nil)
  }

  @Test func `a carousel scales an element with its item`() throws {
    let metrics = SectionMetrics.cells(.count(1)).with(\.elements, [badge])
    let layout = CarouselLayout(viewport: Size(width: 40, height: 20)).adding([14, 14, 14, 14], metrics)
    let elements = layout.layoutAttributes(inViewport: layout.viewport(at: 14, length: 40))
    let badges = elements.filter { $0.kind == .supplementary(7) }
    #expect(badges.count > 1)
    for badge in badges {
      let item = try #require(elements.first { $0.kind == .item && $0.path == badge.path })
      #expect(item.frame.intersection(badge.frame) == badge.frame)
      #expect(item.permille == badge.permille)
    }
  }

  @Test func `the engine's own kinds and repeated kinds are refused`() {
    var layout = WaterfallLayout(width: 5).adding([1], metrics([]))
    for kind in [ElementKind.item, .globalHeader, .header, .footer, .background, .separator] {
      #expect(throws: LayoutError.elementKind(kind)) {
        try layout.setMetrics(metrics([SectionElement(kind, .behindItems)]), ofSection: 0)
      }
    }
    #expect(throws: LayoutError.elementKind(badge.kind)) { try layout.appendSection(metrics([badge, badge])) }
    for height in [Int.min, -1, LayoutLimits.length + 1] {
      let bar = SectionElement(.decoration(1), .aboveItems(height: height))
      #expect(throws: LayoutError.measure(name: "elements.height", value: height)) {
        try layout.appendSection(metrics([bar]))
      }
    }
    #expect(layout.sectionCount == 1)
  }

  @Test func `changing the elements moves the items and the sections below`() throws {
    var layout = WaterfallLayout(width: 5).adding([1], metrics([])).adding([1], metrics([]))
    let bar = SectionElement(.supplementary(1), .aboveItems(height: 3))
    try layout.setMetrics(metrics([bar]), ofSection: 0)
    #expect(layout.frame(0).minY == 4)
    #expect(layout.frame(ofSection: 1).minY == 6)
    #expect(layout.invariantViolations() == [])
  }
}
