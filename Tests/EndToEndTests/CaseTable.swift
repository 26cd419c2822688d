import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import FeedfallUserData
import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallCore
@testable import FeedfallPlaying
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
  @Test(arguments: copies) func `copies in folders, and a network that returns`(_ row: Case) async throws {
    try await row.check()
  }
  @Test(arguments: hours) func `a first hour`(_ row: Case) async throws { try await row.check() }

  static let walks: [Case] = [
    Case("Invidious without an API ends with one message") { try await WalkCases.expectEnd(404) },
    Case("Invidious that requires a login ends with one message") { try await WalkCases.expectEnd(401) },
    Case("Invidious that forbids programs ends with one message") { try await WalkCases.expectEnd(403) },
    Case("Invidious whose list is gone ends with one message") { try await WalkCases.expectEnd(410) },
    Case("Invidious that limits requests ends with one message") { try await WalkCases.expectEnd(429) },
    Case("Invidious that fails ends with one message") { try await WalkCases.expectEnd(500) },
    Case("Invidious that is overloaded ends with one message") { try await WalkCases.expectEnd(503) },
    Case("Invidious that serves a wait page with status 200 ends with one message", WalkCases.waitPage),
    Case("the RSS of an Invidious instance replaces its refused API", WalkCases.rssInstead),
    Case("the feed named by an Invidious page is the last candidate", WalkCases.pageFeedLast),
    Case("yt-dlp reads a refused list once", WalkCases.ytDlpOnce),
    Case("loading a page that names itself as its feed ends", WalkCases.pageIsItsFeed),
    Case("loading two pages that name each other as their feed ends", WalkCases.pagesNameEachOther),
    Case("a redirect loop ends", WalkCases.redirectCycle),
    Case("a server that always answers 304 does not loop", WalkCases.endlessConfirmation),
    Case("pagination that redirects to an earlier page ends", WalkCases.nextBehindRedirect),
    Case("endless empty pages end", WalkCases.endlessEmptyPages),
    Case("a wait within the time-out is reported once, and the videos are listed", WalkCases.shortWait),
    Case("check waits for a server as list does", WalkCases.waitOfCheck),
    Case("a server that asks for a wait each time does not loop", WalkCases.endlessWaits),
    Case("a wait that exceeds the time-out ends at once", WalkCases.longWait),
    Case("a 429 without Retry-After waits half a minute, also in the next program", WalkCases.untimedWait),
    Case("an answer that keeps arriving may take longer than the time-out", WalkCases.slowAnswer),
    Case("an endless answer is aborted", WalkCases.endlessAnswer),
    Case("a server that accepts connections but never answers is requested once", WalkCases.silence),
  ]

  static let keys: [Case] = [
    Case("Alt-q sent as ESC and q neither escapes nor quits") {
      #expect(KeyCases.keys("\u{1B}q") == [.alt("q")])
      #expect(KeyCases.prompt("alpha", "\u{1B}q\u{1B}x\u{1B}\r") == "alpha|")
    },
    Case("Alt-Backspace in a path deletes its last name") {
      #expect(KeyCases.prompt("open /srv/films/talks", "\u{1B}\u{7F}") == "open /srv/films/|")
    },
    Case("every encoding of Option-Left and Control-Left moves by a word") {
      for left in [
        "\u{1B}\u{1B}[D", "\u{1B}Od", "\u{1B}[1;5D", "\u{1B}[1;5:1D", "\u{1B}O5D", "\u{1B}b", "\u{1B}[98;3u",
      ] {
        #expect(KeyCases.prompt("alpha one", left) == "alpha |one", "\(left.dropFirst())")
      }
    },
    Case("a key held down in kitty repeats, and its release does nothing") {
      #expect(KeyCases.keys("\u{1B}[106;1:1u\u{1B}[106;1:2u\u{1B}[106;1:3u") == [.character("j"), .character("j")])
    },
    Case("Num Lock and Caps Lock are ignored as modifiers") {
      #expect(KeyCases.keys("\u{1B}[1;129A\u{1B}[106;65u\u{1B}[99;133u") == [.up, .character("j"), .control("c")])
    },
    Case("Control and a Cyrillic letter are the key of the standard layout") {
      #expect(KeyCases.keys("\u{1B}[1089::99;5u\u{1B}[1092::97;5u") == [.control("c"), .control("a")])
    },
    Case("Control-[ and Control-M in kitty are still Escape and Enter") {
      #expect(
        KeyCases.keys("\u{1B}[91;5u\u{1B}[109;5u\u{1B}[105;5u\u{1B}[104;5u") == [.escape, .enter, .tab, .backspace])
    },
    Case("Control-Shift-C, the copy key of terminals, does not quit") {
      #expect(KeyCases.keys("\u{1B}[99;6u").allSatisfy { GlobalCommand.keymap.command(for: $0) == nil })
      #expect(KeyCases.keys("\u{1B}[27;6;67~").allSatisfy { GlobalCommand.keymap.command(for: $0) == nil })
    },
    Case("an accented letter composed by an input method is typed") {
      #expect(KeyCases.prompt("caf", "\u{1B}[0;;233u\u{1B}[;;101:769u") == "caféé|" && KeyCases.keys("\u{1B}[0u") == [])
    },
    Case("a DA1 answer split after its ESC types no letters") {
      #expect(KeyCases.decoded("\u{1B}", "[?64;1;2c").last == .report(.attributes(hasSixel: false)))
      #expect(KeyCases.keys("\u{1B}", "[?64;1;2c") == [.escape])
    },
    Case("the late end of a color answer, split in its terminator, is not a key") {
      #expect(KeyCases.keys("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}", "\\") == [])
      #expect(KeyCases.keys("\u{1B}]11;rgb:ff", "ff/ffff/ffff\u{7}") == [])
    },
    Case("Alt-] in a terminal without modifiers does not swallow the keys after it") {
      #expect(KeyCases.keys("\u{1B}]", "j", "k") == [.character("j"), .character("k")])
    },
    Case("a paste with a split end is one paste, and the next key is a key") {
      var decoder = InputDecoder()
      let items = ["\u{1B}[20", "0~ab\u{1B}[", "201", "~q"].flatMap { decoder.decode(Array($0.utf8)) }
      #expect(items == [.event(.paste("ab")), .event(.key(.character("q")))])
    },
    Case("a stalled paste continues as a paste") {
      #expect(
        KeyCases.decoded("\u{1B}[200~rm ", "xqd\u{1B}[201~") == [.event(.paste("rm ")), .event(.paste("xqd"))])
    },
    Case("a nested end of a paste leaves only text, no command or line end") {
      #expect(KeyCases.prompt("", KeyCases.paste("a\u{1B}[200~b\r\n\u{3}c\t")) == "a[200~b c|")
    },
    Case("an address copied from a terminal of 80 columns is whole") {
      let rows = "https://video.example/feed.xml?token=0123456789\r\nabcdef&x=1\r"
      #expect(
        KeyCases.prompt("open ", KeyCases.paste(rows))
          == "open https://video.example/feed.xml?token=0123456789abcdef&x=1|")
    },
    Case("an address with a byte order mark or a zero-width space is clean") {
      #expect(KeyCases.prompt("", KeyCases.paste("\u{FEFF}https://a.example/\u{200B}")) == "https://a.example/|")
    },
    Case("a family typed piece by piece is one character for Backspace") {
      #expect(KeyCases.prompt("a", "👨\u{200D}👩\u{200D}👧\u{7F}") == "a|")
    },
    Case("the keyboard protocol is popped before the alternate screen is left") {
      let output = try await KeyCases.output(after: ["q"], upTo: "\u{1B}[?1049l")
      #expect(output.contains("\u{1B}[<u"))
    },
    Case("Control-C cancels a prompt instead of quitting, and a paste without a prompt opens one") {
      _ = try await KeyCases.output(
        after: ["/elep", "\u{3}", ":x", "\u{7}", KeyCases.paste("https://a.example/\nx")], upTo: "https://a.example/x")
    },
    Case("answers that arrive in pieces after the last key are not typed into the shell") {
      let unread = try await KeyCases.unread(
        KeyCases.answers, environment: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"])
      #expect(unread == "")
    },
  ]

  static let terminals: [Case] = [
    Case("a terminal that prints mode queries does not receive any") {
      let written = try await TerminalCases.written([:], answers: "\u{1B}[>1;95;0c\u{1B}[?1;2c")
      #expect(!written.contains("$p") && !written.contains("P$q"))
    },
    Case("a terminal that may print DCS strings gets none before it reports its name") {
      let written = try await TerminalCases.written(["COLORTERM": ""])
      #expect(!written.contains("\u{1B}P"))
    },
    Case("GNU Screen receives only queries that it supports") {
      let written = try await TerminalCases.written(["STY": "7.pts-1.host", "TMUX": ""])
      #expect(!written.contains("$") && !written.contains("\u{1B}[>q") && !written.contains("\u{1B}]11"))
    },
    Case("GNU Screen on another machine is identified by its answer, and receives no more queries") {
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
    Case("an unknown terminal type is refused with a message") {
      let written = try await TerminalCases.inShell(TerminalCases.program, environment: ["TERM": "qansi-m"])
      #expect(written.contains("terminal type 'qansi-m' is not known") && written.hasSuffix("status=2."))
    },
    Case("a name that only begins like a known one is not an alias") {
      for name in ["footing", "xtermite", "rioja", "stone", "dumb"] {
        #expect(TerminalType.candidates(name) == [name])
      }
    },
    Case("a terminal in Latin-1 is refused with a message") {
      let columns = [3, 6, 2, 2, 2].map { "\u{1B}[24;\($0)R" }.joined()
      let written = try await TerminalCases.inShell(TerminalCases.program, answers: columns + "\u{1B}[?1;2c")
      #expect(written.contains("does not support UTF-8") && written.hasSuffix("status=2."))
    },
    Case("a terminal with East Asian widths has frames of ASCII") {
      var wide = TextWidths()
      wide.ambiguousIsWide = true
      #expect(TerminalCases.probed(3, 3, 3, 3, 3) == .widths(wide))
      #expect(["─", "│", "╭"].map { Cell(Glyph($0)).withoutAmbiguousSign.glyph } == ["-", "|", "+"].map { Glyph($0) })
    },
    Case("answers to width queries are not keys") {
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
    Case("a terminal of 30000 columns is used partly, with a message") {
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
    Case("no line of a Japanese description starts with a closing or ends with an opening sign") {
      #expect(
        TerminalCases.keepsSigns(
          "これは長い説明文です。読点、句点、括弧「かぎ括弧」（丸括弧）などが行の先頭に来てはいけません！はい。東京の夜景、そして朝。「後編」！"))
    },
    Case("no line of a Chinese description starts with a closing or ends with an opening quotation mark") {
      #expect(TerminalCases.keepsSigns("中文也一样，标点符号不应出现在行首。“引号”也是如此……价格：￥100，涨了50％！《电影》【高清】"))
    },
    Case("a color reset other than SGR works on cons25") {
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

  static let screens: [Case] = [
    Case("text beside a sixel cover does not redraw it") {
      try ScreenCases.expectRedrawn(0, after: "\u{1B}[3;11Htitle\u{1B}[K\u{1B}[2;1Habove\u{1B}[7;1Hbelow")
    },
    Case("a character over a sixel cover redraws it") {
      try ScreenCases.expectRedrawn(1, after: "\u{1B}[4;5Hx")
    },
    Case("erasing the start of a row redraws its sixel cover") {
      try ScreenCases.expectRedrawn(1, after: "\u{1B}[4;3H\u{1B}[1K")
    },
    Case("deleting characters before a sixel cover redraws it") {
      try ScreenCases.expectRedrawn(1, after: "\u{1B}[4;1H\u{1B}[P")
    },
    Case("a repeated character that reaches a sixel cover redraws it") {
      try ScreenCases.expectRedrawn(0, after: "\u{1B}[4;1Ha\u{1B}[b")
      try ScreenCases.expectRedrawn(1, after: "\u{1B}[4;1Ha\u{1B}[2b")
    },
    Case("a wide character damages two cells, and a combining mark none") {
      #expect(ScreenCases.damage("\u{1B}[4;2H深").rows[3] == [1..<3])
      #expect(ScreenCases.damage("\u{1B}[4;2Hxe\u{301}y").rows[3] == [1..<4])
    },
    Case("a line feed at the end of the screen moves rows, others do not") {
      #expect(ScreenCases.damage("\u{1B}[12;1H\n").movesRows && !ScreenCases.damage("\u{1B}[11;1H\n").movesRows)
    },
    Case("bytes with an unknown effect damage the whole screen") {
      #expect(ScreenCases.damage("\u{1B}[4y").rows.allSatisfy { $0 == [0..<40] })
      var tracker = CursorTracker()
      #expect(tracker.damage(by: Array("x".utf8), on: ScreenCases.size).movesRows, "where the cursor is not known")
    },
    Case("rows do not move after sixels, also if all are erased") {
      var layer = ScreenCases.sixels(try ScreenCases.canvas())
      #expect(layer.erase(under: Canvas(size: ScreenCases.size), []) == [ScreenCases.frame] && layer.hasPixels)
    },
    Case("a badge over a sixel cover erases only the cover's cells") {
      var layer = ScreenCases.sixels(try ScreenCases.canvas())
      let canvas = try ScreenCases.canvas(badge: Rect(x: 8, y: 5, width: 9, height: 1))
      #expect(layer.erase(under: canvas, canvas.visiblePictures) == [ScreenCases.frame])
    },
    Case("a sixel cover is drawn in pieces that a key can interrupt") {
      var layer = SixelPictures(cellSize: Size(width: 32, height: 64), colors: 64)
      let canvas = try ScreenCases.canvas(Rect(x: 0, y: 0, width: 30, height: 8))
      _ = layer.finish(canvas, canvas.visiblePictures, damage: CellDamage(on: ScreenCases.size))
      #expect(ScreenCases.transfer(canvas, by: &layer) == 8)
    },
    Case("a small cover is sent with its own pixels") {
      let sent = ScreenCases.sentSize(of: 160, 90, over: Size(width: 200, height: 56))
      #expect(sent.width <= 160 && sent.height <= 90 && sent.width >= 120)
      let difference = abs(sent.width * 896 - sent.height * 1600) * 896
      #expect(difference < sent.height * 1600, "in the proportions of its cells, to a pixel of the screen")
    },
    Case("a large cover is sent with the pixels of its cells") {
      #expect(
        ScreenCases.sentSize(of: 1920, 1080, over: Size(width: 20, height: 6)) == Size(width: 160, height: 96))
    },
    Case("a picture of one pixel, or of one row, is sent") {
      #expect(ScreenCases.sentSize(of: 1, 1, over: Size(width: 90, height: 20)) == Size(width: 1, height: 1))
      let row = ScreenCases.sentSize(of: 3000, 1, over: Size(width: 90, height: 20))
      #expect(row.width >= 1 && row.height == 1)
    },
    Case("a picture that is cut off is transmitted again from its start") {
      var layer = KittyPlaceholders(graphics: KittyGraphics(), depth: .direct, salt: 3)
      let canvas = try ScreenCases.canvas()
      _ = layer.prepare(canvas, canvas.visiblePictures)
      let first = layer.beginTransfer(of: canvas.visiblePictures)
      layer.endTransfer(isComplete: false)
      #expect(!layer.awaitsFrame && layer.removal == [])
      let second = layer.beginTransfer(of: canvas.visiblePictures)
      #expect(first != nil && first?.bytes == second?.bytes && first?.ending.isEmpty == false)
    },
    Case("a picture has no placeholder before its last part is sent") {
      var layer = KittyPlaceholders(graphics: KittyGraphics(), depth: .direct, salt: 3)
      let canvas = try ScreenCases.canvas()
      _ = layer.beginTransfer(of: canvas.visiblePictures)
      #expect(layer.prepare(canvas, canvas.visiblePictures) == canvas)
      layer.endTransfer(isComplete: true)
      #expect(layer.awaitsFrame && layer.prepare(canvas, canvas.visiblePictures) != canvas)
    },
    Case("only text is sent while a placed picture is being transmitted") {
      var layer = KittyPlacements(graphics: KittyGraphics(), depth: .direct, salt: 3)
      let (canvas, none) = (try ScreenCases.canvas(), CellDamage(on: ScreenCases.size))
      #expect(ScreenCases.transfer(canvas, by: &layer) == 1)
      var other = canvas
      other.place(try ScreenCases.pixels(9, 9), id: 2, over: Rect(x: 20, y: 2, width: 4, height: 2))
      #expect(layer.beginTransfer(of: other.visiblePictures) != nil)
      #expect(layer.finish(other, other.visiblePictures, damage: none) == [])
      layer.endTransfer(isComplete: true)
      #expect(!layer.finish(other, other.visiblePictures, damage: none).isEmpty)
    },
    Case("text that becomes a link is written again, and cells of a link that goes") {
      var links = LinkPainter()
      #expect(links.setLinks([ScreenCases.link]) == [])
      let none = CellDamage(on: ScreenCases.size)
      #expect(!links.paint(ScreenCases.linkCanvas(), in: none, selection: []).isEmpty)
      #expect(links.setLinks([ScreenCases.link]) == [])
      #expect(links.paint(ScreenCases.linkCanvas(), in: none, selection: []).isEmpty)
      #expect(links.setLinks([]) == [ScreenCases.link.frame])
    },
  ]

  static let attacks: [Case] = [
    Case("a link in place of the metadata of a part keeps its target") {
      try await partAttack { try $0.link($0.facts) }
    },
    Case("a link in place of a part keeps its target") { try await partAttack { try $0.link($0.part) } },
    Case("a pipe in place of the metadata of a part does not block") {
      try await partAttack { #expect(mkfifo($0.facts, 0o600) == 0) }
    },
    Case("a hard link in place of a part keeps its content") {
      try await partAttack { #expect(link($0.victim, $0.part) == 0) }
    },
    Case("links among the parts of a program keep their targets") { try await partsFolderAttack() },
    Case("an etag with a line break in stored facts adds no header") { try await headerInjection() },
    Case("a pipe in place of the log is reported and does not block") {
      try await stateAttack("watched", "http://127.0.0.1:1/a", at: "a-12345678.jsonl", kind: .pipe, status: 1)
    },
    Case("a link in place of the log keeps its target") {
      try await stateAttack("watched", "http://127.0.0.1:1/a", at: "a-12345678.jsonl", kind: .link, status: 1)
    },
    Case("a link in place of the list of checks keeps its target") {
      try await stateAttack("check", feedPath, at: "checked", kind: .link)
    },
    Case("a pipe in place of a lock is reported and does not block") {
      try await stateAttack("check", feedPath, at: "checked.lock", kind: .pipe, status: 1)
    },
    Case("a link in place of the list of downloads keeps its target") {
      try await stateAttack("download", "--queue", at: "downloads.json", kind: .link, status: nil)
    },
    Case("a linked folder for the state is used") { try await linkedStateFolder() },
    Case("a linked config.toml is changed and stays a link") { try await linkedConfiguration() },
    Case("a key of 50,000 dots in config.toml is an error with its place") {
      try await badConfiguration("a" + String(repeating: ".b", count: 50_000) + " = 1", at: ":1:100:")
    },
    Case("lists in lists in config.toml are an error with its place") {
      try await badConfiguration("mouse = true\na = " + String(repeating: "[", count: 50_000), at: ":2:54:")
    },
    Case("the arguments of a running program show no secrets") { try await hiddenArguments() },
    Case("a memory limit is reported or has no effect") { try await memoryLimits() },
    Case("arguments are read without /proc") { try await withoutProc() },
    Case("a closed standard output is a failure") { try await closedOutputs() },
    Case("help and version on a full disk are failures") { try await fullOutputs() },
    Case("no file of the program gets the number of a closed standard file") { try await closedStandardFiles() },
    Case("the queue has this device's marks despite 1,100 other logs") { try await manyLogs() },
    Case("the greatest proportions of a picture have a place in the frame") { extremeProportions() },
    Case("a title that looks like an option or controls the terminal is a plain line") { try await hostileTitles() },
    Case("a web document names no local file for a download") { try await localFileDownload() },
  ]

  static let configurations: [Case] = [
    Case("a theme below the last view is reported with the right place") {
      try await ConfiguredProgram.with(
        ConfiguredProgram.film + "[[view]]\nname = \"V\"\nwhere = \"new\"\n\ntheme = \"nord\"\n"
      ) {
        try await $0.listsFilm(saying: ":8:1: \"theme\" is an option, which must be above the first [[…]]")
      }
    },
    Case("an unclosed quotation mark affects only its line") {
      try await ConfiguredProgram.with("layout = \"grid\nmouse = false\n" + ConfiguredProgram.film) {
        try await $0.listsFilm(saying: "config.toml:1:15: ")
      }
    },
    Case("an unclosed list affects only itself") {
      try await ConfiguredProgram.with(
        ConfiguredProgram.film + "tags = [\"a\",\n  \"b\"\n[[view]]\nname = \"V\"\nwhere = \"new\"\n"
      ) {
        try await $0.listsFilm(saying: "config.toml:4:1: the value that begins here is not closed.")
        #expect(try await $0.run("list", "v").errors.contains("no file, folder") == false)
      }
    },
    Case("an unclosed multi-line text affects only its lines") {
      try await ConfiguredProgram.with("layout = \"\"\"grid\n" + ConfiguredProgram.film) {
        try await $0.listsFilm(saying: "config.toml:")
      }
    },
    Case("the first value of a key that is defined twice is used") {
      try await ConfiguredProgram.with("page-size = 3\npage-size = 4\n" + ConfiguredProgram.film) {
        try await $0.listsFilm(saying: "config.toml:2:13: ")
      }
    },
    Case("values of a wrong type or out of range are each reported") {
      try await ConfiguredProgram.with(
        "columns = \"x\"\ntimeout = 0\nmouse = 3\nlayout = []\n" + ConfiguredProgram.film
      ) {
        try await $0.listsFilm(saying: "config.toml:1:1: \"columns\"", "3 more: feedfall doctor lists all")
        try await $0.hasFaults("1:1: ", "2:1: ", "3:1: ", "4:10: ")
      }
    },
    Case("a source with a wrong address fails in its tab, and the others load") {
      try await ConfiguredProgram.with(
        "[[source]]\nname = \"B\"\naddress = \"ftp://b.example\"\n" + ConfiguredProgram.film
      ) {
        let screen = try await $0.run("render", "--size", "100x20", "--keys", "<Tab>")
        #expect(screen.status == 0 && screen.output.contains("2 B !") && screen.output.contains("config.toml:3:11:"))
        #expect(try await $0.run("list", "Film").output.hasPrefix("The good film\t"))
      }
    },
    Case("the program starts if its only source is a missing file") {
      try await ConfiguredProgram.with("[[source]]\nname = \"B\"\naddress = \"/no/such/b.xml\"\n") {
        let screen = try await $0.run("render", "--size", "100x20")
        #expect(screen.status == 0 && screen.output.contains("config.toml:3:11: there is no"))
      }
    },
    Case("a mistyped password command prevents requests without a password") {
      try await ConfiguredProgram.with(
        "[[source]]\nname = \"B\"\naddress = \"http://127.0.0.1:1/\"\npasword-command = \"pass\"\n"
      ) {
        let outcome = try await $0.run("list", "B")
        #expect(
          outcome.status == 1 && outcome.errors.contains("config.toml:4:1: \"pasword-command\" is not known. Write"))
      }
    },
    Case("a configuration with a byte order mark and Windows line breaks is read") {
      try await ConfiguredProgram.with(
        "\u{FEFF}# mine\r\nlayout = \"grid\"\r\n" + ConfiguredProgram.film.replacing("\n", with: "\r\n")
      ) {
        try await $0.listsFilm()
        try await $0.hasFaults()
      }
    },
    Case("a configuration in UTF-16 is reported as not being UTF-8") {
      try await ConfiguredProgram.with(bytes: [0xFF, 0xFE] + "layout = 1\n".utf8.flatMap { [$0, 0] }) {
        try await $0.hasFaults("it is not text in UTF-8. Save it as UTF-8")
        #expect(try await $0.run("list").errors.contains("config.toml: it is not text in UTF-8"))
      }
    },
    Case("a folder, a dangling link or a picture in place of the file is reported") {
      try await ConfiguredProgram.with("") {
        try $0.replaceByFolder()
        #expect(try await $0.run("render").errors.contains("config.toml: it is not a file. Put a file in its place."))
      }
      try await ConfiguredProgram.with("") {
        try $0.replaceByDanglingLink()
        try await $0.hasFaults("it is a symbolic link to a missing file.")
      }
      try await ConfiguredProgram.with(bytes: (0...255).map { UInt8($0) } + [0x89, 0x50, 0x4E, 0x47]) {
        let outcome = try await $0.run("doctor")
        #expect(outcome.status == 1)
      }
    },
    Case("no video is queued in another folder than the one of a faulty line, and an export of a part fails") {
      try await ConfiguredProgram.with("state-folder = 5\n" + ConfiguredProgram.film) {
        let outcome = try await $0.run("queue", "add", "https://a.example/1.mp4")
        #expect(outcome.status == 2 && outcome.errors.contains("Could not save the changes: state-folder could not be"))
        #expect(try await $0.run("export").status == 1)
      }
    },
    Case("import writes nothing into a file with a syntax fault, or one in a source") {
      try await ConfiguredProgram.with("layout = \"grid\n" + ConfiguredProgram.film) { try await $0.refusesImport() }
      try await ConfiguredProgram.with(ConfiguredProgram.film + "naem = 1\n") { try await $0.refusesImport() }
    },
    Case("a key of a subtable is not ignored") {
      try await ConfiguredProgram.with(ConfiguredProgram.film + "[source.login]\nuser = \"a\"\n[keys]\nquit = \"x\"\n")
      {
        try await $0.hasFaults("4:9: \"login\" is not known", "6:2: \"keys\" is not known")
      }
    },
    Case("a view may spell where as filter, and an unknown order is reported") {
      try await ConfiguredProgram.with(
        ConfiguredProgram.film + "[[view]]\nname = \"V\"\nfilter = \"good\"\nsort = \"best\"\n"
      ) {
        try await $0.hasFaults("7:8: \"best\" is not known.")
        #expect(try await $0.run("list", "V").output.hasPrefix("The good film\t"))
      }
    },
    Case("doctor shows the path of the configuration") {
      try await ConfiguredProgram.with(ConfiguredProgram.film) {
        let outcome = try await $0.run("doctor")
        #expect(outcome.output.hasSuffix("feedfall/config.toml: no faults\n") && outcome.status == 0)
      }
    },
    Case("the screen shows the fault until the next key") {
      try await onThread {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("feedfall-\(UUID())")
        try FileManager.default.createDirectory(
          at: folder.appendingPathComponent("feedfall"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("layuot = 1\n".utf8).write(to: folder.appendingPathComponent("feedfall/config.toml"))
        let terminal = try ScriptedTerminal(Feedfall.path, environment: ["XDG_CONFIG_HOME": folder.path])
        try terminal.waitFor("layuot")
        terminal.type("q")
        try terminal.waitFor("\u{1B}[?1049l")
      }
    },
  ]

  static let downloads: [Case] = [
    Case("a word that is neither an address nor an ID is not queued") {
      try await DownloadHome.use {
        try await $0.expectRefusal(of: "foo", by: "queue", "add", "https://a.example/1.mp4")
      }
    },
    Case("a word that is neither an address nor an ID is not watched") {
      try await DownloadHome.use {
        try await $0.expectRefusal(of: "nonsense here", by: "watched", "https://a.example/1")
      }
    },
    Case("the lines of list name the videos of the feed") {
      try await DownloadHome.use { home in
        let lines = try await home.run("list", home.feed()).output
        #expect(try await home.run("queue", "add", "-", input: lines).status == 0)
        #expect(try await home.ids("queue") == home.ids("list", home.feed()))
      }
    },
    Case("the first line of list names its video even if its reader has exited") {
      try await DownloadHome.use { home in
        let command = "'\(Feedfall.path)' list '\(try home.feed())' | head -1 | '\(Feedfall.path)' queue add -"
        #expect(try await run("/bin/sh", ["-c", command], environment: home.environment).status == 0)
        #expect(try await home.ids("queue") == [home.ids("list", home.feed())[0]])
      }
    },
    Case("addresses on standard input are queued, whatever ends their lines") {
      try await DownloadHome.use { (home) async throws in
        let input = "\r\n  https://a.example/1.mp4\t\r\n\n\u{FEFF}\nhttps://a.example/page"
        #expect(try await home.run("queue", "add", "-", input: input).status == 1)
        #expect(try await home.ids("queue") == ["https://a.example/1.mp4", "https://a.example/page"])
      }
    },
    Case("the address of a film plays as a film, not as a page") {
      try await DownloadHome.use { home in
        _ = try await home.run("queue", "add", "https://a.example/kitchen-clip.mp4")
        let row = try await home.run("queue", "--json").output
        #expect(row.contains(#""playbackURL":"https://a.example/kitchen-clip.mp4""#) && !row.contains("pageURL"))
      }
    },
    Case("the lines of queue remove their videos") {
      try await DownloadHome.use { home in
        _ = try await home.run("queue", "add", "-", input: try await home.run("list", "--json", home.feed()).output)
        let lines = try await home.run("queue").output
        #expect(try await home.run("queue", "remove", "-", input: lines).status == 0)
        #expect(try await home.ids("queue").isEmpty)
      }
    },
    Case("a page of several videos names none of them") {
      try await DownloadHome.use { home in
        _ = try await home.run("list", home.feed(page: "https://a.example/show"))
        _ = try await home.run("watched", "https://a.example/show")
        #expect(try await home.ids("history") == ["https://a.example/show"])
      }
    },
    Case("a file on the disk is queued by its path") {
      try await DownloadHome.use { home in
        try Data([0]).write(to: URL(fileURLWithPath: home.folder + "/a film.mp4"))
        #expect(try await home.run("queue", "add", home.folder + "/a film.mp4").status == 0)
        #expect(try await home.ids("queue").first?.hasSuffix("/a%20film.mp4") == true)
      }
    },
    Case("the queue is not cleared without an answer or --yes") {
      try await DownloadHome.use { home in
        _ = try await home.run("queue", "add", "https://a.example/1.mp4")
        let refused = try await home.run("queue", "clear")
        #expect(refused.status == 2 && refused.errors.contains("Add --yes."))
        #expect(try await home.ids("queue").count == 1)
        #expect(try await home.run("queue", "clear", "--yes").status == 0)
        #expect(try await home.ids("queue").isEmpty)
      }
    },
    Case("the queue is cleared after a yes on a terminal") {
      try await DownloadHome.use { home in
        _ = try await home.run("queue", "add", "https://a.example/1.mp4")
        for (answer, count) in [("\n", 1), ("y\n", 0)] {
          try await home.answer(answer, to: "Remove 1 video from the queue? [y/N]", of: "queue", "clear")
          #expect(try await home.ids("queue").count == count)
        }
      }
    },
    Case("a mistyped command suggests a similar one") {
      let end = try await Feedfall.run("lst")
      #expect(end.status == 2 && end.errors.contains("Did you mean list?") && end.output.isEmpty)
    },
    Case("a mistyped queue action suggests a similar one") {
      let end = try await Feedfall.run("queue", "lst")
      #expect(end.status == 2 && end.errors.contains("Did you mean list?"))
    },
    Case("a finished download is listed with its path, and removed with its file") {
      try await DownloadHome.withDownload { (home, address, path) async throws in
        #expect(try await home.run("download", "--list").output == "done\tfilm\t\(path)\n")
        #expect(try await home.run("download", "--remove", address).status == 2)
        #expect(FileManager.default.fileExists(atPath: path))
        #expect(try await home.run("download", "--remove", address, "--yes").status == 0)
        #expect(try !FileManager.default.fileExists(atPath: path) && home.names(in: "videos").isEmpty)
        #expect(try await home.run("download", "--remove", address, "--yes").status == 1)
      }
    },
    Case("a file that was deleted by hand is listed as missing") {
      try await DownloadHome.withDownload { home, _, path in
        try FileManager.default.removeItem(atPath: path)
        #expect(try await home.run("download", "--list", "--json").output.contains(#""state":"missing""#))
        #expect(try await home.run("download", "--remove", "no such thing", "--yes").status == 1)
      }
    },
    Case("a downloaded file in a folder has the marks of its video, also by a link") {
      try await DownloadHome.withDownload { home, address, _ in
        _ = try await home.run("queue", "add", address)
        let link = home.folder + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: home.folder + "/videos")
        for folder in [home.folder + "/videos", link] {
          let rows = try await home.run("list", "--json", folder).output
          #expect(rows.split(separator: "\n").count == 1 && rows.contains(#""queued":true"#))
          #expect(try await home.ids("list", folder) == home.ids("queue"))
        }
      }
    },
    Case("an entry that is listed twice does not return after its removal") {
      try await DownloadHome.use { home in
        try home.store(entries: [home.entry("a.example 1"), home.entry("a.example 1")])
        #expect(try await home.run("download", "--remove", "a.example 1", "--yes").status == 0)
        #expect(try await home.run("download", "--list").output.isEmpty)
      }
    },
    Case("the list shows that a download waits for its source") {
      try await DownloadHome.use { home in
        try home.store(entries: [home.entry("a.example 1", lacksSecret: true)])
        #expect(
          try await home.run("download", "--list").output.hasSuffix("\tIt waits until Films lists the video again.\n"))
      }
    },
    Case("quitting during a download reports that it will resume") {
      try await DownloadHome.use { try await $0.expectWordsAfterQuitting() }
    },
    Case("a video of six seconds stopped at three is resumed") {
      let address = try #require(WebAddress("https://a.example/1.mp4"))
      var session = PlaySession()
      _ = session.perform(.play(PlayItem(Video(id: "1", title: "1", playback: .direct([MediaFile(url: address)])))))
      let id = try #require(session.currentID)
      for event in [PlayEvent.length(.stated(6)), .ready, .time(seconds: 3)] { _ = session.handle(.event(id, event)) }
      _ = session.perform(.stop)
      #expect(session.savedPosition?.seconds == 3)
    },
    Case("two audio formats do not count as a choice of heights") { () async throws in
      let files = ["1.mp3", "1.m4a"].compactMap { WebAddress("https://a.example/\($0)").map { MediaFile(url: $0) } }
      let video = Video(id: "1", title: "1", playback: .direct(files))
      #expect(throws: DownloadRequest.Obstacle.noChoice(.height(720))) {
        try DownloadRequest(video, key: VideoKey(video), quality: .height(720))
      }
      #expect(try DownloadRequest(video, key: VideoKey(video), quality: .audio).addresses.count == 2)
    },
  ]

  static let copies: [Case] = [
    Case("check prints no line of a download into its folder") { try await CopyCases.expectNews([], of: "--json") },
    Case("a download in a folder that is checked by a link is no news") {
      try await CopyCases.expectNews([], below: "link")
    },
    Case("a download in a folder below the checked one is no news") {
      try await CopyCases.expectNews([], into: "deep/")
    },
    Case("a file beside a download is news") { try await CopyCases.expectNews(["Third"], adding: "Third.mp4") },
    Case("a file of another length with the name of a download elsewhere is news") {
      try await CopyCases.expectNews(["Other length"], addingOtherLength: true)
    },
    Case("a file in place of a removed download is news", CopyCases.removedDownload),
    Case("check fails with a sentence if it cannot read which files are downloads", CopyCases.unreadableList),
    Case("a page that is queued says that it needs yt-dlp, and stays") {
      try await CopyCases.expectQueued("https://a.example/talk", says: "1 video is on a web page")
    },
    Case("several pages that are queued are counted in one line") {
      try await CopyCases.expectQueued("https://a.example/1", "https://a.example/2", says: "2 videos are on web pages")
    },
    Case("a film that is queued says nothing") {
      try await CopyCases.expectQueued("https://a.example/1.mp4", says: nil)
    },
    Case("a page that is queued says nothing if yt-dlp is installed") {
      try await CopyCases.expectQueued("https://a.example/talk", says: nil, hasYtDlp: true)
    },
    Case("pages that fail after a download has ended the sign bring it back") {
      #expect(CopyCases.outage(after: .page, .media, .page) == .servers)
    },
    Case("covers that fail after a download has ended the sign bring it back") {
      #expect(CopyCases.outage(after: .page, .media, .rest, .cover) == .covers)
    },
    Case("a cover that fails with another that arrives ends the sign") {
      #expect(CopyCases.outage(after: .page, .cover, .media, .cover) == nil)
    },
    Case("the sign of missing covers ends with the first one, although others are loading") {
      #expect(CopyCases.outage(after: .cover, .media, areCoversLoading: true) == nil)
    },
  ]

  static let hours: [Case] = [
    Case("holding q down stops at the question") {
      var hour = try Hour().typing("<Enter> f")
      for _ in 0..<3 { try hour.type("q") }
      #expect(!hour.hasQuit && !hour.state.playback.screen.isActive)
      try hour.type("q")
      #expect(!hour.hasQuit && hour.shows("Press q again to quit."))
    },
    Case("a question that another key has withdrawn is asked again") {
      let hour = try Hour().typing(" <Enter>qjqlq")
      #expect(!hour.hasQuit && hour.shows("A video is playing."))
    },
    Case("q after a video that failed to play leads back to the cards") {
      var hour = try Hour(unresolved: [0]).typing(" ")
      for case .requestDetails(_, _, let ticket) in hour.effects { hour.handle(.detailsArrived(ticket, Hour.film(0))) }
      hour.report(.ended(.failed(.http(status: 403))))
      #expect(try hour.shows("403") && hour.typing("q").state.details == nil)
    },
    Case("play next takes precedence over shuffle") {
      var hour = try Hour().typing(" SN<Enter>GA")
      hour.playToEnd()
      #expect(hour.played == ["Film 0", "Film 5"])
    },
    Case("queueing a video next twice plays it once") {
      var hour = try Hour().typing(" <Enter>lAhlA")
      for _ in 0..<3 { hour.playToEnd() }
      #expect(hour.played == ["Film 0", "Film 1"])
    },
    Case("putting the playing video first in the queue does not play it again") {
      var hour = try Hour().typing(" <Enter>A")
      hour.playToEnd()
      #expect(hour.played == ["Film 0"])
    },
    Case("a speed set while paused applies to the next video, and is shown") {
      var hour = try Hour().typing(" ")
      hour.report(.ready, .length(.stated(100)), .time(seconds: 5))
      try hour.type(",]],n")
      hour.report(.ready)
      #expect(hour.settings.rate == 1.5 && hour.shows("1.5x"))
      #expect(try hour.typing("<Enter>").shows("1.5x"))
    },
    Case("playback keys while the next address loads show a message") {
      var hour = try Hour(unresolved: [1]).typing(" N")
      hour.playToEnd()
      #expect(try hour.typing("<Enter>,").shows("Loading more videos…") && hour.played == ["Film 0"])
    },
    Case("a failure disappears once another video plays") {
      var hour = try Hour().typing(" ")
      hour.report(.ended(.failed(.unrecognizedFormat)))
      try hour.type("<Enter>l ")
      hour.report(.ready, .time(seconds: 1))
      #expect(!hour.shows("Could not play") && hour.played == ["Film 0", "Film 1"])
    },
    Case("a pasted key does not control playback") {
      var hour = try Hour().typing(" <Enter>")
      hour.report(.ready, .length(.stated(100)), .time(seconds: 50))
      let count = hour.effects.count
      hour.handle(.input(.paste("q,<>-=")))
      #expect(!hour.effects.dropFirst(count).contains { if case .player = $0 { true } else { false } })
      #expect(!hour.hasQuit)
    },
    Case("at 80 columns, the key hints stay beside the offline indicator") {
      var hour = try Hour(width: 80, height: 24, isCatalogue: true)
      hour.failCovers(Hour.offline)
      hour.now += 300_000
      try hour.type("jk")
      #expect(hour.shows("· offline for 5 min") && hour.shows(": open") && hour.shows("q quit  ? help"))
      #expect(!hour.shows("⚠"))
    },
    Case("a server error does not count as offline") {
      var hour = try Hour().typing("r")
      try hour.fail(FeedFailure(.temporary, "the server answered 503"))
      hour.failCovers(FeedFailure(.permanent, "the server answered 404"))
      #expect(!hour.shows("offline") && hour.shows("503"))
    },
    Case("a recovered network clears the offline indicator") {
      var hour = try Hour().typing("r")
      try hour.fail(Hour.offline)
      #expect(hour.shows("· offline"))
      try hour.type("r")
      try hour.answer(FeedPage(videos: [Hour.film(1)]))
      #expect(!hour.shows("offline"))
    },
    Case("a clock set back by a year neither blocks quitting nor shows negative times") {
      var hour = try Hour().typing("r")
      try hour.fail(Hour.offline)
      try hour.type("<Enter>q")
      hour.now -= 31_536_000_000
      try hour.type("jq")
      #expect(hour.shows("· offline ·") || hour.shows("· offline  "))
      #expect(try hour.typing("q").hasQuit)
    },
    Case("a single queued video leaves the queue after it plays, and the quit question counts downloads") {
      var hour = try Hour().typing(" <Enter>lA")
      for _ in 0..<2 { hour.playToEnd() }
      #expect(hour.state.library.store.userData.queuedKeys.isEmpty)
      for number in 0..<2 { hour.handle(.downloadChanged(VideoKey(Hour.film(number)), .waiting)) }
      #expect(try hour.typing("q").shows("2 downloads are running and resume at the next start."))
    },
    Case("the first screen shows how to open an address, and s searches") {
      #expect(try await render("").contains(": open  q quit  ? help"))
      let found = try await render("s")
      #expect(found.contains("has no search") && found.contains("Command: find"))
    },
  ]
}
