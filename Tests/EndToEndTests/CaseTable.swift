import FeedfallFeeds
import FeedfallRecords
import FeedfallSystem
import FeedfallText
import Foundation
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallApp
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

  static let walks: [Case] = [
    Case("Invidious that forbids programs ends with one message") { try await WalkCases.expectEnd(403) },
    Case("Invidious that limits requests ends with one message") { try await WalkCases.expectEnd(429) },
    Case("Invidious that is overloaded ends with one message") { try await WalkCases.expectEnd(503) },
    Case("Invidious that serves a wait page with status 200 ends with one message", WalkCases.waitPage),
    Case("the RSS of an Invidious instance replaces its refused API", WalkCases.rssInstead),
    Case("the feed named by an Invidious page is the last candidate", WalkCases.pageFeedLast),
    Case("pagination that redirects to an earlier page ends", WalkCases.nextBehindRedirect),
    Case("check waits for a server as list does", WalkCases.waitOfCheck),
  ]

  static let keys: [Case] = [
    Case("Control-Shift-C, the copy key of terminals, does not quit") {
      #expect(KeyCases.keys("\u{1B}[99;6u").allSatisfy { Keymaps.standard[.global].command(for: $0) == nil })
      #expect(KeyCases.keys("\u{1B}[27;6;67~").allSatisfy { Keymaps.standard[.global].command(for: $0) == nil })
    },
    Case("an accented letter composed by an input method is typed") {
      #expect(KeyCases.prompt("caf", "\u{1B}[0;;233u\u{1B}[;;101:769u") == "caféé|" && KeyCases.keys("\u{1B}[0u") == [])
    },
    Case("Alt-] in a terminal without modifiers does not swallow the keys after it") {
      #expect(KeyCases.keys("\u{1B}]", "j", "k") == [.character("j"), .character("k")])
    },
  ]

  static let terminals: [Case] = [
    Case("GNU Screen receives only queries that it supports") {
      let written = try await TerminalCases.written(["STY": "7.pts-1.host", "TMUX": ""])
      #expect(!written.contains("$") && !written.contains("\u{1B}[>q") && !written.contains("\u{1B}]11"))
    },
    Case("a name that only begins like a known one is not an alias") {
      for name in ["footing", "xtermite", "rioja", "stone", "dumb"] {
        #expect(TerminalProfile.types(for: name) == [name])
      }
    },
    Case("a terminal in Latin-1 is refused with a message") {
      let columns = [3, 6, 2, 2, 2].map { "\u{1B}[24;\($0)R" }.joined()
      let written = try await TerminalCases.inShell(TerminalCases.program, answers: columns + "\u{1B}[?1;2c")
      #expect(written.contains("does not support UTF-8") && written.hasSuffix("status=2."))
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
    Case("vowel signs are marks where the terminal joins them, and letters elsewhere") {
      var joined = TextWidths()
      joined.marksTakeCells = false
      #expect(GlyphRun("कहानी", firstCells: .max, widths: joined).width == 3)
      #expect(GlyphRun("कहानी", firstCells: .max, widths: TextWidths()).width == 5)
    },
  ]

  static let screens: [Case] = [
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
      var layer = KittyPictures(graphics: KittyGraphics(), depth: .direct, salt: 3, usesPlaceholders: true)
      let canvas = try ScreenCases.canvas()
      _ = layer.prepare(canvas, canvas.visiblePictures)
      let first = layer.beginTransfer(of: canvas.visiblePictures)
      layer.endTransfer(isComplete: false)
      #expect(!layer.awaitsFrame && layer.removal == [])
      let second = layer.beginTransfer(of: canvas.visiblePictures)
      #expect(first != nil && first?.bytes == second?.bytes && first?.ending.isEmpty == false)
    },
    Case("a picture has no placeholder before its last part is sent") {
      var layer = KittyPictures(graphics: KittyGraphics(), depth: .direct, salt: 3, usesPlaceholders: true)
      let canvas = try ScreenCases.canvas()
      _ = layer.beginTransfer(of: canvas.visiblePictures)
      #expect(layer.prepare(canvas, canvas.visiblePictures) == canvas)
      layer.endTransfer(isComplete: true)
      #expect(layer.awaitsFrame && layer.prepare(canvas, canvas.visiblePictures) != canvas)
    },
    Case("only text is sent while a placed picture is being transmitted") {
      var layer = KittyPictures(graphics: KittyGraphics(), depth: .direct, salt: 3, usesPlaceholders: false)
      let (canvas, none) = (try ScreenCases.canvas(), CellDamage(on: ScreenCases.size))
      #expect(ScreenCases.transfer(canvas, by: &layer) == 1)
      var other = canvas
      other.place(try ScreenCases.pixels(9, 9), id: 2, over: Rect(x: 20, y: 2, width: 4, height: 2))
      #expect(layer.beginTransfer(of: other.visiblePictures) != nil)
      #expect(layer.finish(other, other.visiblePictures, damage: none) == [])
      layer.endTransfer(isComplete: true)
      #expect(!layer.finish(other, other.visiblePictures, damage: none).isEmpty)
    },
  ]
}
