import FeedfallScreen
import FeedfallSystem
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

extension CursesPainterTests {
  /// Draws a picture in which no two cells have the same colors, like a photo.
  private func photo(_ number: Int, width: Int, height: Int) -> Canvas {
    var canvas = Canvas(size: Size(width: width, height: height))
    for y in 0..<height {
      for x in 0..<width {
        let upper = RGB(red: UInt8(x) + 1, green: UInt8(y), blue: UInt8(number + 1))
        let lower = RGB(red: UInt8(y) + 1, green: UInt8(x), blue: UInt8(255 - number))
        canvas[x, y] = Cell(Glyph("\u{2580}"), Style(.cover, foreground: upper, background: lower))
      }
    }
    return canvas
  }

  /// Whether the frame selects the colors of every cell.
  private func containsColors(_ canvas: Canvas, _ frame: [UInt8]) -> Bool {
    var written: [[RGB?]: Int] = [:]
    var rendition = RenditionFilter.Rendition.plain
    for piece in frame.split(separator: 0x1B) where piece.first == UInt8(ascii: "[") {
      guard let end = piece.firstIndex(of: UInt8(ascii: "m")) else { continue }
      let parameters = Array(piece[(piece.startIndex + 1)..<end])
      rendition = parameters.withUnsafeBufferPointer { rendition.applying($0[...]) } ?? .plain
      written[[color(rendition.foreground), color(rendition.background)]] = 0
    }
    return canvas.cells.allSatisfy { written[[$0.style.foreground, $0.style.background]] != nil }
  }

  private func color(_ color: RenditionFilter.Rendition.Color) -> RGB? {
    guard case .direct(let red, let green, let blue) = color else { return nil }
    return RGB(red: red, green: green, blue: blue)
  }

  @Test(arguments: ["xterm-256color", "tmux-256color", "screen-256color"])
  func `a terminal with direct colors shows them`(term: String) throws {
    try withPainter(term, hasDirectColors: true) { painter in
      let style = Style(
        .cover, foreground: RGB(red: 1, green: 2, blue: 3), background: RGB(red: 0, green: 0, blue: 90))
      #expect(text(painter.frame(canvas("\u{2580}", style: style))).contains("38;2;1;2;3;48;2;0;1;90m"))
      #expect(text(painter.frame(canvas("\u{2580}", style: Style(.alert)))).contains("\u{1B}[1;38;5;231;48;5;124m"))
    }
  }

  @Test(arguments: [("xterm-256color", "\u{1B}[38;5;196m"), ("xterm", "\u{1B}[31m")])
  func `palette colors are shown until the terminal reports direct colors`(term: String, nearest: String) throws {
    try withPainter(term) { painter in
      let drawn = canvas("\u{2580}", style: Style(.cover, foreground: RGB(red: 250, green: 1, blue: 2)))
      #expect(text(painter.frame(drawn)).contains(nearest))
      painter.useDirectColors()
      #expect(text(painter.frame(drawn)).contains("38;2;250;1;2"))
      #expect(painter.frame(drawn) == [])
    }
  }

  @Test func `the environment is unchanged`() throws {
    setenv("TERMINFO", "/usr/share/terminfo", 1)
    defer { unsetenv("TERMINFO") }
    try withPainter(hasDirectColors: true) { painter in
      #expect(painter.depth == .direct)
      #expect(Environment.process["TERMINFO"] == "/usr/share/terminfo")
    }
  }

  @Test func `exhausted pairs clear the screen and are released`() throws {
    try withPainter(hasDirectColors: true, maximumPairs: 500) { painter in
      for number in 0..<4 {
        let photo = photo(number, width: 40, height: 10)
        let frame = painter.frame(photo)
        #expect(text(frame).contains("\u{1B}[2J") == (number > 0))
        let isRight = containsColors(photo, frame)
        #expect(isRight, "photo \(number)")
      }
    }
  }

  @Test func `pairs of earlier pictures are released`() throws {
    try withPainter(hasDirectColors: true) { painter in
      painter.resize(to: Size(width: 120, height: 40))
      _ = painter.frame(photo(0, width: 120, height: 40))
      var didRestart = false
      for number in 1..<48 where !didRestart {
        let photo = photo(number, width: 120, height: 40)
        let frame = painter.frame(photo)
        didRestart = painter.didRestart
        #expect(text(frame).contains("\u{1B}[2J") == didRestart)
        let isRight = !didRestart || containsColors(photo, frame)
        #expect(isRight, "photo \(number)")
      }
      #expect(didRestart && painter.pairs.count < 10_000)
    }
  }
}
