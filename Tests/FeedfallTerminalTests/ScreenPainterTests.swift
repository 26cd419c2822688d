import FeedfallScreen
import Glibc
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

/// Curses has one screen for the whole process, so all tests that use it run one after another.
@Suite(.hangLimit, .serialized) struct ScreenPainterTests {
  func withPainter(
    _ term: String = "xterm-256color", usesColor: Bool = true, hasDirectColors: Bool = false,
    theme: ThemeSettings = ThemeSettings(),
    _ body: (ScreenPainter) throws -> Void
  ) throws {
    setenv("TERM", term, 1)
    let painter = try ScreenPainter(
      usesColor: usesColor, hasDirectColors: hasDirectColors, theme: theme)
    defer { painter.close() }
    painter.resize(to: Size(width: 40, height: 10))
    _ = painter.enter()
    try body(painter)
  }

  func canvas(_ rows: String..., width: Int = 40, height: Int = 10, style: Style = .plain) -> Canvas {
    var canvas = Canvas(size: Size(width: width, height: height))
    for (y, row) in rows.enumerated() {
      for (x, scalar) in row.unicodeScalars.enumerated() {
        canvas[x, y] = Cell(scalar == "_" ? .continuation : Glyph(scalar), style)
      }
    }
    return canvas
  }

  func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test(arguments: [
    (ThemeSettings.Color?.none, RGB?.some(.white)), (.standard, .white), (.fixed(RGB(0x010203)), RGB(0x010203)),
    (.terminal(4), nil),
  ])
  func `the screen's background is that of the theme, unknown for a named color`(
    color: ThemeSettings.Color?, ground: RGB?
  ) throws {
    for base in [ThemeChoice.auto, .nord] {
      var settings = ThemeSettings(base)
      settings.colors[.background(.plain)] = color
      try withPainter(hasDirectColors: true, theme: settings) { painter in
        let isOwn = base == .nord && color == nil
        #expect(painter.ground(of: .white) == (isOwn ? RGB(0x2E3440) : ground))
      }
    }
  }

  @Test func `moving the selection to the next title writes few bytes`() throws {
    try withPainter { painter in
      func drawn(_ selected: Int) -> Canvas {
        var result = canvas("The first title of two", "", "", "The second title of two")
        for x in 0..<23 { result[x, selected].style = Style(.selected) }
        return result
      }
      _ = painter.frame(drawn(0)).bytes
      let frame = painter.frame(drawn(3)).bytes
      #expect(frame.count <= 76)
      #expect(!text(frame).contains("\u{1B}(B"))
    }
  }

  @Test func `without colors a selected title is bold, and a selected tab reversed`() throws {
    try withPainter("xterm-mono", usesColor: false) { painter in
      #expect(text(painter.frame(canvas("mark", style: Style(.selected))).bytes).contains("\u{1B}[1m"))
    }
    try withPainter("xterm-mono", usesColor: false) { painter in
      #expect(text(painter.frame(canvas("mark", style: Style(.selectedTab))).bytes).contains("\u{1B}[7m"))
    }
  }

  @Test func `no color is written if colors are off`() throws {
    try withPainter(usesColor: false) { painter in
      var all = canvas("some text")
      for (x, role) in Role.allCases.enumerated() {
        all[x, 2] = Cell(
          Glyph("x"),
          Style(
            role, foreground: RGB(red: 200, green: 0, blue: 0), background: .init(red: 0, green: 0, blue: 90))
        )
      }
      let written = text(painter.enter() + painter.frame(all).bytes + painter.leave() + painter.enter())
      let codes = written.matches(of: /\u{1B}\[([0-9;]*)m/).flatMap { $0.1.split(separator: ";") }
      #expect(Set(codes).isSubset(of: ["0", "1", "2", "4", "7"]))
      #expect(Set(codes).isSuperset(of: ["1", "7"]))
    }
  }

  @Test func `a cover's colors are mapped to the palette`() throws {
    try withPainter { painter in
      let style = Style(
        .cover, foreground: RGB(red: 255, green: 0, blue: 0), background: RGB(red: 8, green: 8, blue: 8))
      let frame = text(painter.frame(canvas("\u{2580}", style: style)).bytes)
      #expect(frame.contains("38;5;196"))
      #expect(frame.contains("48;5;232"))
    }
  }

  @Test func `a type unknown here is replaced by one that resembles it`() throws {
    #expect(TerminalProfile.types(for: "xterm-ghostty") == ["xterm-ghostty", "ghostty", "xterm-256color", "xterm"])
    // Inside of a multiplexer, xterm's sequences may not work.
    #expect(!TerminalProfile.types(for: "screen.xterm-new").contains("xterm-256color"))
    try withPainter("wezterm-from-tomorrow", hasDirectColors: true) { painter in
      #expect(painter.depth == .direct)
      #expect(text(painter.frame(canvas("shown")).bytes).contains("shown"))
    }
  }

  @Test func `a character whose width differs from its cells is replaced`() throws {
    try withPainter { painter in
      let frame = text(painter.frame(canvas("中b\u{301}c\u{7}d\u{9B}e\u{378}f", "x_y", "_z")).bytes)
      #expect(frame.contains("b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f"))
      #expect(!frame.contains("\u{7}") && !frame.contains("中"))
    }
  }

  @Test func `combining marks are written after their base`() throws {
    try withPainter { painter in
      var marked = canvas("e")
      marked[0, 0].glyph.marks = 0x301 | 0x323 << 21
      #expect(text(painter.frame(marked).bytes).unicodeScalars.contains("\u{323}"))
      marked[0, 0].glyph.marks = .max
      _ = painter.frame(marked).bytes
    }
  }

  @Test func `a canvas of another size is clipped or padded`() throws {
    try withPainter { painter in
      let large = String(repeating: "x", count: 200)
      let frame = text(painter.frame(canvas(large, "y", width: 300, height: 50)).bytes)
      #expect(frame.filter { $0 == "x" }.count <= 40)
      #expect(!text(painter.frame(canvas("", width: 0, height: 0)).bytes).contains("x"))
      _ = painter.frame(canvas("z", width: 3, height: 2)).bytes
      painter.resize(to: Size(width: 1, height: 1))
      #expect(text(painter.frame(canvas("中_")).bytes).contains("\u{FFFD}"))
    }
  }

  @Test func `entering the screen keeps the palette`() throws {
    try withPainter { painter in
      _ = painter.leave()
      #expect(!text(painter.enter()).contains("\u{1B}]104"))
    }
  }

  @Test(arguments: [("dumb", "TERM is dumb"), ("", "TERM is not set"), ("no-such", "'no-such' is not known")])
  func `a terminal without a screen is rejected with one line`(term: String, why: String) throws {
    let error = #expect(throws: TerminalError.self) { try withPainter(term) { _ in } }
    let message = try #require(error?.message)
    #expect(message.contains(why))
    #expect(!message.contains("\n"))
  }

  @Test func `the profile contains the terminal's modes`() throws {
    try withPainter { _ in
      let profile = TerminalProfile(usesMouse: true, usesColor: true, name: "xterm-256color")
      #expect(text(profile.modesOn).contains("\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h"))
      #expect(text(profile.modesOff).contains("\u{1B}[?2004l"))
      #expect(text(profile.restore).contains("\u{1B}[?1049l"))
      let queries = text(profile.queries(isScreen: false))
      #expect(queries.hasPrefix("\u{1B}[>c\u{1B}[>q") && queries.hasSuffix("\u{1B}[c"))
      #expect(!queries.contains("$") && !queries.contains("\u{1B}P"))
      let more = text(TerminalProfile.queriesOfNamed(aboutColors: true))
      #expect(more == "\u{1B}[?2026$p\u{1B}[?u\u{1B}[48;2;1;2;3m\u{1B}P$qm\u{1B}\\\u{1B}[m\u{1B}[c")
      #expect(!text(TerminalProfile.queriesOfNamed(aboutColors: false)).contains("48"))
      #expect(profile.keys[Array("\u{1B}OA".utf8)] == .up)
      let quiet = TerminalProfile(usesMouse: false, usesColor: false, name: "xterm-256color")
      #expect(!text(quiet.modesOn).contains("1000"))
      #expect(!text(quiet.restore).contains("39;49"))
    }
    try withPainter("vt100") { _ in
      let profile = TerminalProfile(usesMouse: true, usesColor: true, name: "vt100")
      #expect(profile.queries(isScreen: false).isEmpty)
      #expect(!text(profile.modesOn).contains("2004"))
      #expect(!text(profile.restore).contains("$<"))
    }
  }

  @Test func `a terminal without an alternate screen gets a new line, and is cleared after a crash`() throws {
    try withPainter("vt100") { _ in
      let profile = TerminalProfile(usesMouse: true, usesColor: true, name: "vt100")
      #expect(text(profile.afterScreen) == "\r\n")
      #expect(text(profile.restore).hasSuffix("\u{1B}[H\u{1B}[J\r\n"))
    }
    try withPainter { _ in
      let profile = TerminalProfile(usesMouse: true, usesColor: true, name: "xterm-256color")
      #expect(profile.afterScreen.isEmpty)
      #expect(!text(profile.restore).contains("\u{1B}[2J"))
    }
  }

  @Test(arguments: ["xterm-256color", "vt100"])
  func `the scrolling region is the actual screen, not LINES or terminfo`(term: String) throws {
    setenv("TERM", term, 1)
    setenv("LINES", "10", 1)
    setenv("COLUMNS", "20", 1)
    let painter = try ScreenPainter(usesColor: true)
    defer { painter.close() }
    painter.resize(to: Size(width: 90, height: 33))
    let regions = text(painter.enter()).matches(of: /\u{1B}\[[0-9;]*r/).map { String($0.0) }
    #expect(regions == ["\u{1B}[1;33r"])
    #expect(painter.size == Size(width: 90, height: 33))
  }
}
