import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallTerminal

@Suite(.hangLimit) struct KittyGraphicsTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func pixels(_ width: Int, _ height: Int) throws -> PixelBuffer {
    let bytes = [UInt8](repeating: 0, count: width * height * 3)
    return try #require(PixelBuffer(size: Size(width: width, height: height), bytes: bytes))
  }

  @Test func `a transmission is split into sequences of 4096 letters`() throws {
    let graphics = KittyGraphics()
    let small = graphics.transmission(of: try pixels(1, 1), number: 7, placeholders: Size(width: 4, height: 2))
    #expect(text(small.bytes) == "\u{1B}_Ga=T,U=1,c=4,r=2,q=2,i=7,f=24,s=1,v=1,m=0;AAAA\u{1B}\\")
    let parts = graphics.transmission(of: try pixels(64, 33), number: 7)
    let large = text(parts.bytes)
    let letters = String(repeating: "A", count: 4096)
    #expect(
      large == "\u{1B}_Ga=t,q=2,i=7,f=24,s=64,v=33,m=1;\(letters)\u{1B}\\\u{1B}_Gq=2,m=1;\(letters)\u{1B}\\"
        + "\u{1B}_Gq=2,m=0;\(String(repeating: "A", count: 256))\u{1B}\\")
    #expect(parts.ends.count == 3 && parts.ends.last == parts.bytes.count)
    #expect(text(parts.ending) == "\u{1B}_Gq=2,m=0\u{1B}\\")
  }

  @Test func `sequences are wrapped for tmux`() throws {
    let sent = KittyGraphics(isInTmux: true).transmission(of: try pixels(1, 1), number: 7)
    #expect(
      text(sent.bytes) == "\u{1B}Ptmux;\u{1B}\u{1B}_Ga=t,q=2,i=7,f=24,s=1,v=1,m=0;AAAA\u{1B}\u{1B}\\\u{1B}\\")
    #expect(text(TerminalProfile.outerQueries) == "\u{1B}Ptmux;\u{1B}\u{1B}[>q\u{1B}\u{1B}[c\u{1B}\\")
  }

  @Test func `a placement restores the cursor`() {
    let extent = KittyGraphics.Extent(
      source: Rect(x: 1, y: 2, width: 3, height: 4), cells: Rect(x: 5, y: 6, width: 7, height: 8))
    let bytes = KittyGraphics().placement(of: 9, placement: 2, extent)
    #expect(text(bytes) == "\u{1B}7\u{1B}[7;6H\u{1B}_Ga=p,i=9,p=2,x=1,y=2,w=3,h=4,c=7,r=8,C=1,z=1,q=2\u{1B}\\\u{1B}8")
  }

  @Test func `a placeholder encodes row, column and number`() {
    let direct = KittyPictures.placeholder(KittyPictures.Name(5, salt: 0x12, depth: .direct), x: 1, y: 0)
    #expect(direct.glyph.scalars.map(\.value) == [0x10EEEE, 0x305, 0x30D])
    #expect(direct.style.foreground == RGB(red: 0x12, green: 0x48, blue: 5))
    let indexed = KittyPictures.placeholder(KittyPictures.Name(180, salt: 2, depth: .indexed), x: 0, y: 296)
    #expect(indexed.glyph.scalars.map(\.value) == [0x10EEEE, 0x1D244, 0x305, 0x30E])
    #expect(KittyPictures.maximumSize == 297)
  }

  @Test(arguments: [ColorDepth.indexed, .direct])
  func `a name's color encodes its number`(depth: ColorDepth) {
    for index in 0..<KittyPictures.Name.count {
      for salt: UInt8 in [0, 1, 0x5A, 255] {
        let name = KittyPictures.Name(index, salt: salt, depth: depth)
        #expect(depth.nearest(to: name.color) == Int32(name.number & 0xFF_FFFF))
        #expect(name.number != 0)
      }
    }
  }

  @Test func `the least recently used pictures are evicted`() {
    var images = KittyPictures.Images()
    func key(_ id: Int) -> KittyPictures.Images.Key {
      KittyPictures.Images.Key(id: id, size: Size(width: 4, height: 2))
    }
    for id in 0..<300 {
      images.beginFrame()
      #expect(images.evict(forByteCount: 10).count == (id < KittyPictures.Name.count ? 0 : 1))
      #expect(images.add(key(id), byteCount: 10) != nil)
    }
    #expect(images.names.count == KittyPictures.Name.count)
    #expect(images.use(key(0)) == nil && images.use(key(299)) != nil)
    images.beginFrame()
    #expect(images.use(key(60)) != nil)
    #expect(images.evict(forByteCount: KittyPictures.Images.capacity - 10).count == KittyPictures.Name.count - 1)
    #expect(images.use(key(60)) != nil)
    #expect(images.add(key(1), byteCount: KittyPictures.Images.capacity) == nil)
  }
}
