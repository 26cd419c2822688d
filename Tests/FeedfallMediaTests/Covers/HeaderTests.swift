import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

/// Sizes from the beginnings of pictures.
@Suite(.hangLimit) struct HeaderTests {
  private static let samples = [
    Sample.rgbPNG, Sample.palettePNG, Sample.interlacedPNG, Sample.gif, Sample.offsetGIF, Sample.interlacedGIF,
    Sample.losslessWebP, Sample.lossyWebP, Sample.animatedWebP, Sample.jpeg, Sample.progressiveJPEG, Sample.inkJPEG,
    turned(Sample.jpeg, 6), turned(long, 8),
  ]

  /// A JPEG of 40 by 20 pixels.
  private static let long = PixelBuffer.plain(Sample.blue, Size(width: 40, height: 20)).jpeg(quality: 90) ?? []

  /// A JPEG with an orientation of Exif, which holds another picture.
  private static func turned(_ jpeg: [UInt8], _ orientation: UInt8) -> [UInt8] {
    let exif = Array("Exif\0\0MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0".utf8) + [orientation, 0, 0]
    let content = exif + Sample.jpeg
    return jpeg.prefix(2) + [0xFF, 0xE1, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 255)] + content
      + jpeg.dropFirst(2)
  }

  @Test(arguments: samples)
  func `the beginning of a picture shows its size or none`(bytes: [UInt8]) throws {
    let size = try PictureDecoder.size(of: bytes)
    let whole = try PictureDecoder.decode(bytes, to: .within(Size(width: 4096, height: 4096)))
    #expect(size == whole.size)
    let known = (0...bytes.count).map { try? PictureDecoder.size(of: Array(bytes.prefix($0))) }
    #expect(known.allSatisfy { $0 == nil || $0 == size })
    // Further bytes change nothing.
    let first = try #require(known.firstIndex { $0 != nil })
    #expect(known[first...].allSatisfy { $0 == size })
  }

  @Test func `a turned picture has its upright size`() throws {
    #expect(try PictureDecoder.size(of: Self.turned(Self.long, 1)) == Size(width: 40, height: 20))
    #expect(try PictureDecoder.size(of: Self.turned(Self.long, 6)) == Size(width: 20, height: 40))
  }

  @Test(arguments: [[], Array("<svg xmlns='http://www.w3.org/2000/svg' width='3'>".utf8), Array("GIF89".utf8)])
  func `other bytes have no size`(bytes: [UInt8]) {
    #expect(throws: PictureError.unknownFormat) { try PictureDecoder.size(of: bytes) }
  }
}
