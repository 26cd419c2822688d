import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

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

  static let terminals: [Case] = []

  static let screens: [Case] = [
    Case("text beside a sixel cover leaves it alone") {
      try ScreenCases.expectRedrawn(0, after: "\u{1B}[3;11Htitle\u{1B}[K\u{1B}[2;1Habove\u{1B}[7;1Hbelow")
    },
    Case("a character over a sixel cover draws it again") {
      try ScreenCases.expectRedrawn(1, after: "\u{1B}[4;5Hx")
    },
    Case("a sixel cover is drawn again where the start of its row is erased") {
      try ScreenCases.expectRedrawn(1, after: "\u{1B}[4;3H\u{1B}[1K")
    },
    Case("a sixel cover is drawn again where characters before it are deleted") {
      try ScreenCases.expectRedrawn(1, after: "\u{1B}[4;1H\u{1B}[P")
    },
    Case("a sixel cover is drawn again where a repeated character reaches it") {
      try ScreenCases.expectRedrawn(0, after: "\u{1B}[4;1Ha\u{1B}[b")
      try ScreenCases.expectRedrawn(1, after: "\u{1B}[4;1Ha\u{1B}[2b")
    },
    Case("a wide character damages both of its cells, and a mark none") {
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
    Case("a picture is no placeholder before its last part is sent") {
      var layer = KittyPlaceholders(graphics: KittyGraphics(), depth: .direct, salt: 3)
      let canvas = try ScreenCases.canvas()
      _ = layer.beginTransfer(of: canvas.visiblePictures)
      #expect(layer.prepare(canvas, canvas.visiblePictures) == canvas)
      layer.endTransfer(isComplete: true)
      #expect(layer.awaitsFrame && layer.prepare(canvas, canvas.visiblePictures) != canvas)
    },
    Case("only text is sent while a placed picture is on its way") {
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

  static let attacks: [Case] = []

  static let configurations: [Case] = []

  static let downloads: [Case] = []

  static let hours: [Case] = []
}
