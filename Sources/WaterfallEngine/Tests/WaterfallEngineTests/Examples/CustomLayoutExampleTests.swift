import TestBasics
import Testing
import WaterfallEngine

// The documentation contains these examples line by line, which `DocumentationTests` checks.

/// Rows of bricks, two units high; every other row holds one brick less and is shifted by half a brick.
enum Bricks: ItemArrangement {
  static func place(_ items: [ItemSize], in space: ArrangementSpace, frames: inout [Rect]) {
    let count = space.columns.count
    let width = space.columns.map(\.count).min() ?? 0
    let step = width + space.columnSpacing
    for item in frames.count..<items.count {
      // Two rows hold 2n - 1 bricks.
      let (pair, place) = item.quotientAndRemainder(dividingBy: 2 * count - 1)
      let isShifted = place >= count
      let row = (count > 1 ? 2 : 1) * pair + (isShifted ? 1 : 0)
      let start = isShifted ? (place - count) * step + step / 2 : place * step
      frames.append(
        Rect(
          x: space.extent.lowerBound + start, y: row * (2 + space.lineSpacing), width: width, height: 2))
    }
  }
}

@Suite(.hangLimit) struct CustomLayoutExampleTests {
  @Test func `an arrangement of bricks`() throws {
    var layout = ArrangedLayout<Bricks>(width: 14)
    try layout.appendSection(SectionMetrics(cells: .count(3)))
    try layout.append(itemHeights: [2, 2, 2, 2, 2, 2, 2], toSection: 0)
    #expect(
      layout.drawing == """
        AAAA.BBBB.CCCC
        AAAA.BBBB.CCCC
        ..............
        ..DDDD.EEEE...
        ..DDDD.EEEE...
        ..............
        FFFF.GGGG.....
        FFFF.GGGG.....
        """)

    var goal: NavigationGoal?
    let below = layout.neighbor(of: ElementPath(item: 1), toward: .down, goal: &goal)
    // below?.item == 4: the middle of B lies above E
    #expect(below?.item == 4)
  }

  @Test func `justified rows`() throws {
    var layout = ArrangedLayout<JustifiedRows<0, 50, 200>>(width: 24)
    try layout.appendSection(SectionMetrics(cells: .count(1)))
    let widths = [8, 4, 6, 8, 6, 8, 6]
    try layout.append(widths.map { ItemSize(height: 3, width: $0) }, toSection: 0)
    #expect(
      layout.drawing == """
        AAAAAAAAA.BBBBB.CCCCCCCC
        AAAAAAAAA.BBBBB.CCCCCCCC
        AAAAAAAAA.BBBBB.CCCCCCCC
        AAAAAAAAA.BBBBB.CCCCCCCC
        ........................
        DDDDDDDD.EEEEEE.FFFFFFFF
        DDDDDDDD.EEEEEE.FFFFFFFF
        DDDDDDDD.EEEEEE.FFFFFFFF
        ........................
        GGGGGG..................
        GGGGGG..................
        GGGGGG..................
        """)

    let changed = try layout.append([ItemSize(height: 3, width: 8)], toSection: 0)
    // changed == Rect(x: 0, y: 9, width: 24, height: 3): the last row is arranged again
    #expect(changed == Rect(x: 0, y: 9, width: 24, height: 3))
  }
}
