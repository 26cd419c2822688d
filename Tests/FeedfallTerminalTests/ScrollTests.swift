import FeedfallSystem
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallScreen
@testable import FeedfallTerminal

extension Canvas {
  /// Draws a few areas and titles at random.
  fileprivate mutating func drawCards(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let start = Point(
        x: Int.random(in: 0..<size.width, using: &random), y: Int.random(in: 0..<size.height, using: &random))
      if Bool.random(using: &random) {
        let color = RGB(red: 90, green: 40 * UInt8.random(in: 1...4, using: &random), blue: 90)
        let area = Size(width: Int.random(in: 1...20, using: &random), height: Int.random(in: 1...6, using: &random))
        fill(Rect(origin: start, size: area), style: Style(.cover, background: color))
        let ink = Style(.cover, foreground: RGB(red: 9, green: color.green, blue: 200), background: color)
        for row in 0..<Int.random(in: 0...3, using: &random) {
          write(" █ ▄x", at: Point(x: start.x + 2, y: start.y + row), style: ink)
        }
      } else {
        let line = String(repeating: "─", count: Int.random(in: 0...9, using: &random))
        write("title \(Int.random(in: 0..<1000, using: &random))\(line)", at: start, style: .plain)
      }
    }
  }

  /// Returns the canvas with its rows between a header and a footer moved, and the others drawn anew.
  fileprivate func moved(_ random: inout SeededGenerator) -> Canvas {
    let rows = Int.random(in: 0...2, using: &random)..<size.height - Int.random(in: 0...2, using: &random)
    let distance = Int.random(in: 1..<rows.count, using: &random) * (Bool.random(using: &random) ? 1 : -1)
    let kept =
      distance > 0 ? rows.lowerBound..<rows.upperBound - distance : rows.lowerBound - distance..<rows.upperBound
    return scrolled(by: RowShift(rows: kept, distance: distance))
  }
}

extension ScreenPainterTests {
  /// The look of a canvas's cells, whatever the way of painting them.
  private func expected(_ canvas: Canvas) -> [ScreenModel.Cell] {
    canvas.cells.map { cell in
      func color(_ color: RGB?) -> [Int] { color.map { [2, Int($0.red), Int($0.green), Int($0.blue)] } ?? [] }
      let text = String(String.UnicodeScalarView(cell.glyph.scalars))
      return ScreenModel.Cell(
        text: text, foreground: text == " " ? [] : color(cell.style.foreground),
        background: color(cell.style.background))
    }
  }

  private func shown(_ model: ScreenModel) -> [ScreenModel.Cell] {
    model.cells.map { cell in
      var cell = cell
      if cell.text == " " { cell.foreground = [] }
      return cell
    }
  }

  @Test(arguments: ["xterm-256color", "xterm", "tmux-256color", "screen-256color"], [true, false])
  func `random scrolls look like painting without scrolling`(term: String, mayScroll: Bool) throws {
    try withPainter(term, hasDirectColors: true) { painter in
      var random = SeededGenerator(seed: 23)
      var model = ScreenModel(size: Size(width: 40, height: 10))
      model.process(painter.enter())
      var canvas = Canvas(size: model.size)
      for _ in 0..<150 {
        if Int.random(in: 0..<3, using: &random) > 0 { canvas = canvas.moved(&random) }
        canvas.drawCards(&random)
        model.process(painter.frame(canvas, mayScroll: mayScroll).bytes)
        try #require(shown(model) == expected(canvas))
      }
      #expect(model.faults.isEmpty)
    }
  }

  /// A waterfall with four columns of cards. `hasLetters`: with letters on the covers and a frame around the selected
  /// card.
  private func waterfall(top: Int, selected: Int, hasLetters: Bool = false) -> Canvas {
    var canvas = Canvas(size: Size(width: 120, height: 40))
    canvas.clip = Rect(x: 0, y: 0, width: 120, height: 39)
    for column in 0..<4 {
      for card in 0..<12 {
        let frame = Rect(x: 1 + 30 * column, y: column * 3 + card * 13 - top, width: 28, height: 9)
        let color = RGB(red: UInt8(40 + 50 * column), green: UInt8(10 + card * 20), blue: 90)
        canvas.fill(frame, style: Style(.cover, background: color))
        let isSelected = column == 0 && card == selected
        if hasLetters {
          let ink = Style(.cover, foreground: RGB(red: 240, green: 200, blue: UInt8(card)), background: color)
          for (row, text) in ["▄▀▀▀▄", "█   █", "█ ▄ █", "█ █ █", " ▀ ▀ "].enumerated() {
            canvas.write(text, at: Point(x: frame.minX + 11, y: frame.minY + row + 2), style: ink)
          }
          let whole = Rect(x: frame.minX - 1, y: frame.minY - 1, width: 30, height: 13)
          if isSelected { canvas.frame(whole, style: Style(.selection)) }
        }
        let title = Point(x: frame.minX, y: frame.maxY)
        canvas.write(
          "\(isSelected ? "▸" : " ")Title \(column) \(card)", at: title, style: Style(isSelected ? .selected : .title))
        canvas.write(" 12:34 · channel \(card)", at: Point(x: frame.minX, y: frame.maxY + 1), style: .plain)
      }
    }
    canvas.clip = canvas.bounds
    canvas.write("  \(selected + 1)/48", at: Point(x: 0, y: 39), style: .plain)
    return canvas
  }

  @Test(arguments: [(13, false, 620), (26, false, 1060), (13, true, 1_500), (26, true, 2_350)])
  func `scrolling a waterfall writes few bytes`(distance: Int, hasLetters: Bool, limit: Int) throws {
    try withPainter(hasDirectColors: true) { painter in
      painter.resize(to: Size(width: 120, height: 40))
      _ = painter.frame(waterfall(top: 0, selected: 1, hasLetters: hasLetters))
      let down = painter.frame(waterfall(top: distance, selected: 1 + distance / 13, hasLetters: hasLetters)).bytes
      let up = painter.frame(waterfall(top: 0, selected: 1, hasLetters: hasLetters)).bytes
      #expect(max(down.count, up.count) <= limit, "\(down.count), \(up.count)")
    }
  }

  @Test func `nothing scrolls while there are pixels over the cells`() throws {
    try withPainter { painter in
      painter.resize(to: Size(width: 120, height: 40))
      _ = painter.frame(waterfall(top: 0, selected: 1))
      #expect(!painter.frame(waterfall(top: 13, selected: 2), mayScroll: false).damage.movesRows)
      #expect(painter.frame(waterfall(top: 26, selected: 3)).damage.movesRows)
    }
  }
}
