import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallScreen
@testable import FeedfallTerminal

extension ScreenPainterTests {
  /// Sequences that terminals treat differently, and cells whose neighbors they affect.
  @Suite(.serialized) struct CellWriterTests {
    private let size = Size(width: 40, height: 10)

    private func withPainter(
      _ term: String, hasDirectColors: Bool = false, _ body: (ScreenPainter) throws -> Void
    ) throws {
      try ScreenPainterTests().withPainter(term, hasDirectColors: hasDirectColors, body)
    }

    private func canvas(_ texts: (Point, String, Style)...) -> Canvas {
      var canvas = Canvas(size: size)
      for (place, text, style) in texts { canvas.write(text, at: place, style: style) }
      return canvas
    }

    private func text(_ model: ScreenModel, row y: Int) -> String {
      (0..<model.size.width).map { model[$0, y].text }.joined()
    }

    // MARK: - Terminals

    @Test(arguments: ["ansi", "cygwin", "xterm-256color"])
    func `cells up to the last one never scroll the screen`(term: String) throws {
      try withPainter(term) { painter in
        var model = ScreenModel(size: size)
        model.wrapsAtOnce = term != "xterm-256color"
        model.process(painter.enter())
        let full = String(repeating: "x", count: 40)
        let last = Point(x: 0, y: 9)
        for style in [Style.plain, Style(.status), Style(.cover, background: RGB(0x203040))] {
          for (bottom, start) in [(full, 0), ("", 0), (full, 0), ("end", 37), ("    ", 36), (full, 0), ("ab", 0)] {
            let drawn = canvas(
              (.zero, "first", .plain), (last, full, style), (last, String(repeating: " ", count: 40), style),
              (Point(x: start, y: 9), bottom, style))
            model.process(painter.frame(drawn).bytes)
            try #require(text(model, row: 0).hasPrefix("first"), "\(term), \(style), '\(bottom)'")
            let row = (0..<39).map { String(String.UnicodeScalarView(drawn[$0, 9].glyph.scalars)) }.joined()
            try #require(text(model, row: 9).hasPrefix(row), "\(term), \(style), '\(bottom)'")
          }
        }
        #expect(model.faults == [])
      }
    }

    @Test(arguments: ["夜", "㊙"])
    func `a wide character in the last two cells does not scroll the screen`(character: String) throws {
      try withPainter("ansi") { painter in
        var model = ScreenModel(size: size)
        model.wrapsAtOnce = true
        model.process(painter.enter())
        let drawn = canvas((.zero, "first", .plain), (Point(x: 37, y: 9), "x" + character, .plain))
        model.process(painter.frame(drawn).bytes)
        #expect(text(model, row: 0).hasPrefix("first") && model[37, 9].text == "x" && model.faults == [])
      }
    }

    @Test func `a disputed character in the last column has no marks`() throws {
      try withPainter("xterm-256color") { painter in
        var drawn = canvas((.zero, "first", .plain))
        drawn[39, 4].glyph = Glyph("\u{915}")
        drawn[39, 4].glyph.marks = 0x93E
        let bytes = String(decoding: painter.frame(drawn).bytes, as: UTF8.self)
        #expect(!bytes.unicodeScalars.contains("\u{93E}"))
      }
    }

    @Test(arguments: ["xterm-256color", "ansi"], 36..<40)
    func `marks of a disputed character that take cells do not wrap`(term: String, x: Int) throws {
      try withPainter(term) { painter in
        var model = ScreenModel(size: size)
        model.width = { _ in 1 }
        model.wrapsAtOnce = term == "ansi"
        model.process(painter.enter())
        var drawn = canvas((.zero, "first", .plain), (Point(x: 0, y: 5), "below", .plain))
        for y in [4, 9] { drawn[x, y].glyph = Glyph(base: 0x915, marks: 0x93E | 0x940 << 21 | 0x93F << 42) }
        model.process(painter.frame(drawn).bytes)
        #expect(text(model, row: 0).hasPrefix("first") && text(model, row: 5).hasPrefix("below"))
        #expect(model[x, 4].text == "\u{915}" && model.faults == [])
      }
    }

    /// Opens a terminal with these sequences for its colors.
    private func withColors(_ colors: String, _ body: (ScreenPainter) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "terminfo-\(getpid())-\(colors.count)")
      defer {
        try? FileManager.default.removeItem(at: folder)
        unsetenv("TERMINFO")
      }
      let entry = #"""
        colored|a terminal of the tests, am, xenl, bce, cols#80, lines#24, pairs#64,
          cup=\E[%i%p1%d;%p2%dH, clear=\E[H\E[2J, el=\E[K, bold=\E[1m, rev=\E[7m, sgr0=\E[m, op=\E[39;49m,
          \#(colors),

        """#
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: "entry.ti")
      try entry.write(to: file, atomically: true, encoding: .utf8)
      let tic = Process()
      tic.executableURL = URL(filePath: "/usr/bin/tic")
      tic.arguments = ["-o", folder.path, file.path]
      try tic.run()
      tic.waitUntilExit()
      setenv("TERMINFO", folder.path, 1)
      try withPainter("colored", body)
    }

    @Test func `color codes that only begin like those of ECMA-48 are read from terminfo`() throws {
      // Blue and red are exchanged.
      let exchanged = "%?%p1%{1}%=%t4%e%p1%{4}%=%t1%e%p1%d%;m"
      try withColors(#"colors#8, setaf=\E[3\#(exchanged), setab=\E[4\#(exchanged)"#) { painter in
        let blue = Style(.cover, background: RGB(0x0000FF))
        let frame = String(decoding: painter.frame(canvas((.zero, "ab", blue))).bytes, as: UTF8.self)
        #expect(frame.contains("\u{1B}[41mab"))
      }
    }

    @Test func `color codes with colons, as foot has them, are those of ECMA-48`() throws {
      func codes(_ normal: Int, _ bright: Int, _ many: Int) -> String {
        #"\E[%?%p1%{8}%<%t\#(normal)%p1%d%e%p1%{16}%<%t\#(bright)%p1%{8}%-%d%e\#(many):5:%p1%d%;m"#
      }
      try withColors("colors#256, setaf=\(codes(3, 9, 38)), setab=\(codes(4, 10, 48))") { painter in
        #expect(painter.terminal.selection == .sgr && painter.canUseDirectColors)
      }
    }

    @Test(arguments: ["cons25", "pcansi", "xterm"])
    func `colors end where a terminal resets them by other sequences`(term: String) throws {
      try withPainter(term) { painter in
        var model = ScreenModel(size: size)
        model.process(painter.enter())
        let red = Style(.cover, foreground: RGB(0xFF0000), background: RGB(0x0000FF))
        model.process(painter.frame(canvas((.zero, "red", red), (Point(x: 3, y: 0), "plain", .plain))).bytes)
        #expect(text(model, row: 0).hasPrefix("redplain") && model[0, 0].background != [] && model.faults == [])
        #expect((3..<40).allSatisfy { model[$0, 0].background == [] && model[$0, 0].foreground == [] })
      }
    }

    @Test func `the screen is cleared without the attributes of a frame that was cut off`() throws {
      try withPainter("xterm-256color") { painter in
        _ = painter.frame(canvas((.zero, "old", .plain)))
        var model = ScreenModel(size: size)
        model.process(Array("\u{1B}[1;7;31;44mcut".utf8))
        painter.clear()
        model.process(painter.frame(canvas((.zero, "new", .plain))).bytes)
        #expect(text(model, row: 0).hasPrefix("new "))
        #expect(model.cells.allSatisfy { $0.background == [] && !$0.isReversed && $0.attributes == [] })
      }
    }

    // MARK: - Cells

    @Test func `areas written anew begin and end within wide characters`() throws {
      try withPainter("xterm-256color") { painter in
        var model = ScreenModel(size: size)
        model.process(painter.enter())
        let drawn = canvas((.zero, "深夜列車 in the night", .plain))
        model.process(painter.frame(drawn).bytes)
        for columns in [1..<2, 1..<3, 2..<3, 2..<5, 7..<12, 0..<40] {
          let before = model
          // The second cell of the wide character is dirty in the next canvas too.
          painter.rewrite([Rect(x: columns.lowerBound, y: 0, width: columns.count, height: 1)])
          for x in columns { model[x, 0] = ScreenModel.Cell(text: "?") }
          model.process(painter.frame(drawn).bytes)
          #expect(model.cells == before.cells, "\(columns)")
        }
        painter.rewrite([Rect(x: 3, y: 0, width: 1, height: 1)])
        model.process(painter.frame(canvas((.zero, "深x列車 in the night", .plain))).bytes)
        #expect(text(model, row: 0).hasPrefix("深x列車 in the night"))
      }
    }

    @Test func `the rows of a film that were cut off keep their cells, also when all links are forgotten`() throws {
      try withPainter("xterm-256color") { painter in
        let film = Rect(x: 10, y: 2, width: 20, height: 4)
        func drawn(_ text: String) -> Canvas {
          var drawn = canvas((Point(x: 0, y: 3), text, .plain))
          drawn.reserve(film)
          return drawn
        }
        _ = painter.frame(drawn("before"), keepsFilm: true)
        for y in film.minY..<film.maxY { painter.shown.forgetFilm(film.minX..<film.maxX, row: y) }
        let frame = painter.frame(drawn("later"), keepsFilm: true)
        #expect(!frame.bytes.isEmpty && !frame.damage.overlaps(film))
        for number in 0...4096 { _ = painter.links.number(of: "https://films.example/\(number)") }
        #expect(painter.frame(drawn("later"), keepsFilm: true).bytes.isEmpty)
      }
    }

    @Test func `blanks between words have the attributes of their style`() throws {
      try withPainter("xterm-256color", hasDirectColors: true) { painter in
        var model = ScreenModel(size: size)
        model.process(painter.enter())
        let drawn = canvas(
          (.zero, "two bold words", Style(.selected)), (Point(x: 0, y: 1), "an underlined link", Style(.link)))
        let bytes = painter.frame(drawn).bytes
        #expect(String(decoding: bytes, as: UTF8.self).contains("two bold words"))
        model.process(bytes)
        #expect((0..<18).allSatisfy { model[$0, 1].attributes == [4] } && model[18, 1].attributes == [])
        // Only a blank changes, between others and at the end of a word.
        let dashed = canvas(
          (.zero, "two bold words", Style(.selected)), (Point(x: 0, y: 1), "an-underlined-link", Style(.link)))
        for next in [dashed, drawn] { model.process(painter.frame(next).bytes) }
        #expect(text(model, row: 1).hasPrefix("an underlined link"))
        #expect((0..<18).allSatisfy { model[$0, 1].attributes == [4] } && model[18, 1].attributes == [])
      }
    }

    @Test(arguments: [1, 2])
    func `a character of uncertain width moves no other one`(width: Int) throws {
      try withPainter("xterm-256color") { painter in
        var model = ScreenModel(size: size)
        model.width = { $0 == "㊙" ? width : ScreenModel.usualWidth($0) }
        model.process(painter.enter())
        for title in ["before ㊙ after ㊙", "before ㊙ later ㊙㊙ end", "㊙", "no such character"] {
          model.process(painter.frame(canvas((Point(x: 1, y: 2), title, .plain))).bytes)
          var x = 1
          for character in title {
            #expect(model[x, 2].text == String(character), "\(title) at \(x)")
            x += character == "㊙" ? 2 : 1
          }
          #expect((x..<40).allSatisfy { model[$0, 2].text == " " })
        }
      }
    }
  }
}
