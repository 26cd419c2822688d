import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct WideCharacterTests {
  @Test(arguments: [
    (-1, " 字", "ttt."), (0, "漢字", "tttt"), (1, " 漢", ".ttt"), (2, "  漢", "..tt"), (3, "", "...t"),
    (4, "", "...."),
  ])
  func `a wide character cut by an edge becomes blank`(x: Int, shown: String, roles: String) {
    var canvas = Canvas(size: Size(width: 4, height: 1))
    canvas.write("漢字", at: Point(x: x, y: 0), style: Style(.title))
    #expect(canvas.text == shown)
    #expect(canvas.roles == roles)
  }

  @Test(arguments: [(0, "x 字"), (1, " x字"), (2, "漢x"), (3, "漢 x")])
  func `writing over one half blanks the other half`(x: Int, shown: String) {
    var canvas = Canvas(size: Size(width: 4, height: 1))
    canvas.write("漢字", at: .zero, style: .plain)
    canvas.write("x", at: Point(x: x, y: 0), style: .plain)
    #expect(canvas.text == shown)
  }

  @Test func `setting a cell to a wide character fills the next cell too`() {
    var canvas = Canvas(size: Size(width: 3, height: 1))
    canvas[0, 0] = Cell(Glyph("漢"))
    canvas[2, 0] = Cell(Glyph("字"))
    #expect(canvas.text == "漢")
    #expect(canvas[1, 0].glyph == .continuation)
    canvas[2, 0] = Cell(.continuation)
    #expect(canvas[2, 0].glyph == .blank)
  }

  @Test func `copying cell by cell gives an equal canvas`() {
    var canvas = Canvas(size: Size(width: 6, height: 1))
    canvas.write("a漢b字", at: .zero, style: Style(.title))
    var copy = Canvas(size: canvas.size)
    for x in 0..<6 { copy[x, 0] = canvas[x, 0] }
    #expect(copy == canvas)
  }

  @Test func `no drawing leaves a single half`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      var canvas = Canvas(size: Size(width: 9, height: 3))
      for _ in 0..<30 {
        drawSomething(on: &canvas, with: &random)
        #expect(isWhole(canvas), "\(canvas.text)")
      }
    }
  }

  private func drawSomething(on canvas: inout Canvas, with random: inout SeededGenerator) {
    let point = Point(x: .random(in: -4...10, using: &random), y: .random(in: -1...3, using: &random))
    let rect = Rect(origin: point, size: Size(width: .random(in: -1...9, using: &random), height: 2))
    let glyph = [Glyph("漢"), Glyph("x"), .blank, .continuation][Int.random(in: 0..<4, using: &random)]
    switch Int.random(in: 0..<8, using: &random) {
    case 0: canvas.fill(rect, with: glyph, style: Style(.cover))
    case 1, 2: canvas[point.x, point.y] = Cell(glyph, Style(.dim))
    case 3: canvas.clip = rect
    case 4: canvas.clip = canvas.bounds
    case 5:
      let picture = CellPicture(initialOf: random.text(upTo: 6), size: Size(width: 5, height: 3), TextWidths())
      canvas.draw(picture, in: Rect(origin: point, size: picture.size))
    case 6: canvas.write(random.text(upTo: 8), at: point, maxWidth: rect.width, style: Style(.title))
    case _: canvas.write(GlyphRun(random.text(upTo: 8), widths: TextWidths()), at: point, style: Style(.title))
    }
  }

  /// Whether every left half has a right half of the same style and vice versa.
  private func isWhole(_ canvas: Canvas) -> Bool {
    (0..<canvas.size.height).allSatisfy { y in
      (0..<canvas.size.width).allSatisfy { x in
        let next = canvas[x + 1, y]
        let isLeft = x + 1 < canvas.size.width && next.glyph.isContinuation
        guard x > 0 || !canvas[x, y].glyph.isContinuation else { return false }
        return canvas[x, y].glyph.isWide == isLeft && (!isLeft || next.style == canvas[x, y].style)
      }
    }
  }
}
