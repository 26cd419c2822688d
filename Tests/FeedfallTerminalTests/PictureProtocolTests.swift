import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct `What a terminal can show` {
  /// The terminals' own answers, as they were seen.
  @Test(arguments: [
    (["XTerm(379)"], false, PictureProtocol.cells), (["XTerm(379)"], true, .sixel),
    (["kitty(0.26.5)"], false, .kittyPlacements), (["kitty(0.28.0)"], false, .kittyPlaceholders),
    (["kitty(0.31.0)"], false, .kittyPlaceholders), (["kitty(1.0)"], false, .kittyPlaceholders),
    (["ghostty 1.0.1"], false, .kittyPlaceholders), (["Konsole 22.12.3"], false, .kittyPlacements),
    (["Konsole 21.08.1"], false, .cells), (["foot(1.13.1)"], true, .sixel),
    (["WezTerm 20230712-072601-f4abf8fd"], true, .sixel), (["tmux 3.3a"], false, .cells),
    (["tmux 3.4"], true, .cells), (["tmux 3.3a", "kitty(0.31.0)"], false, .kittyPlaceholders),
    (["tmux 3.3a", "kitty(0.26.5)"], true, .cells), (["tmux 3.3a", "ghostty 1.1"], false, .kittyPlaceholders),
    (["tmux 3.3a", "XTerm(379)"], true, .cells), ([], false, .cells), ([], true, .sixel),
    (["kitty"], false, .kittyPlacements),
    (["kitty(99999999999999999999.9)"], false, .kittyPlacements), ([""], false, .cells),
  ])
  func `follows from its name`(names: [String], hasSixel: Bool, expected: PictureProtocol) {
    var identity = TerminalIdentity()
    for name in names { identity.take(name: name) }
    identity.hasSixel = hasSixel
    #expect(identity.pictureProtocol(for: .auto) == expected)
  }

  @Test(arguments: [
    (["WezTerm 20230712-072601-f4abf8fd"], true), (["foot(1.13.1)"], true), (["XTerm(379)"], false),
    (["tmux 3.3a"], false), (["tmux 3.3a", "WezTerm 20230712"], true), ([], false),
  ])
  func `who draws blocks is known by name`(names: [String], isKnown: Bool) {
    var identity = TerminalIdentity()
    for name in names { identity.take(name: name) }
    #expect(identity.drawsBlocks == isKnown)
  }

  @Test func `is what the person says`() {
    var identity = TerminalIdentity()
    identity.hasSixel = true
    #expect(identity.pictureProtocol(for: .kitty) == .kittyPlaceholders)
    #expect(identity.pictureProtocol(for: .sixel) == .sixel)
    for choice in [PictureChoice.cells, .symbols, .none] { #expect(identity.pictureProtocol(for: choice) == .cells) }
    identity.take(name: "kitty(0.26.5)")
    #expect(identity.pictureProtocol(for: .kitty) == .kittyPlacements)
  }
}

@Suite(.hangLimit) struct `kitty's protocol` {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func pixels(_ width: Int, _ height: Int) throws -> PixelBuffer {
    let bytes = [UInt8](repeating: 0, count: width * height * 3)
    return try #require(PixelBuffer(size: Size(width: width, height: height), bytes: bytes))
  }

  @Test func `a picture for placeholders is one sequence, or many with 4096 letters each`() throws {
    let graphics = KittyGraphics()
    let small = graphics.transmission(of: try pixels(1, 1), number: 7, placeholders: Size(width: 4, height: 2))
    #expect(text(small) == "\u{1B}_Ga=T,U=1,c=4,r=2,q=2,i=7,f=24,s=1,v=1,m=0;AAAA\u{1B}\\")
    let large = text(graphics.transmission(of: try pixels(64, 33), number: 7))
    let letters = String(repeating: "A", count: 4096)
    #expect(
      large == "\u{1B}_Ga=t,q=2,i=7,f=24,s=64,v=33,m=1;\(letters)\u{1B}\\\u{1B}_Gq=2,m=1;\(letters)\u{1B}\\"
        + "\u{1B}_Gq=2,m=0;\(String(repeating: "A", count: 256))\u{1B}\\")
  }

  @Test func `tmux is asked to pass it on`() throws {
    let sent = KittyGraphics(isInTmux: true).transmission(of: try pixels(1, 1), number: 7)
    #expect(
      text(sent) == "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=t,q=2,i=7,f=24,s=1,v=1,m=0;AAAA\u{1B}\u{1B}\\\u{1B}\\")
    #expect(text(TerminalProfile.outerQueries) == "\u{1B}Ptmux;\u{1B}\u{1B}[>q\u{1B}\u{1B}[c\u{1B}\\")
  }

  @Test func `a placement leaves the cursor where it is`() {
    let bytes = KittyGraphics().placement(
      of: 9, placement: 2, source: Rect(x: 1, y: 2, width: 3, height: 4), cells: Rect(x: 5, y: 6, width: 7, height: 8))
    #expect(text(bytes) == "\u{1B}7\u{1B}[7;6H\u{1B}_Ga=p,i=9,p=2,x=1,y=2,w=3,h=4,c=7,r=8,C=1,z=1,q=2\u{1B}\\\u{1B}8")
  }

  @Test func `a placeholder says row, column and number`() {
    let direct = KittyPlaceholder.cell(KittyName(5, salt: 0x12, depth: .direct), x: 1, y: 0)
    #expect(direct.glyph.scalars.map(\.value) == [0x10EEEE, 0x305, 0x30D])
    #expect(direct.style.foreground == RGB(red: 0x12, green: 0x48, blue: 5))
    let indexed = KittyPlaceholder.cell(KittyName(180, salt: 2, depth: .indexed), x: 0, y: 296)
    #expect(indexed.glyph.scalars.map(\.value) == [0x10EEEE, 0x1D244, 0x305, 0x30E])
    #expect(KittyPlaceholder.most == 297)
  }

  @Test(arguments: [ColorDepth.indexed, .direct])
  func `a name's colour is its number`(depth: ColorDepth) {
    for index in 0..<KittyName.count {
      for salt: UInt8 in [0, 1, 0x5A, 255] {
        let name = KittyName(index, salt: salt, depth: depth)
        #expect(depth.nearest(to: name.color) == Int32(name.number & 0xFF_FFFF))
        #expect(name.number != 0)
      }
    }
  }

  @Test func `the terminal keeps no more than it has room for`() {
    var images = KittyImages()
    func key(_ id: Int) -> KittyImages.Key { KittyImages.Key(id: id, size: Size(width: 4, height: 2)) }
    for id in 0..<300 {
      images.beginFrame()
      #expect(images.makeRoom(forByteCount: 10).count == (id < KittyName.count ? 0 : 1))
      #expect(images.add(key(id), byteCount: 10) != nil)
    }
    #expect(images.names.count == KittyName.count)
    #expect(images.use(key(0)) == nil && images.use(key(299)) != nil)
    images.beginFrame()
    #expect(images.use(key(60)) != nil)
    #expect(images.makeRoom(forByteCount: KittyImages.capacity - 10).count == KittyName.count - 1)
    #expect(images.use(key(60)) != nil)
    #expect(images.add(key(1), byteCount: KittyImages.capacity) == nil)
  }

  @Test(arguments: [
    ("\u{1B}[2;9r\u{1B}[9;1H\n", true), ("a\u{1B}[3S", true), ("\u{1B}[L", true), ("\u{1B}[2M", true),
    ("\u{1B}M", true),
    ("\u{1B}[2;9H\u{1B}[38;2;1;2;3mabcSTLM\u{1B}[K\u{1B}(B", false), ("\u{1B}[", false), ("\u{1B}", false), ("", false),
  ])
  func `a frame that moves rows is told from others`(frame: String, scrolls: Bool) {
    #expect(CellMovement.scrolls(Array(frame.utf8)) == scrolls)
  }
}
