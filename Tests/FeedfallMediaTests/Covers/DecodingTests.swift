import FeedfallMedia
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct DecodingTests {
  private static let red = RGB(red: 255, green: 0, blue: 0)
  private static let blue = RGB(red: 0, green: 0, blue: 255)

  /// Decodes a picture at its own size.
  private func decoded(_ bytes: [UInt8]) throws -> PixelBuffer {
    try PictureDecoder.decode(bytes, to: .within(Size(width: 4096, height: 4096)), over: .white)
  }

  @Test(arguments: [
    Sample.rgbPNG, Sample.palettePNG, Sample.deepPNG, Sample.interlacedPNG, Sample.gif, Sample.losslessWebP,
  ])
  func `a lossless picture decodes to its exact pixels`(bytes: [UInt8]) throws {
    let picture = try decoded(bytes)
    #expect(picture.size == Size(width: 4, height: 2))
    #expect(
      picture.bytes == [
        255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255,
        0, 0, 0, 255, 255, 0, 255, 0, 255, 0, 255, 255,
      ])
  }

  @Test(arguments: [Sample.jpeg, Sample.progressiveJPEG, Sample.inkJPEG, Sample.arithmeticJPEG, Sample.lossyWebP])
  func `a lossy picture decodes to nearly its pixels`(bytes: [UInt8]) throws {
    let picture = try decoded(bytes)
    #expect(picture.size == Size(width: 16, height: 16))
    for y in 0..<16 {
      #expect(picture[2, y].isNear(Self.red), "\(picture[2, y])")
      #expect(picture[13, y].isNear(Self.blue), "\(picture[13, y])")
    }
  }

  @Test func `gray pictures are decoded`() throws {
    let picture = try decoded(Sample.greyJPEG)
    #expect(picture[2, 2].red == picture[2, 2].blue && picture[2, 2].red > picture[13, 2].red)
    #expect(try decoded(Sample.greyPNG).averageColor == RGB(red: 128, green: 128, blue: 128))
  }

  @Test(arguments: [Sample.transparentPNG, Sample.transparentWebP])
  func `transparent pixels show the background`(bytes: [UInt8]) throws {
    let picture = try decoded(bytes)
    #expect(picture[0, 0] == Self.red && picture[1, 1] == RGB(red: 255, green: 255, blue: 0))
    #expect(picture[2, 0] == .white && picture[3, 1] == .white)
  }

  @Test func `the first frame of an animation is shown`() throws {
    let picture = try decoded(Sample.animatedWebP)
    #expect(picture.size == Size(width: 4, height: 4))
    #expect(picture[0, 0].isNear(Self.red) && picture[3, 3].isNear(Self.red))
  }

  @Test func `a GIF frame is drawn at its offset`() throws {
    let picture = try decoded(Sample.offsetGIF)
    #expect(picture.size == Size(width: 4, height: 4))
    let colors = (0..<4).map { y in (0..<4).map { x in picture[x, y] } }
    let (red, blue, none) = (Self.red, Self.blue, RGB.white)
    #expect(
      colors == [
        [none, none, none, none],
        [none, none, none, none],
        [none, red, blue, none],
        [none, none, red, none],
      ])
  }

  @Test func `a WebP frame is drawn at its offset`() throws {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [UInt8(content.count), 0, 0, 0] + content
    }
    // A canvas of 8 by 6 pixels and a frame of 4 by 2 at (2, 4). Offsets are stored as halves, lengths minus one.
    let head = chunk("VP8X", [2, 0, 0, 0, 7, 0, 0, 5, 0, 0]) + chunk("ANIM", [0, 0, 0, 0, 0, 0])
    let place: [UInt8] = [1, 0, 0, 2, 0, 0, 3, 0, 0, 1, 0, 0, 100, 0, 0, 0]
    let file = head + chunk("ANMF", place + Sample.losslessWebP.dropFirst(12))
    let picture = try decoded(Array("RIFF".utf8) + [UInt8(file.count + 4), 0, 0, 0] + Array("WEBP".utf8) + file)
    #expect(picture.size == Size(width: 8, height: 6))
    #expect(picture[2, 4] == Self.red && picture[4, 4] == Self.blue && picture[2, 5] == .black)
    #expect(picture[1, 4] == .white && picture[6, 4] == .white && picture[2, 3] == .white)
  }

  @Test func `interlaced rows are put in order`() throws {
    let picture = try decoded(Sample.interlacedGIF)
    #expect(
      (0..<8).map { picture[0, $0] } == Array(repeating: Self.red, count: 4) + Array(repeating: Self.blue, count: 4))
  }

  @Test(arguments: [
    Sample.rgbPNG, Sample.interlacedPNG, Sample.gif, Sample.losslessWebP, Sample.jpeg, Sample.progressiveJPEG,
    Sample.animatedWebP, Sample.offsetGIF,
  ])
  func `a truncated file returns a picture or an error`(bytes: [UInt8]) {
    for count in 0..<bytes.count {
      do {
        _ = try decoded(Array(bytes.prefix(count)))
      } catch {
        #expect([.unknownFormat, .damaged, .tooLarge].contains(error as? PictureError), "\(count): \(error)")
      }
    }
  }

  @Test func `the missing rest of a truncated picture is background`() throws {
    let noise = (0..<64 * 64 * 3).map { UInt8(truncatingIfNeeded: $0 &* $0 / 7) }
    let whole = try #require(PixelBuffer(size: Size(width: 64, height: 64), bytes: noise)?.jpeg(quality: 90))
    let picture = try decoded(Array(whole.prefix(whole.count / 2)))
    #expect(picture.size == Size(width: 64, height: 64))
    #expect((0..<64).allSatisfy { picture[$0, 63] == .white })
    #expect((0..<64).contains { picture[$0, 0] != .white })
  }

  @Test func `bytes of an unknown format are refused`() {
    #expect(throws: PictureError.unknownFormat) { try decoded(Array("<html>".utf8)) }
    #expect(throws: PictureError.unknownFormat) { try decoded([]) }
  }
}

extension RGB {
  func isNear(_ other: RGB) -> Bool {
    zip([red, green, blue], [other.red, other.green, other.blue]).allSatisfy { abs(Int($0) - Int($1)) < 12 }
  }
}
