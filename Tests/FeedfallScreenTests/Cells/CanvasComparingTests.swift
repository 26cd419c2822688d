import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct CanvasComparingTests {
  @Test func `a difference in any cell is detected`() {
    let canvas = Canvas(size: Size(width: 13, height: 3))
    for y in 0..<3 {
      for x in 0..<13 {
        var other = canvas
        other[x, y].style.background = .black
        #expect(other != canvas)
        #expect((0..<3).map { other.rowIsEqual($0, to: canvas) } == (0..<3).map { $0 != y })
      }
    }
  }

  @Test func `canvases with the same cells are equal, however they were drawn`() {
    var one = Canvas(size: Size(width: 8, height: 1))
    var other = one
    one.write("a漢b", at: .zero, style: Style(.title))
    other.fill(other.bounds, with: Glyph("x"), style: Style(.cover, foreground: .white))
    other.fill(other.bounds, style: .plain)
    other.write("漢b", at: Point(x: 1, y: 0), style: Style(.title))
    other.write("a", at: .zero, style: Style(.title))
    #expect(one == other)
  }

  @Test func `a canvas of another size differs`() {
    let old = Canvas(size: Size(width: 3, height: 1))
    let new = Canvas(size: Size(width: 4, height: 2))
    #expect(new != old)
    #expect(!new.rowIsEqual(0, to: old) && !new.rowIsEqual(9, to: new) && !new.rowIsEqual(-1, to: new))
  }
}
