import TestBasics
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct DrawingTests {
  @Test func `spacing, insets, header and footer follow the metrics`() {
    let insets = Insets(top: 1, left: 2, bottom: 1, right: 1)
    let metrics = SectionMetrics.cells(
      .count(2), spacing: 1, line: 1, insets: insets, header: 1, footer: 2)
    let layout = WaterfallLayout(width: 8).adding([1, 2, 2], metrics)
    #expect(
      layout.drawing == """
        ========
        ........
        ..AA.BB.
        .....BB.
        ..CC....
        ..CC....
        ........
        --------
        --------
        """)
  }

  @Test func `sections lie one under the other, each with its own columns`() {
    let layout = WaterfallLayout(width: 5)
      .adding([2, 1], .cells(.count(2), header: 1))
      .adding([1, 1], .cells(.count(1), spacing: 0, line: 0, footer: 1))
    #expect(
      layout.drawing == """
        =====
        AA.BB
        AA...
        AAAAA
        BBBBB
        -----
        """)
  }

  @Test func `the footer of an empty section lies under its header`() {
    let layout = WaterfallLayout(width: 3).adding([], .cells(.count(2), header: 1, footer: 1))
    #expect(layout.drawing == "===\n---")
  }

  @Test func `leftover units go to the first columns`() {
    let layout = WaterfallLayout(width: 10).adding([1, 1, 1], .cells(.count(3)))
    #expect(layout.drawing == "AAA.BBB.CC")
  }

  @Test func `a list has one column regardless of its metrics`() {
    let layout = ListLayout(width: 3).adding([1, 2], .cells(.count(4)))
    #expect(layout.drawing == "AAA\n...\nBBB\nBBB")
  }

  @Test func `a growing footer moves the sections below`() throws {
    var layout = WaterfallLayout(width: 2)
      .adding([1], .cells(.count(1)))
      .adding([1], .cells(.count(1)))
    try layout.setFooterHeight(2, ofSection: 0)
    #expect(layout.drawing == "AA\n--\n--\nAA")
  }
}
