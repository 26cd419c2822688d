import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct CanvasTests {
  @Test(arguments: [(-1, "bc"), (-3, ""), (-99, ""), (4, "    ab"), (6, ""), (Int.max, ""), (Int.min, "")])
  func `text is clipped at the edges`(x: Int, shown: String) {
    var canvas = Canvas(size: Size(width: 6, height: 1))
    canvas.write("abc", at: Point(x: x, y: 0), style: .plain)
    #expect(canvas.text == shown)
  }

  @Test(arguments: [-1, 1, Int.min, Int.max])
  func `drawing in rows outside of the canvas has no effect`(y: Int) {
    var canvas = Canvas(size: Size(width: 6, height: 1))
    canvas.write("abc", at: Point(x: 0, y: y), style: .plain)
    canvas[0, y] = Cell(Glyph("x"))
    #expect(canvas == Canvas(size: canvas.size))
    #expect(canvas[0, y] == Cell())
  }

  @Test func `drawing outside of the clip has no effect`() {
    var canvas = Canvas(size: Size(width: 6, height: 3))
    canvas.clip = Rect(x: 1, y: 1, width: 3, height: 1)
    canvas.fill(canvas.bounds, with: Glyph("x"), style: .plain)
    canvas.write("abcdef", at: Point(x: 0, y: 0), style: .plain)
    canvas[5, 1] = Cell(Glyph("y"))
    #expect(canvas.text == "\n xxx\n")
  }

  @Test(arguments: [
    Rect(x: .max, y: .max, width: .max, height: .max), Rect(x: .min, y: .min, width: .min, height: .min),
    Rect(x: 0, y: 0, width: -1, height: 5), Rect(x: .min, y: 0, width: .max, height: 1), .zero,
  ])
  func `an empty clip prevents all drawing`(clip: Rect) {
    var canvas = Canvas(size: Size(width: 3, height: 3))
    canvas.clip = clip
    canvas.fill(canvas.bounds, with: Glyph("x"), style: Style(.alert))
    canvas.write("xxx", at: .zero, style: Style(.alert))
    #expect(canvas.cells == Canvas(size: canvas.size).cells)
  }

  @Test(arguments: [(0, 0, ""), (1, 1, "a"), (2, 1, "a"), (3, 3, "a漢"), (9, 4, "a漢b"), (-1, 0, "")])
  func `write uses at most maxWidth cells`(maximum: Int, used: Int, shown: String) {
    var canvas = Canvas(size: Size(width: 6, height: 1))
    #expect(canvas.write("a漢b", at: .zero, maxWidth: maximum, style: .plain) == used)
    #expect(canvas.text == shown)
    var other = Canvas(size: canvas.size)
    #expect(other.write(GlyphRun("a漢b", widths: TextWidths()), at: .zero, maxWidth: maximum, style: .plain) == used)
    #expect(other == canvas)
  }

  @Test func `write counts cells up to the right edge`() {
    var canvas = Canvas(size: Size(width: 4, height: 1))
    #expect(canvas.write("abcdef", at: Point(x: -1, y: 0), style: .plain) == 5)
    #expect(canvas.write("漢字", at: Point(x: 1, y: 0), style: .plain) == 3)
    #expect(canvas.write("abc", at: Point(x: 9, y: 0), style: .plain) == 0)
  }

  @Test(arguments: [0, 1, 3, 4, 5, 13])
  func `fill of any width equals setting each cell`(width: Int) {
    let cell = Cell(Glyph("x"), Style(.cover, foreground: .white, background: RGB(red: 1, green: 2, blue: 3)))
    for x in 0...4 {
      var canvas = Canvas(size: Size(width: 16, height: 2))
      canvas.fill(Rect(x: x, y: 0, width: width, height: 2), with: cell.glyph, style: cell.style)
      var expected = Canvas(size: canvas.size)
      for y in 0..<2 {
        for column in x..<min(16, x + width) { expected[column, y] = cell }
      }
      #expect(canvas == expected)
    }
  }

  @Test func `empty and huge sizes are limited`() {
    for size in [Size(width: -1, height: 5), Size(width: 0, height: .max), .zero] {
      var canvas = Canvas(size: size)
      canvas.write("abc", at: .zero, style: .plain)
      #expect(canvas.cells.isEmpty)
    }
    #expect(Canvas(size: Size(width: .max, height: .max)).size == Size(width: 4096, height: 1024))
  }

  @Test func `fading dims text, and leaves a badge its box over the cover`() {
    var canvas = Canvas(size: Size(width: 2, height: 1))
    canvas.write("a", at: Point(x: 0, y: 0), style: Style(.title))
    canvas.write("b", at: Point(x: 1, y: 0), style: Style(.badge))
    canvas.fade(canvas.bounds)
    #expect(canvas.roles == "db")
  }

  @Test func `a cell has twenty bytes`() {
    #expect(MemoryLayout<Cell>.stride == 20 && MemoryLayout<Cell>.size == 20)
  }

  @Test func `no two roles have the same letter`() {
    let letters = Role.allCases.map(\.letter)
    #expect(Set(letters).count == letters.count && !letters.contains("."))
  }

  @Test func `later drawing and the clip cover links`() {
    var canvas = Canvas(size: Size(width: 10, height: 5))
    canvas.link(Rect(x: 3, y: 2, width: 20, height: 1), to: "https://a.example")
    #expect(canvas.visibleLinks.map(\.frame) == [Rect(x: 3, y: 2, width: 7, height: 1)])
    canvas.fill(Rect(x: 5, y: 2, width: 2, height: 1), style: .plain)
    let parts = [Rect(x: 3, y: 2, width: 2, height: 1), Rect(x: 7, y: 2, width: 3, height: 1)]
    #expect(canvas.visibleLinks.map(\.frame) == parts)
    #expect(canvas.visibleLinks.allSatisfy { $0.address == "https://a.example" })
    #expect(canvas != Canvas(size: canvas.size))
  }
}
