import FeedfallSystem
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallScreen
@testable import FeedfallTerminal

extension ScreenPainterTests {
  /// The questions that terminals are asked, and what they leave on the screen.
  @Suite(.serialized) struct TerminalQueryTests {
    private func canvas(_ text: String = "shown") -> Canvas {
      var canvas = Canvas(size: Size(width: 60, height: 20))
      for y in 0..<20 { canvas.write("\(text) \(y)", at: Point(x: y, y: y), style: .plain) }
      return canvas
    }

    /// The families of sequences before the first frame.
    private static let families: [(name: String, holds: @Sendable (String) -> Bool)] = [
      ("DA1", { $0 == "[c" }), ("DA2 and XTVERSION", { $0.hasPrefix("[>") }), ("OSC", { $0.hasPrefix("]") }),
      ("DSR", { $0.hasSuffix("n") }), ("window reports", { $0.hasSuffix("t") }),
      ("private modes", { $0.hasPrefix("[?") && $0.hasSuffix("h") && $0 != "[?1049h" }), ("DCS", { $0.hasPrefix("P") }),
      ("DECRQM", { $0.hasSuffix("$p") }), ("keypad", { $0 == "=" || $0 == ">" }),
      ("intermediates", { $0.contains("$") || $0.contains(" ") }),
    ]

    @Test(arguments: families.indices, ["xterm-256color", "linux", "vt100"])
    func `text printed for unknown sequences is cleared from the screen`(family: Int, name: String)
      throws
    {
      let shown = try ModelTerminal(isIdentified: false, name: name, prints: Self.families[family].holds)
      shown.paint(canvas())
      #expect(try shown.faults() == [], "\(Self.families[family].name)")
      shown.type("\u{1B}[>1;95;0c\u{1B}[?62;22c")
      shown.paint(canvas("later"))
      #expect(try shown.faults() == [], "\(Self.families[family].name)")
    }

    @Test(arguments: [
      ("\u{1B}[>41;379;0c\u{1B}P>|XTerm(379)\u{1B}\\\u{1B}[?64c", true), ("\u{1B}[>83;40900;0c\u{1B}[?1;2c", false),
      ("\u{1B}[>83;40900;0c\u{1B}P>|screen 5\u{1B}\\\u{1B}[?1;2c", false), ("\u{1B}[>1;95;0c\u{1B}[?1;2c", false),
      ("\u{1B}[>0;1501;1c\u{1B}[?6c", true), ("\u{1B}[>0;10;1c\u{1B}[?61c", false), ("\u{1B}[?6c", false),
    ])
    func `only a terminal that reports its name receives queries for modes and colors`(answers: String, isAsked: Bool)
      throws
    {
      let shown = try ModelTerminal(hasDirectColors: false, isIdentified: false, prints: { _ in false })
      shown.paint(canvas())
      shown.settle()
      shown.type(answers)
      shown.settle()
      #expect(shown.sequences.contains("[?2026$p") == isAsked)
      #expect(shown.sequences.contains { $0.hasPrefix("P$q") } == isAsked)
      #expect(shown.sequences.last { $0.hasSuffix("c") || $0.hasSuffix("p") } == "[c")
      #expect(try shown.faults() == [])
    }

    @Test(arguments: [
      // GNU Screen inside tmux, and an old one that does not report its kind.
      ("\u{1B}[>83;40900;0c\u{1B}[?1;2c", false), ("\u{1B}[?1;2c", false),
      // tmux inside GNU Screen, with the type of terminal of GNU Screen.
      ("\u{1B}[>84;0;0c\u{1B}[?1;2c", true),
    ])
    func `in a tmux and a GNU Screen the terminal's kind decides`(answers: String, isTmux: Bool) throws {
      setenv("STY", "1.tty.host", 1)
      setenv("TMUX", "/tmp/tmux-0/default,1,0", 1)
      defer {
        unsetenv("STY")
        unsetenv("TMUX")
      }
      let shown = try ModelTerminal(isIdentified: false, name: "screen-256color", prints: { _ in false })
      shown.paint(canvas())
      shown.settle()
      #expect(shown.sequences.contains("[>c") && !shown.sequences.contains { $0.hasPrefix("]") || $0 == "[>q" })
      shown.type(answers)
      shown.settle()
      #expect(shown.sequences.contains("[>q") == isTmux)
      #expect(shown.sequences.contains { $0.hasPrefix("]11") } == isTmux)
      if isTmux { shown.type("\u{1B}P>|tmux 3.4\u{1B}\\\u{1B}[?1;2c") }
      shown.settle()
      #expect(shown.sequences.contains("[?2026$p") == isTmux)
      #expect(shown.terminal.painter.depth == .indexed)
      #expect(try shown.faults() == [])
    }

    @Test func `GNU Screen on another machine loses direct colors by its answer`() throws {
      let shown = try ModelTerminal(isIdentified: false, name: "xterm-256color")
      shown.paint(canvas())
      #expect(shown.terminal.painter.depth == .direct)
      #expect(shown.type("\u{1B}[>83;40900;0c\u{1B}[?1;2c") && shown.terminal.painter.depth == .indexed)
      shown.paint(canvas("later"))
      #expect(try shown.faults() == [])
    }

    @Test(arguments: [
      (["COLORTERM": "truecolor"], true), (["COLORTERM": "truecolor", "STY": "1.x"], false),
      (["COLORTERM": "24bit", "STY": "1.x", "TERM": "xterm-256color"], false),
      (["COLORTERM": "24bit", "STY": "1.x", "TMUX": "/tmp/t,1,0"], true),
      (["COLORTERM": "24bit", "STY": "1.x", "TMUX": "/tmp/t,1,0", "TERM": "tmux-256color"], true),
      (["COLORTERM": "24bit", "STY": "1.x", "TMUX": "/tmp/t,1,0", "TERM": "screen-256color"], false),
      (["COLORTERM": "truecolor", "TERM": "screen-256color"], false),
      (["COLORTERM": "truecolor", "TERM": "screen-256color", "TMUX": "/tmp/t,1,0"], true), (["STY": "1.x"], false),
    ])
    func `COLORTERM counts except in GNU Screen`(variables: [String: String], isDirect: Bool) {
      #expect(Environment(variables).hasDirectColors == isDirect)
    }

    @Test func `a program that ends before its first frame writes nothing`() throws {
      let shown = try ModelTerminal(isIdentified: false, prints: { _ in false })
      let start = shown.clock.now
      shown.terminal.close()
      shown.read()
      #expect(shown.byteCount == 0 && shown.clock.now == start)
    }

    // MARK: - Widths

    @Test func `the answers decide about widths and UTF-8`() {
      func outcome(_ columns: [Int]) -> WidthProbe.Outcome {
        var probe = WidthProbe()
        for column in columns { probe.add(column: column) }
        _ = probe.finish()
        return probe.outcome
      }
      var widths = TextWidths()
      #expect(outcome([2, 3, 3, 2, 2]) == .widths(widths))
      widths.marksTakeCells = false
      #expect(outcome([2, 2, 2, 2, 2]) == .widths(widths))
      widths = TextWidths()
      widths.ambiguousIsWide = true
      #expect(outcome([3, 3, 3, 3, 3]) == .widths(widths))
      #expect(outcome([2, 3, 3, 3, 3]) == .widths(widths))
      // Latin-1, and a code page that shows controls; a Chinese encoding of two bytes.
      for bytes in [[3, 6, 2, 2, 2], [3, 7, 4, 4, 4], [3, 7, 4, 4, 3]] { #expect(outcome(bytes) == .notUTF8) }
      for none in [
        [], [2], [2, 3, 3, 2], [2, 3, 3, 2, 2, 2], [0, 3, 3, 2, 2], [1, 3, 3, 2, 2], [2, 8, 3, 2, 2], [2, 99, 3, 2, 2],
      ] {
        #expect(outcome(none) == .unknown)
      }
    }

    /// Terminals that differ in the widths of the text below.
    private static let terminals: [(name: String, width: @Sendable (Unicode.Scalar) -> Int)] = [
      ("xterm", { mark($0) ? 0 : "㊙漢".unicodeScalars.contains($0) ? 2 : 1 }),
      ("kitty", { mark($0) || spacing($0) ? 0 : $0 == "漢" ? 2 : 1 }),
    ]

    private static func mark(_ scalar: Unicode.Scalar) -> Bool {
      "\u{94D}\u{947}\u{9CD}".unicodeScalars.contains(scalar)
    }
    private static func spacing(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.generalCategory == .spacingMark
    }

    @Test(arguments: terminals.indices)
    func `text of uncertain width moves nothing, and leaves nothing behind`(terminal: Int) throws {
      var random = SeededGenerator(seed: 9)
      let shown = try ModelTerminal(size: Size(width: 40, height: 6), width: Self.terminals[terminal].width)
      let parts = ["का", "कि", "क्षे", "हिन्दी", "㊙", "漢", "a", "bc", " ", "  ", "আমার", "é"]
      for turn in 0..<60 {
        var canvas = Canvas(size: Size(width: 40, height: 6))
        for y in 0..<6 where Bool.random(using: &random) {
          let text = (0..<9).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
          let role: Role = Bool.random(using: &random) ? .title : .selected
          let end = canvas.write(text, at: Point(x: 2, y: y), maxWidth: 30, style: Style(role))
          canvas.write("|end", at: Point(x: 2 + end, y: y), style: .plain)
        }
        shown.paint(canvas)
        shown.settle()
        for y in 0..<6 {
          for x in 0..<40 where "|end".unicodeScalars.contains(where: { canvas[x, y].glyph == Glyph($0) }) {
            #expect(
              shown.model[x, y].text.unicodeScalars.first?.value == canvas[x, y].glyph.base, "\(turn): \(x), \(y)")
          }
        }
        if turn % 5 == 4 { #expect(try shown.faults() == [], "\(turn)") }
      }
    }

    @Test func `with wide ambiguous characters frames are ASCII, and letters take two cells`() throws {
      let shown = try ModelTerminal(width: { ScalarTable.isAmbiguous($0.value) ? 2 : 1 })
      var canvas = Canvas(size: Size(width: 60, height: 20))
      canvas.frame(Rect(x: 1, y: 1, width: 9, height: 4), style: .plain)
      shown.paint(canvas)
      shown.settle()
      shown.type("\u{1B}[?62c")
      #expect(shown.terminal.textWidths.ambiguousIsWide)
      let letters = GlyphRun("же…", firstCells: .max, widths: shown.terminal.textWidths)
      #expect(letters.width == 6)
      canvas.write(letters, at: Point(x: 20, y: 2), style: .plain)
      canvas.write("│|", at: Point(x: 26, y: 2), style: .plain)
      let pixels = Style(
        .cover, foreground: RGB(red: 200, green: 0, blue: 0), background: RGB(red: 0, green: 0, blue: 100))
      canvas[30, 2] = Cell(Glyph("\u{2580}"), pixels)
      shown.paint(canvas)
      #expect(try shown.faults() == [])
      #expect([(1, 1), (2, 1), (1, 2), (9, 4)].map { shown.model[$0.0, $0.1].text } == ["+", "-", "|", "+"])
      #expect([20, 22, 24, 26, 27, 30].map { shown.model[$0, 2].text } == ["ж", "е", "…", "|", "|", " "])
      #expect(shown.model[30, 2].background == [2, 100, 0, 50])
    }
  }
}
