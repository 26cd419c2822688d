import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct `Pictures over cells` {
  private let size = Size(width: 40, height: 12)

  /// A canvas with a picture of 4 by 2 cells for each of the places.
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
    // What is sent says enough by its first letters.
    String(decoding: bytes, as: UTF8.self).replacing(/;[A-Za-z0-9+\/=]{40,}/, with: ";…")
  }

  private func placeholders() -> KittyPlaceholders {
    KittyPlaceholders(graphics: KittyGraphics(), depth: .indexed, salt: 3)
  }

  private func placements() -> KittyPlacements {
    KittyPlacements(graphics: KittyGraphics(), depth: .indexed, salt: 3)
  }

  private static let first = 3 << 24 | 16

  private func shows(_ canvas: Canvas) -> String {
    canvas.text.map { $0.unicodeScalars.first?.value == KittyPlaceholder.base ? "#" : $0 }.reduce(into: "") {
      $0.append($1)
    }
  }

  @Test func `placeholders come when the picture has been sent, once nothing moves`() throws {
    var layer = placeholders()
    // The first frame may clear the screen and all that was sent before.
    let plain = try canvas([1: .zero])
    var (dressed, before) = layer.dress(plain)
    #expect(before.isEmpty && dressed.cells == plain.cells && layer.isUnfinished)
    _ = layer.after(dressed, cells: [])
    (dressed, before) = layer.dress(try canvas([1: .zero], isAtRest: false))
    #expect(before.isEmpty && !layer.isUnfinished)
    (dressed, before) = layer.dress(try canvas([1: .zero]))
    #expect(text(before) == "\u{1B}_Ga=T,U=1,c=4,r=2,q=2,i=\(Self.first),f=24,s=32,v=32,m=0;…\u{1B}\\")
    #expect(shows(dressed).hasPrefix("####\n####"))
    (dressed, before) = layer.dress(try canvas([1: Point(x: 1, y: -1)], isAtRest: false))
    #expect(before.isEmpty)
    #expect(dressed[1, 0] == KittyPlaceholder.cell(KittyName(0, salt: 3, depth: .indexed), x: 0, y: 1))
  }

  @Test func `what is drawn over placeholders is seen`() throws {
    var layer = placeholders()
    _ = layer.after(layer.dress(try canvas([1: .zero])).canvas, cells: [])
    let dressed = layer.dress(try canvas([1: .zero], covered: Rect(x: 1, y: 0, width: 2, height: 1))).canvas
    #expect(shows(dressed).hasPrefix("#  #\n####"))
  }

  @Test func `placements follow the cells, are cut at edges, and go when nothing is left to see`() throws {
    var layer = placements()
    _ = layer.after(try canvas([1: .zero]), cells: [])
    #expect(layer.isUnfinished)
    let sent = text(layer.after(try canvas([1: .zero]), cells: []))
    #expect(sent.hasPrefix("\u{1B}_Ga=t,q=2,i=\(Self.first),f=24,s=32,v=32,m=0;…\u{1B}\\\u{1B}7\u{1B}[1;1H\u{1B}_Ga=p"))
    #expect(layer.after(try canvas([1: .zero]), cells: []).isEmpty)
    let moved = text(layer.after(try canvas([1: Point(x: 38, y: -1)], isAtRest: false), cells: []))
    #expect(
      moved
        == "\u{1B}7\u{1B}[1;39H\u{1B}_Ga=p,i=\(Self.first),p=1,x=0,y=16,w=16,h=16,c=2,r=1,C=1,z=1,q=2\u{1B}\\\u{1B}8")
    let gone = text(layer.after(try canvas([:], isAtRest: false), cells: []))
    #expect(gone == "\u{1B}_Ga=d,d=i,i=\(Self.first),p=1,q=2\u{1B}\\")
    let back = text(layer.after(try canvas([1: .zero], isAtRest: false), cells: []))
    #expect(back.contains("a=p") && !back.contains("a=t"))
  }

  @Test func `an alert over a placement leaves its other parts`() throws {
    var layer = placements()
    _ = layer.after(try canvas([1: .zero]), cells: [])
    _ = layer.after(try canvas([1: .zero]), cells: [])
    let covered = Rect(x: 2, y: 0, width: 9, height: 1)
    let parts = text(layer.after(try canvas([1: .zero], covered: covered), cells: []))
    #expect(parts.contains("p=1,x=0,y=0,w=16,h=16,c=2,r=1,") && parts.contains("p=2,x=0,y=16,w=32,h=16,c=4,r=1,"))
    let whole = text(layer.after(try canvas([1: .zero]), cells: []))
    #expect(whole.contains("a=d,d=i,i=\(Self.first),p=2") && whole.contains("p=1,x=0,y=0,w=32,h=32,c=4,r=2,"))
  }

  @Test func `placements that the terminal may have moved are placed again`() throws {
    var layer = placements()
    for _ in 0..<2 { _ = layer.after(try canvas([1: .zero]), cells: []) }
    #expect(text(layer.after(try canvas([1: .zero]), cells: Array("\u{1B}[2;9r".utf8))).contains("a=p"))
  }

  @Test func `a frame does not take more than its share`() throws {
    var layer = placements()
    let many = Dictionary(uniqueKeysWithValues: (0..<80).map { ($0, Point(x: $0 % 10 * 4, y: $0 / 10)) })
    _ = layer.after(try canvas(many), cells: [])
    let most = pictureBytesAFrame + 8192
    var frames = 0
    repeat {
      #expect(layer.after(try canvas(many), cells: []).count < most + 80 * 80)
      frames += 1
    } while layer.isUnfinished && frames < 9
    #expect((2...8).contains(frames))
  }

  @Test func `all is taken away by number, and sent again after that`() throws {
    var layer = placements()
    #expect(layer.removal.isEmpty)
    for _ in 0..<2 { _ = layer.after(try canvas([1: .zero, 2: Point(x: 9, y: 0)]), cells: []) }
    let removal = [0, 1].map { "\u{1B}_Ga=d,d=I,i=\(Self.first + $0),q=2\u{1B}\\" }
    #expect(text(layer.removal) == "\u{1B}\\" + removal.joined())
    layer.forget()
    #expect(layer.after(try canvas([1: .zero]), cells: []).isEmpty)
    #expect(text(layer.after(try canvas([1: .zero]), cells: [])).contains("a=t"))
  }

  @Test func `sixels are drawn when nothing moves, once, and not in the last row`() throws {
    var layer = SixelPictures(cellSize: Size(width: 8, height: 16), colors: 252)
    let places = [1: Point.zero, 2: Point(x: 0, y: 10)]
    #expect(layer.after(try canvas(places), cells: []).isEmpty && layer.isUnfinished)
    #expect(layer.after(try canvas(places, isAtRest: false), cells: []).isEmpty && !layer.isUnfinished)
    let drawn = text(layer.after(try canvas(places), cells: []))
    #expect(drawn.hasPrefix("\u{1B}7\u{1B}[1;1H\u{1B}P0;1;0q\"1;1;32;32#0;2;") && drawn.hasSuffix("\u{1B}\\\u{1B}8"))
    #expect(drawn.contains("\u{1B}[11;1H\u{1B}P0;1;0q\"1;1;32;16#"))
    #expect(layer.after(try canvas(places), cells: []).isEmpty)
  }

  @Test func `rows under sixels that are not to be seen any more are written anew`() throws {
    var layer = SixelPictures(cellSize: Size(width: 8, height: 16), colors: 252)
    let still = try canvas([1: .zero, 2: Point(x: 0, y: 5), 3: Point(x: 9, y: 1)])
    for _ in 0..<2 { _ = layer.after(still, cells: []) }
    #expect(layer.spoiledRows(under: still) == [])
    // The third shares a row with the first.
    let moved = try canvas([1: Point(x: 1, y: 0), 2: Point(x: 0, y: 5), 3: Point(x: 9, y: 1)])
    #expect(layer.spoiledRows(under: moved) == [0..<2, 1..<3])
    let drawn = text(layer.after(moved, cells: []))
    #expect(drawn.contains("[1;2H") && drawn.contains("[2;10H") && !drawn.contains("[6;1H"))
    // Cells that change under a picture put an end to it.
    var changed = moved
    changed.fill(Rect(x: 0, y: 5, width: 4, height: 2), style: Style(.dim))
    #expect(layer.spoiledRows(under: changed) == [5..<7])
  }

  @Test func `sixels that the terminal may have moved are drawn again`() throws {
    var layer = SixelPictures(cellSize: Size(width: 8, height: 16), colors: 252)
    let still = try canvas([1: .zero])
    for _ in 0..<2 { _ = layer.after(still, cells: []) }
    #expect(layer.after(still, cells: Array("\u{1B}[2;9r".utf8)).isEmpty && layer.isUnfinished)
    #expect(layer.spoiledRows(under: still) == [0..<2])
    #expect(!layer.after(still, cells: []).isEmpty)
  }

  @Test func `a picture in too many pieces is left to its cells as far as they go`() throws {
    var layer = placements()
    var pieces = Canvas(size: size)
    pieces.isAtRest = true
    let bytes = [UInt8](repeating: 9, count: 32 * 32 * 3)
    let pixels = try #require(PixelBuffer(size: Size(width: 32, height: 32), bytes: bytes))
    pieces.place(pixels, id: 1, over: Rect(x: 0, y: 0, width: 40, height: 1))
    for x in stride(from: 1, to: 40, by: 2) { pieces[x, 0] = Cell(Glyph("x")) }
    for _ in 0..<2 { _ = layer.after(pieces, cells: []) }
    layer.forget()
    _ = layer.after(pieces, cells: [])
    #expect(text(layer.after(pieces, cells: [])).matches(of: /a=p/).count == VisiblePicture.mostParts)
  }
}
