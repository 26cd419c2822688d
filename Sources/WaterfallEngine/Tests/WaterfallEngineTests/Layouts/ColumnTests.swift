import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct ColumnTests {
  @Test func `columns fill every width exactly and differ by at most one unit`() {
    for width in 1...400 {
      for columns in 1...16 {
        for spacing in 0...2 {
          let layout = WaterfallLayout(width: width)
            .adding([Int](repeating: 1, count: columns), .cells(.count(columns), spacing: spacing))
          let count = layout.columnCount(inSection: 0)
          let frames = (0..<count).map { layout.frame($0) }
          let widths = frames.map(\.width)
          guard frames[0].minX == 0, frames[count - 1].maxX == width, let least = widths.min(), least > 0,
            widths.allSatisfy({ $0 - least <= 1 }), least == layout.columnWidth(inSection: 0),
            zip(frames, frames.dropFirst()).allSatisfy({ $1.minX - $0.maxX == spacing })
          else {
            Issue.record("\(columns) columns in \(width) with \(spacing) between: \(frames)")
            return
          }
        }
      }
    }
  }

  @Test func `there are as many columns as fit at the minimum width`() {
    for width in 1...400 {
      for minimum in 1...50 {
        for spacing in 0...2 {
          let layout = WaterfallLayout(width: width)
            .adding([], .cells(.minimumWidth(minimum), spacing: spacing))
          var fitting = 1
          while (fitting + 1) * minimum + fitting * spacing <= width { fitting += 1 }
          guard layout.columnCount(inSection: 0) == fitting else {
            Issue.record(
              "\(layout.columnCount(inSection: 0)) of \(fitting) columns of \(minimum) in \(width)")
            return
          }
        }
      }
    }
  }

  @Test func `there are no more columns than units`() {
    let layout = WaterfallLayout(width: 5).adding([1, 1, 1], .cells(.count(9)))
    #expect(layout.drawing == "A.B.C")
  }

  @Test(arguments: [0, -1, Int.min])
  func `a layout without width has one column`(width: Int) {
    let layout = WaterfallLayout(width: width).adding([3, 4], .cells(.count(5)))
    #expect(layout.breadth == 0)
    #expect(layout.columnCount(inSection: 0) == 1)
    #expect(layout.contentSize == Size(width: 0, height: 8))
  }

  @Test(arguments: [ColumnRule.count(0), .count(-3), .count(.min), .minimumWidth(99), .minimumWidth(.max)])
  func `a rule that no column can satisfy gives one column`(rule: ColumnRule) {
    let layout = WaterfallLayout(width: 7).adding([1], .cells(rule))
    #expect(layout.columnCount(inSection: 0) == 1)
    #expect(layout.frame(0).width == 7)
  }

  @Test(arguments: [ColumnRule.count(.max), .minimumWidth(0), .minimumWidth(-1), .minimumWidth(.min)])
  func `a rule without a minimum gives columns of one unit`(rule: ColumnRule) {
    let layout = WaterfallLayout(width: 7).adding([1], .cells(rule, spacing: 0))
    #expect(layout.columnCount(inSection: 0) == 7)
  }

  @Test func `insets wider than the layout leave one column without width`() {
    let insets = Insets(top: 0, left: 9, bottom: 0, right: 9)
    let layout = WaterfallLayout(width: 5).adding([2], .cells(.count(2), insets: insets))
    #expect(layout.frame(0) == Rect(x: 5, y: 0, width: 0, height: 2))
  }
}
