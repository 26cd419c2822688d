import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallScreen

@Suite(.hangLimit) struct CellPictureTests {
  private static let red = RGB(red: 255, green: 0, blue: 0)
  private static let blue = RGB(red: 0, green: 0, blue: 255)

  /// Parses a picture with one letter for each pixel: red, blue, white.
  private func pixels(_ rows: [String]) throws -> PixelBuffer {
    let colors: [Character: RGB] = ["r": Self.red, "b": Self.blue, "w": .white]
    let bytes = rows.joined().compactMap { colors[$0] }.flatMap { [$0.red, $0.green, $0.blue] }
    return try #require(PixelBuffer(size: Size(width: rows[0].count, height: rows.count), bytes: bytes))
  }

  /// Draws a picture of one cell; returns its character and colors.
  private func cell(_ rows: [String], _ glyphs: BlockGlyphs) throws -> (glyph: String, ink: RGB?, ground: RGB?) {
    let picture = try CellPicture(pixels(rows), glyphs: glyphs)
    #expect(picture.size == Size(width: 1, height: 1))
    let cell = picture[0, 0]
    #expect(cell.style.role == .cover)
    return (String(String.UnicodeScalarView(cell.glyph.scalars)), cell.style.foreground, cell.style.background)
  }

  @Test(arguments: BlockGlyphs.allCases)
  func `a single colour becomes a blank`(glyphs: BlockGlyphs) throws {
    let tile = glyphs.pixelsPerCell
    let rows = Array(repeating: String(repeating: "b", count: tile.width), count: tile.height)
    #expect(try cell(rows, glyphs) == (" ", nil, Self.blue))
  }

  @Test(arguments: [
    ("rbbb", "▘"), ("brbb", "▝"), ("bbrb", "▖"), ("bbbr", "▗"), ("rbbr", "▚"), ("rbrb", "▌"),
  ])
  func `four squares become quarters or halves`(letters: String, glyph: String) throws {
    func row(_ letters: Substring) -> String { letters.map { String(repeating: $0, count: 4) }.joined() }
    let rows = Array(repeating: row(letters.prefix(2)), count: 4) + Array(repeating: row(letters.suffix(2)), count: 4)
    #expect(try cell(rows, .eighths) == (glyph, Self.red, Self.blue))
  }

  @Test(arguments: Array(zip(1..., "▁▂▃▄▅▆▇")), [BlockGlyphs.eighths, .sextants, .octants])
  func `rows become bars from below`(bar: (eighths: Int, glyph: Character), glyphs: BlockGlyphs) throws {
    let rows = (0..<8).map { $0 < 8 - bar.eighths ? "bbbbbbbb" : "rrrrrrrr" }
    #expect(try cell(rows, glyphs) == (String(bar.glyph), Self.red, Self.blue))
  }

  @Test(arguments: Array(zip(1..., "▏▎▍▌▋▊▉")), [BlockGlyphs.eighths, .sextants, .octants])
  func `columns become bars from the left`(bar: (eighths: Int, glyph: Character), glyphs: BlockGlyphs) throws {
    let row = String(repeating: "r", count: bar.eighths) + String(repeating: "b", count: 8 - bar.eighths)
    #expect(try cell(Array(repeating: row, count: 8), glyphs) == (String(bar.glyph), Self.red, Self.blue))
  }

  /// The masks have the parts in reading order from their lowest bit; `0b010101` and its inverse are halves.
  @Test(arguments: [
    (0b000001, "🬀"), (0b000010, "🬁"), (0b010000, "🬏"), (0b010100, "🬓"), (0b010110, "🬔"), (0b001110, "🬍"),
    (0b011111, "🬝"),
  ])
  func `six parts become a sextant`(mask: Int, glyph: String) throws {
    // The edges of thirds divide pixels: one of the 8 rows is a mixture of two parts.
    let size = Size(width: 8, height: 8)
    let bytes = (0..<64).flatMap { place -> [UInt8] in
      let (x, y) = (place % 8 / 4, place / 8)
      let parts = [y * 3 / 8, (y * 3 + 2) / 8].map { mask >> ($0 * 2 + x) & 1 }
      let share = y == 2 ? (parts[0] * 2 + parts[1]) : y == 5 ? (parts[0] + parts[1] * 2) : parts[0] * 3
      return [UInt8(share * 85), 0, UInt8(255 - share * 85)]
    }
    let picture = CellPicture(try #require(PixelBuffer(size: size, bytes: bytes)), glyphs: .sextants)
    #expect(String(String.UnicodeScalarView(picture[0, 0].glyph.scalars)) == glyph)
  }

  /// The masks have the parts in reading order from their lowest bit. Some octants exist only as their inverse.
  @Test(arguments: [
    (0b0000_0100, 0x1CD00), (0b0000_0110, 0x1CD01), (0b0000_1000, 0x1CD03), (0b0001_0000, 0x1CD09),
    (0b1111_1110, 0x1CDE5), (0b0000_0001, 0x1CDE5), (0b0000_0011, 0x2586), (0b0101_1010, 0x259A),
  ])
  func `eight parts become an octant`(mask: Int, scalar: UInt32) throws {
    let rows = (0..<8).map { y in String((0..<8).map { x in mask >> (x / 4 + y / 2 * 2) & 1 == 1 ? "r" : "b" }) }
    let found = try cell(rows, .octants)
    #expect(found.glyph.unicodeScalars.map(\.value) == [scalar])
    #expect(Set([found.ink, found.ground]) == [Self.red, Self.blue])
  }

  @Test(arguments: [BlockGlyphs.eighths, .sextants, .octants])
  func `no other character has a smaller error`(glyphs: BlockGlyphs) throws {
    var random = SeededGenerator(seed: 7)
    let tile = glyphs.pixelsPerCell
    for _ in 0..<50 {
      let bytes = (0..<tile.width * tile.height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
      let pixels = try #require(PixelBuffer(size: tile, bytes: bytes))
      let found = CellPicture(pixels, glyphs: glyphs)[0, 0]
      let best = BlockShape.all(in: glyphs).map { $0.error(of: pixels) }.min() ?? 0
      let shape = try #require(BlockShape.all(in: glyphs).first { $0.glyph == found.glyph }, "\(found)")
      #expect(shape.error(of: pixels) <= best * 1.0001 + Double(tile.width * tile.height), "\(found.glyph)")
    }
  }

  private static func squaredDifference(_ one: RGB, _ other: RGB) -> Double {
    let channels: [KeyPath<RGB, UInt8>] = [\.red, \.green, \.blue]
    return channels.reduce(0.0) { sum, channel in
      let difference = Double(one[keyPath: channel]) - Double(other[keyPath: channel])
      return sum + difference * difference
    }
  }

  @Test func `four pixels get the two colors with the least error, or one if that is hardly worse`() throws {
    var random = SeededGenerator(seed: 31)
    let shapes = BlockShape.quarters
    for round in 0..<2000 {
      let range: ClosedRange<UInt8> = round.isMultiple(of: 2) ? 0...255 : 100...106
      let bytes = (0..<12).map { _ in UInt8.random(in: range, using: &random) }
      let pixels = try #require(PixelBuffer(size: Size(width: 2, height: 2), bytes: bytes))
      let places = [(0, 0), (1, 0), (0, 1), (1, 1)]
      let split = BlockGlyphs.QuarterSplit(pixels[0, 0], pixels[1, 0], pixels[0, 1], pixels[1, 1])
      let error = places.enumerated().reduce(0.0) { sum, place in
        let seen = split.quarters >> UInt8(place.offset) & 1 == 1 ? split.ink : split.ground
        return sum + Self.squaredDifference(seen, pixels[place.element.0, place.element.1])
      }
      let errors = shapes.map { $0.error(of: pixels) }
      // Rounded colors.
      let rounding = 3.0
      #expect(error <= (errors.min() ?? 0) + (split.quarters == 0 ? 4 * 24 : 0) + rounding)
      if errors[0] - (errors.min() ?? 0) < 4 * 24 - rounding { #expect(split.quarters == 0) }
    }
  }

  @Test func `cells are in the order of the pixels`() throws {
    let picture = try CellPicture(pixels(["rb", "bw", "ww", "rr"]), glyphs: .halves)
    #expect(picture.size == Size(width: 2, height: 2))
    #expect(picture[1, 0].style == Style(.cover, foreground: Self.blue, background: .white))
    #expect(picture[0, 1].style == Style(.cover, foreground: .white, background: Self.red))
  }

  @Test func `pixels that do not fill a cell are ignored`() throws {
    #expect(try CellPicture(pixels(["rbr", "bbb", "rrr"]), glyphs: .halves).size == Size(width: 3, height: 1))
  }

  @Test func `the average colour averages light, not channel values`() throws {
    let average = try pixels(["rb", "br"]).averageColor
    #expect(average == RGB(red: 180, green: 0, blue: 180))
  }

  // MARK: Without colors

  private func drawn(_ picture: CellPicture) -> [String] {
    (0..<picture.size.height).map { y in
      String(String.UnicodeScalarView((0..<picture.size.width).flatMap { picture[$0, y].glyph.scalars }))
    }
  }

  @Test func `a picture without colours is a frame with the initial`() {
    let picture = CellPicture(initialOf: "élan", size: Size(width: 7, height: 3), TextWidths())
    #expect(drawn(picture) == ["╭─────╮", "│  É  │", "╰─────╯"])
    let wide = CellPicture(initialOf: "瀑布", size: Size(width: 6, height: 4), TextWidths())
    #expect(drawn(wide) == ["╭────╮", "│ 瀑 │", "│    │", "╰────╯"])
  }

  @Test(arguments: [(0, 0), (1, 1), (2, 2), (3, 2), (-1, 5), (3, 3)])
  func `a frame that is too small has no initial`(width: Int, height: Int) {
    let picture = CellPicture(initialOf: "瀑", size: Size(width: width, height: height), TextWidths())
    #expect(picture.size == Canvas(size: Size(width: width, height: height)).size)
    #expect(!drawn(picture).joined().contains("瀑"))
  }

  // MARK: Drawing

  private func shown(at rect: Rect, clip: Rect? = nil, _ picture: CellPicture) -> [String] {
    var canvas = Canvas(size: Size(width: 6, height: 3))
    canvas.fill(canvas.bounds, with: Glyph("."), style: .plain)
    if let clip { canvas.clip = clip }
    canvas.draw(picture, in: rect)
    return drawn(CellPicture(size: canvas.size, cells: canvas.cells))
  }

  @Test func `a picture is clipped by its rectangle, the clip and the canvas`() {
    let picture = CellPicture(initialOf: "x", size: Size(width: 4, height: 3), TextWidths())
    #expect(shown(at: Rect(x: 1, y: 0, width: 9, height: 9), picture) == [".╭──╮.", ".│X │.", ".╰──╯."])
    #expect(shown(at: Rect(x: 1, y: 0, width: 2, height: 2), picture) == [".╭─...", ".│X...", "......"])
    #expect(shown(at: Rect(x: -1, y: -1, width: 4, height: 3), picture) == ["X │...", "──╯...", "......"])
    #expect(shown(at: Rect(x: 4, y: 2, width: 4, height: 3), picture) == ["......", "......", "....╭─"])
    let clip = Rect(x: 2, y: 1, width: 1, height: 1)
    #expect(shown(at: Rect(x: 1, y: 0, width: 4, height: 3), clip: clip, picture) == ["......", "..X...", "......"])
    #expect(shown(at: Rect(x: 7, y: 0, width: 4, height: 3), picture) == ["......", "......", "......"])
    #expect(shown(at: Rect(x: Int.max, y: Int.min, width: 4, height: 3), picture) == ["......", "......", "......"])
  }

  @Test func `a wide character cut by the edge of a picture becomes blank`() {
    let picture = CellPicture(initialOf: "瀑", size: Size(width: 4, height: 3), TextWidths())
    #expect(shown(at: Rect(x: 0, y: 0, width: 2, height: 3), picture) == ["╭─....", "│ ....", "╰─...."])
    #expect(shown(at: Rect(x: -2, y: 0, width: 4, height: 3), picture)[1] == " │....")
  }
}
