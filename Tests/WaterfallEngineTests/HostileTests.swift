import Geometry
import Testing
import WaterfallEngine

struct HostileTests {
  static let empty: [any Layout] = [WaterfallLayout(width: 9), GridLayout(width: 9), ListLayout(width: 9)]

  @Test(arguments: empty)
  func `heights are taken to one unit and to a million`(layout: any Layout) {
    let layout = layout.adding([Int.min, -1, 0, 5, 1_000_001, .max], .cells(.count(1), line: 0))
    #expect((0..<6).map { layout.frame($0).height } == [1, 1, 1, 5, 1_000_000, 1_000_000])
    #expect(layout.contentSize.height == 2_000_008)
  }

  @Test(arguments: empty)
  func `absurd measures do not trap`(layout: any Layout) {
    for length in [Int.min, -7, .max] {
      let insets = EdgeInsets(all: length)
      let metrics = SectionMetrics.cells(
        .count(3), spacing: length, line: length, insets: insets, header: length, footer: length)
      let layout = layout.adding([1, .max, 2], metrics).adding([4], metrics)
      #expect(violations(of: layout).isEmpty)
    }
  }

  @Test(arguments: empty)
  func `absurd rects do not trap and find what they touch`(layout: any Layout) {
    let layout = layout.adding([1, 2, 3], .cells(.count(2), header: 1))
    let all = Rect(x: .min, y: .min, width: .max, height: .max)
    #expect(layout.layoutAttributesForElements(in: all).isEmpty)
    let right = Rect(x: -1, y: -1, width: .max, height: .max)
    #expect(layout.layoutAttributesForElements(in: right).count == 4)
    let far = Rect(x: .max, y: .max, width: .max, height: .max)
    #expect(layout.layoutAttributesForElements(in: far).isEmpty)
    let negative = Rect(x: 5, y: 5, width: .min, height: .min)
    #expect(layout.layoutAttributesForElements(in: negative).isEmpty)
  }

  @Test(arguments: empty)
  func `absurd rows and offsets do not trap`(layout: any Layout) {
    let layout = layout.adding([1, 2, 3, 4], .cells(.count(2)))
    for number in [Int.min, .max] {
      var goalRow: Int? = number
      _ = layout.neighbor(of: ElementPath(item: 0), toward: .right, goalRow: &goalRow)
      #expect(layout.item(nearestTo: Point(x: number, y: number)) != nil)
      _ = layout.item(pageFrom: ElementPath(item: 1), by: number)
      let anchor = layout.anchor(at: ElementPath(item: 1), contentOffset: number)
      #expect(layout.contentOffset(keeping: anchor, viewportHeight: number) >= 0)
      let frame = Rect(x: number, y: number, width: number, height: number)
      for alignment in ScrollAlignment.allCases {
        let offset = layout.contentOffset(
          toShow: frame, currentOffset: number, viewportHeight: number, aligned: alignment)
        #expect(offset >= 0)
      }
      _ = layout.firstVisibleAnchor(contentOffset: number, viewportHeight: number)
    }
  }

  @Test(arguments: empty)
  func `a layout without items answers nothing`(layout: any Layout) {
    for layout in [layout, layout.adding([], .cells(.count(2), header: 1))] {
      #expect(layout.firstItem == nil)
      #expect(layout.lastItem == nil)
      #expect(layout.item(nearestTo: .zero) == nil)
      #expect(layout.firstVisibleAnchor(contentOffset: 0, viewportHeight: 9) == nil)
      let anchor = Anchor(path: ElementPath(section: 3, item: 9), screenRow: 4)
      #expect(layout.contentOffset(keeping: anchor, viewportHeight: 9) == 0)
    }
  }
}
