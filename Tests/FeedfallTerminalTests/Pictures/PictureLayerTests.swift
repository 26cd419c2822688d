import FeedfallScreen
import FeedfallText
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct PictureLayerTests {
  private let size = Size(width: 40, height: 12)

  /// A canvas with a picture of 4 by 2 cells at each position.
  private func canvas(_ places: [Int: Point], isAtRest: Bool = true, covered: Rect? = nil) throws -> Canvas {
    var canvas = Canvas(size: size)
    canvas.isAtRest = isAtRest
    for (id, place) in places.sorted(by: { $0.key < $1.key }) {
      let bytes = [UInt8](repeating: UInt8(id), count: 32 * 32 * 3)
      let pixels = try #require(PixelBuffer(size: Size(width: 32, height: 32), bytes: bytes))
      let frame = Rect(origin: place, size: Size(width: 4, height: 2))
      canvas.fill(frame, with: Glyph("\u{2580}"), style: Style(.cover, foreground: .white, background: .black))
      canvas.place(pixels, id: id, over: frame)
    }
    if let covered { canvas.fill(covered, style: Style(.alert)) }
    return canvas
  }

  private func text(_ bytes: [UInt8]) -> String {
    // Shorten Base64 payloads.
    String(decoding: bytes, as: UTF8.self).replacing(/;[A-Za-z0-9+\/=]{40,}/, with: ";…")
  }

  private func placeholders() -> KittyPictures {
    KittyPictures(graphics: KittyGraphics(), depth: .indexed, salt: 3, usesPlaceholders: true)
  }

  private func placements() -> KittyPictures {
    KittyPictures(graphics: KittyGraphics(), depth: .indexed, salt: 3, usesPlaceholders: false)
  }

  private static let first = 3 << 24 | 16

  /// Shows a canvas: a frame, and at rest transfers and the frame after them. Returns all bytes except those of cells.
  private func show(_ canvas: Canvas, by layer: inout some PictureLayer) -> [UInt8] {
    let pictures = canvas.visiblePictures
    func frame() -> [UInt8] {
      _ = layer.prepare(canvas, pictures)
      _ = layer.erase(under: canvas, pictures)
      return layer.finish(canvas, pictures, damage: CellDamage(on: size))
    }
    var bytes = frame()
    guard canvas.isAtRest else { return bytes }
    repeat {
      while let parts = layer.beginTransfer(of: pictures) {
        bytes += parts.bytes
        layer.endTransfer(isComplete: true)
      }
      if layer.awaitsFrame { bytes += frame() }
    } while layer.beginTransfer(of: pictures) != nil
    return bytes
  }

  private func prepared(_ canvas: Canvas, by layer: inout KittyPictures) -> Canvas {
    layer.prepare(canvas, canvas.visiblePictures)
  }

  private func shows(_ canvas: Canvas) -> String {
    canvas.text.map { $0.unicodeScalars.first?.value == KittyPictures.placeholderBase ? "#" : $0 }.reduce(into: "") {
      $0.append($1)
    }
  }

  @Test func `hidden pictures are deleted before others are transmitted without a placement`() throws {
    var layer = placements()
    for first in stride(from: 0, to: 300, by: 50) {
      let places = (0..<50).map { (first % 250 + $0, Point(x: $0 % 10 * 4, y: $0 / 10 * 2)) }
      let screen = try canvas(Dictionary(uniqueKeysWithValues: places))
      let commands = text(show(screen, by: &layer))
      #expect(commands.matches(of: /a=t,/).count == 50)
      guard let deletion = commands.ranges(of: "a=d,d=I").last, let transmission = commands.ranges(of: "a=t,").first
      else { continue }
      #expect(deletion.upperBound <= transmission.lowerBound)
      #expect(first == 200)
    }
  }

  @Test func `placeholders appear once the picture is sent at rest`() throws {
    var layer = placeholders()
    let moving = try canvas([1: .zero], isAtRest: false)
    #expect(show(moving, by: &layer).isEmpty)
    #expect(prepared(moving, by: &layer).cells == moving.cells)
    let sent = text(show(try canvas([1: .zero]), by: &layer))
    #expect(sent == "\u{1B}_Ga=T,U=1,c=4,r=2,q=2,i=\(Self.first),f=24,s=32,v=32,m=0;…\u{1B}\\")
    #expect(shows(prepared(try canvas([1: .zero]), by: &layer)).hasPrefix("####\n####"))
    let moved = try canvas([1: Point(x: 1, y: -1)], isAtRest: false)
    #expect(show(moved, by: &layer).isEmpty)
    let cell = KittyPictures.placeholder(KittyPictures.Name(0, salt: 3, depth: .indexed), x: 0, y: 1)
    #expect(prepared(moved, by: &layer)[1, 0] == cell)
  }

  @Test func `the upper corners are transparent under placeholders, else they have the background's color`() throws {
    let white = [UInt8](repeating: 255, count: 16 * 16 * 3)
    let pixels = try #require(PixelBuffer(size: Size(width: 16, height: 16), bytes: white))
    var rounded = Canvas(size: size)
    rounded.isAtRest = true
    rounded.place(pixels, id: 1, over: Rect(x: 0, y: 0, width: 2, height: 1), hasRoundedTop: true)
    let picture = try #require(rounded.visiblePictures.first)
    let top = try #require(PlacedPicture.RoundedTop(of: picture))

    let bytes = top.transparent(pixels)
    let opacity = stride(from: 3, to: bytes.count, by: 4).map { Int(bytes[$0]) }
    // A radius of four pixels, half a cell.
    #expect(opacity.prefix(16).map { $0 / 26 } == [0, 1, 6, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 6, 1, 0])
    #expect(opacity.dropFirst(4 * 16).allSatisfy { $0 == 255 })
    let red = RGB(red: 255, green: 0, blue: 0)
    let filled = top.filled(pixels, with: red)
    #expect(filled[0, 0] == red && filled[15, 0] == red && filled[8, 0] == .white && filled[0, 15] == .white)
    #expect(filled[1, 0].red == 255 && (1..<255).contains(filled[1, 0].green))
    #expect(picture.pixels(on: nil) == pixels && picture.pixels(on: red) == filled)

    var kitty = placeholders()
    #expect(text(show(rounded, by: &kitty)).contains("f=32,s=16,v=16"))
    for ground in [nil, red] {
      var layer = KittyPictures(
        graphics: KittyGraphics(), depth: .direct, salt: 3, usesPlaceholders: false, ground: ground)
      let sent = String(decoding: show(rounded, by: &layer), as: UTF8.self)
      let letters = Base64.encode(picture.pixels(on: ground).bytes)
      #expect(sent.contains("f=24,s=16,v=16,m=0;" + String(decoding: letters, as: UTF8.self)))
      var sixels = SixelPictures(cellSize: Size(width: 8, height: 16), colors: 16, ground: ground)
      #expect(text(show(rounded, by: &sixels)).contains(";2;100;0;0#") == (ground == red))
    }
  }

  @Test func `a faded picture is sent as one of its own, with less contrast`() throws {
    let plain = try canvas([1: .zero])
    var faded = plain
    faded.fade(Rect(x: 0, y: 0, width: 4, height: 2))
    let picture = try #require(faded.visiblePictures.first)
    let letters = String(decoding: Base64.encode(picture.shownPixels.bytes), as: UTF8.self)
    let plainLetters = String(decoding: Base64.encode(picture.pixels.bytes), as: UTF8.self)
    #expect(letters != plainLetters)
    func check(_ layer: inout some PictureLayer) {
      func sent(_ canvas: Canvas) -> String { String(decoding: show(canvas, by: &layer), as: UTF8.self) }
      let (first, second) = (sent(plain), sent(faded))
      #expect(first != second)
      guard !(layer is SixelPictures) else {
        // Level 1 of 255 is 0 percent, its faded level 48 is 19.
        #expect(second.contains(";2;19;19;19"))
        return
      }
      #expect(first.contains(plainLetters.prefix(4000)) && second.contains(letters.prefix(4000)))
      #expect(!sent(plain).contains(plainLetters.prefix(4000)), "both remain in the terminal")
    }
    var (first, second) = (placeholders(), placements())
    var third = SixelPictures(cellSize: Size(width: 8, height: 16), colors: 16)
    check(&first)
    check(&second)
    check(&third)
  }

  @Test func `placements follow the cells, are clipped, and are removed when invisible`() throws {
    var layer = placements()
    let sent = text(show(try canvas([1: .zero]), by: &layer))
    #expect(sent.hasPrefix("\u{1B}_Ga=t,q=2,i=\(Self.first),f=24,s=32,v=32,m=0;…\u{1B}\\\u{1B}7\u{1B}[1;1H\u{1B}_Ga=p"))
    #expect(show(try canvas([1: .zero]), by: &layer).isEmpty)
    let moved = text(show(try canvas([1: Point(x: 38, y: -1)], isAtRest: false), by: &layer))
    #expect(
      moved
        == "\u{1B}7\u{1B}[1;39H\u{1B}_Ga=p,i=\(Self.first),p=1,x=0,y=16,w=16,h=16,c=2,r=1,C=1,z=1,q=2\u{1B}\\\u{1B}8")
    let gone = text(show(try canvas([:], isAtRest: false), by: &layer))
    #expect(gone == "\u{1B}_Ga=d,d=i,i=\(Self.first),p=1,q=2\u{1B}\\")
    let back = text(show(try canvas([1: .zero], isAtRest: false), by: &layer))
    #expect(back.contains("a=p") && !back.contains("a=t"))
  }

  @Test func `sixels are drawn once at rest, and not in the last row`() throws {
    var layer = SixelPictures(cellSize: Size(width: 8, height: 16), colors: 252)
    let places = [1: Point.zero, 2: Point(x: 0, y: 10)]
    #expect(show(try canvas(places, isAtRest: false), by: &layer).isEmpty && !layer.hasPixels)
    let drawn = text(show(try canvas(places), by: &layer))
    #expect(drawn.hasPrefix("\u{1B}7\u{1B}[1;1H\u{1B}P0;1;0q\"1;1;32;32#0;2;") && drawn.hasSuffix("\u{1B}\\\u{1B}8"))
    #expect(drawn.contains("\u{1B}[11;1H\u{1B}P0;1;0q\"1;1;32;16#"))
    #expect(show(try canvas(places), by: &layer).isEmpty)
  }

  @Test func `a picture in too many parts is placed over the first ones only`() throws {
    var layer = placements()
    var pieces = Canvas(size: size)
    pieces.isAtRest = true
    let bytes = [UInt8](repeating: 9, count: 32 * 32 * 3)
    let pixels = try #require(PixelBuffer(size: Size(width: 32, height: 32), bytes: bytes))
    pieces.place(pixels, id: 1, over: Rect(x: 0, y: 0, width: 40, height: 1))
    for x in stride(from: 1, to: 40, by: 2) { pieces[x, 0] = Cell(Glyph("x")) }
    #expect(text(show(pieces, by: &layer)).matches(of: /a=p/).count == PlacedPicture.maximumParts)
  }
}
