import FeedfallSystem
import TestSupport
import Testing

@testable import FeedfallScreen
@testable import FeedfallTerminal

/// A fault of a kind that users of such programs report, as a check that the program does not have it.
struct Case: Sendable, CustomTestStringConvertible {
  let name: String
  let check: @Sendable () async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable () async throws -> Void) {
    (self.name, self.check) = (name, check)
  }

  var testDescription: String { name }
}

/// All cases by name. Their helpers are in `…Cases.swift`.
@Suite(.hangLimit) struct CaseTable {
  @Test(arguments: walks) func `walks from an address to videos end`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: keys) func `keys and pastes`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: terminals) func `unusual terminals`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: screens) func `what stays on the screen`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: attacks) func `attacks and surroundings`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: configurations) func `configuration files`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: downloads) func `downloads, queue and marks`(_ row: Case) async throws { try await row.check() }
  @Test(arguments: hours) func `a first hour`(_ row: Case) async throws { try await row.check() }

  static let walks: [Case] = []

  static let keys: [Case] = []

  static let terminals: [Case] = [
    Case("a terminal that prints the end of a mode query is not asked for modes") {
      let written = try await TerminalCases.written([:], answers: "\u{1B}[>1;95;0c\u{1B}[?1;2c")
      #expect(!written.contains("$p") && !written.contains("P$q"))
    },
    Case("a terminal that prints DCS strings gets none before its name") {
      let written = try await TerminalCases.written(["COLORTERM": ""])
      #expect(!written.contains("\u{1B}P"))
    },
    Case("GNU Screen is asked only what it knows") {
      let written = try await TerminalCases.written(["STY": "7.pts-1.host", "TMUX": ""])
      #expect(!written.contains("$") && !written.contains("\u{1B}[>q") && !written.contains("\u{1B}]11"))
    },
    Case("GNU Screen on another machine names itself, and is not asked more") {
      let written = try await TerminalCases.written(
        [:], answers: "\u{1B}[>83;40900;0c\u{1B}P>|GNU Screen\u{1B}\\\u{1B}[?1;2c")
      #expect(!written.contains("$"))
    },
    Case("GNU Screen gets no direct colors, whatever COLORTERM of the outer terminal says") {
      let written = try await TerminalCases.written(
        ["STY": "7.pts-1.host", "TMUX": "", "COLORTERM": "truecolor"])
      #expect(!written.contains("8;2;") && written.contains("8;5;"))
    },
    Case("the screen is cleared after the queries, not before them") {
      let written = try await TerminalCases.written([:])
      let parts = written.components(separatedBy: "\u{1B}[2J")
      #expect(parts.count == 2 && parts[0].contains("\u{1B}[6n") && parts[0].hasSuffix("\u{1B}[c\u{1B}[H"))
    },
    Case("a terminal type that only another machine knows is replaced") {
      for name in ["xterm-ghostty", "wezterm", "foot-extra", "contour-latest"] {
        let written = try await TerminalCases.written(["TERM": name])
        #expect(written.contains("\u{1B}[?1049h"), "\(name)")
      }
    },
    Case("a terminal type that nobody knows is refused with a sentence") {
      let written = try await TerminalCases.inShell(TerminalCases.program, environment: ["TERM": "qansi-m"])
      #expect(written.contains("terminal type 'qansi-m' is not known") && written.hasSuffix("status=2."))
    },
    Case("a name that only begins like a known one is no alias") {
      for name in ["footing", "xtermite", "rioja", "stone", "dumb"] {
        #expect(TerminalType.candidates(name) == [name])
      }
    },
    Case("a terminal in Latin-1 is refused with a sentence") {
      let columns = [3, 6, 2, 2, 2].map { "\u{1B}[24;\($0)R" }.joined()
      let written = try await TerminalCases.inShell(TerminalCases.program, answers: columns + "\u{1B}[?1;2c")
      #expect(written.contains("does not show UTF-8") && written.hasSuffix("status=2."))
    },
    Case("a terminal with East Asian widths has frames of ASCII") {
      var wide = TextWidths()
      wide.ambiguousIsWide = true
      #expect(TerminalCases.probed(3, 3, 3, 3, 3) == .widths(wide))
      #expect(["─", "│", "╭"].map { Cell(Glyph($0)).withoutAmbiguousSign.glyph } == ["-", "|", "+"].map { Glyph($0) })
    },
    Case("the answers to the widths are no keys") {
      var decoder = InputDecoder()
      #expect(decoder.decode(Array("\u{1B}[24;2R".utf8)) == [.report(.cursor(column: 2))])
      #expect(decoder.decode(Array("\u{1B}[1;99999999R".utf8)) == [.report(.other)])
    },
    Case("widths of 0, of 7 and without a column change nothing") {
      #expect(TerminalCases.probed(1, 3, 3, 2, 2) == .unknown && TerminalCases.probed(2, 8, 3, 2, 2) == .unknown)
    },
    Case("LINES and COLUMNS of 30000 cost nothing") {
      let written = try await TerminalCases.written(["LINES": "30000", "COLUMNS": "30000"])
      #expect(written.contains("Elephants"))
    },
    Case("a terminal of 30000 columns is cut, and a sentence says so") {
      let written = try await TerminalCases.inShell(
        "stty rows 24 cols 30000; \(TerminalCases.program)", answers: "\u{1B}[?62c", keys: "lq")
      #expect(written.contains("The terminal reports 30000x24 cells. Only 1000x500 are used."))
      #expect(written.hasSuffix("status=0."))
    },
    Case("a light background by COLORFGBG has the colors of the light theme") {
      let written = try await TerminalCases.written(["COLORFGBG": "0;default;15"])
      #expect(written.contains("38;5;25") && !written.contains("38;5;117"))
    },
    Case("the terminal's own answer about its background wins over COLORFGBG") {
      let answers = "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?62c"
      let written = try await TerminalCases.written(["COLORFGBG": "0;15"], answers: answers, upTo: "38;5;117")
      #expect(written.contains("38;5;117"))
    },
    Case("tmux in GNU Screen is tmux") {
      let environment = Environment(["STY": "1.x", "TMUX": "/tmp/t,1,0", "COLORTERM": "truecolor"])
      #expect(!environment.isScreen && environment.hasDirectColors)
    },
    Case("a Japanese description breaks at no closing and after no opening sign") {
      #expect(
        TerminalCases.keepsSigns(
          "これは長い説明文です。読点、句点、括弧「かぎ括弧」（丸括弧）などが行の先頭に来てはいけません！はい。東京の夜景、そして朝。「後編」！"))
    },
    Case("a Chinese description does neither, with its quotation marks") {
      #expect(TerminalCases.keepsSigns("中文也一样，标点符号不应出现在行首。“引号”也是如此……价格：￥100，涨了50％！《电影》【高清】"))
    },
    Case("a reset of the colors that is no SGR is believed on cons25") {
      #expect(
        TerminalCases.filtered("\u{1B}[31;44ma\u{1B}[xb\u{1B}[31;44mc\u{1B}[m", op: "\u{1B}[x", sgr0: "\u{1B}[m")
          == "\u{1B}[31;44ma\u{1B}[mb\u{1B}[31;44mc\u{1B}[m")
    },
    Case("vowel signs are marks where the terminal joins them, and letters elsewhere") {
      var joined = TextWidths()
      joined.marksTakeCells = false
      #expect(GlyphRun("कहानी", firstCells: .max, widths: joined).width == 3)
      #expect(GlyphRun("कहानी", firstCells: .max, widths: TextWidths()).width == 5)
    },
  ]

  static let screens: [Case] = []

  static let attacks: [Case] = []

  static let configurations: [Case] = []

  static let downloads: [Case] = []

  static let hours: [Case] = []
}
