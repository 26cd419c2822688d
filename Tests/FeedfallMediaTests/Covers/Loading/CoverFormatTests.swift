import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

@Suite(.hangLimit) struct CoverFormatTests {
  private func format(_ glyphs: BlockGlyphs, wantsPixels: Bool = false) -> CoverFormat {
    CoverFormat(
      size: Size(width: 40, height: 12), cellSize: Size(width: 8, height: 16), glyphs: glyphs, wantsPixels: wantsPixels)
  }

  @Test func `no more pixels are decoded than the cells show`() {
    #expect(format(.halves).detail == Size(width: 40, height: 24))
    #expect(format(.sextants).detail == Size(width: 320, height: 192))
    #expect(format(.halves, wantsPixels: true).detail == Size(width: 320, height: 192))
  }

  @Test(arguments: [Size(width: 0, height: 0), Size(width: .max, height: .max), Size(width: -1, height: 20_000)])
  func `the number of pixels is limited for any size`(size: Size) throws {
    let picture = try CoverPicture.decode(
      Sample.jpeg,
      in: CoverFormat(size: Size(width: 2, height: 1), cellSize: size, glyphs: .halves, wantsPixels: true)
    ).picture
    let pixels = try #require(picture.pixels)
    #expect(pixels.size.width <= 8192 && pixels.size.height <= 8192)
  }

  @Test func `a thumbnail scaled to a size looks like the picture decoded for that size`() throws {
    let bytes = try #require(
      PixelBuffer(
        size: Size(width: 400, height: 300),
        bytes: (0..<300).flatMap { y in (0..<400).flatMap { x in [UInt8(x / 2), UInt8(y / 2), 90] } })?.jpeg(
          quality: 95))
    for wantsPixels in [false, true] {
      let format = format(.eighths, wantsPixels: wantsPixels)
      let once = try CoverPicture.decode(bytes, in: format).picture
      let direct = try PictureDecoder.decode(bytes, to: format.pixelTarget)
      let shown = once.pixels ?? direct
      #expect(zip(shown.bytes, direct.bytes).allSatisfy { abs(Int($0) - Int($1)) < 8 })
      #expect(once.cells.size == Size(width: 40, height: 12))
    }
  }

  @Test func `a thumbnail keeps the aspect ratio of its picture`() throws {
    for (size, expected) in [
      (Size(width: 640, height: 360), Size(width: 320, height: 180)),
      (Size(width: 150, height: 450), Size(width: 107, height: 320)),
      (Size(width: 900, height: 30), Size(width: 320, height: 11)),
      (Size(width: 100, height: 60), Size(width: 100, height: 60)),
    ] {
      let thumbnail = try CoverPicture.decode(Sample.blueJPEG(size), in: format(.halves)).thumbnail
      #expect(thumbnail?.size == expected && thumbnail?.isWhole == (size.width <= 100))
    }
  }
}
