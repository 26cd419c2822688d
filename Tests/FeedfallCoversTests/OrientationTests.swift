import FeedfallCovers
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@Suite(.hangLimit) struct OrientationTests {
  /// Red, green, blue, white: the corners of the upright picture in reading order. For each orientation of Exif, the
  /// corners as stored in the file.
  private static let stored: [Int: String] = [
    1: "RGBW", 2: "GRWB", 3: "WBGR", 4: "BWRG", 5: "RBGW", 6: "GWRB", 7: "WGBR", 8: "BRWG",
  ]

  @Test(arguments: 1...8, [false, true])
  func `a picture is turned upright`(number: Int, isBigEndian: Bool) throws {
    let stored = try #require(Self.stored[number])
    let isTransposed = number > 4
    let jpeg = try #require(
      Self.corners(stored, isTransposed ? Size(width: 32, height: 64) : Size(width: 64, height: 32)))
    let bytes = jpeg.prefix(2) + Self.exif(orientation: UInt8(number), isBigEndian: isBigEndian) + jpeg.dropFirst(2)
    let picture = try PictureDecoder.decode(Array(bytes), to: .within(Size(width: 64, height: 64)))
    #expect(picture.size == Size(width: 64, height: 32))
    #expect(Self.corners(of: picture) == "RGBW")
  }

  @Test func `a rotated picture fills the target`() throws {
    let jpeg = try #require(Self.corners("GWRB", Size(width: 32, height: 64)))
    let bytes = jpeg.prefix(2) + Self.exif(orientation: 6, isBigEndian: true) + jpeg.dropFirst(2)
    let target = PictureTarget.filling(Size(width: 8, height: 8), shape: Size(width: 64, height: 32))
    let picture = try PictureDecoder.decode(Array(bytes), to: target)
    #expect(picture.size == Size(width: 8, height: 8))
    #expect(Self.corners(of: picture) == "RGBW")
  }

  @Test(arguments: [
    [], [0x4D], Array("MM\0*".utf8), Array("MM\0*\0\0\0\u{8}\0\u{9}".utf8), Array("II*\0\u{7F}\u{7F}\u{7F}\u{7F}".utf8),
  ])
  func `truncated Exif data is ignored`(content: [UInt8]) throws {
    let jpeg = try #require(Self.corners("RGBW", Size(width: 64, height: 32)))
    let bytes = jpeg.prefix(2) + Self.segment(content) + jpeg.dropFirst(2)
    #expect(
      Self.corners(of: try PictureDecoder.decode(Array(bytes), to: .within(Size(width: 64, height: 64)))) == "RGBW")
  }

  @Test func `the search for Exif data ends after a limited number of segments`() throws {
    let jpeg = try #require(Self.corners("BWRG", Size(width: 64, height: 32)))
    func bytes(segmentCount: Int) -> [UInt8] {
      let empty = (0..<segmentCount).flatMap { _ in [0xFF, 0xEF, 0, 2] as [UInt8] }
      return jpeg.prefix(2) + empty + Self.exif(orientation: 4, isBigEndian: true) + jpeg.dropFirst(2)
    }
    for (count, expected) in [(100, "RGBW"), (10_000, "BWRG")] {
      let picture = try PictureDecoder.decode(
        bytes(segmentCount: count), to: .within(Size(width: 64, height: 64)))
      #expect(Self.corners(of: picture) == expected)
    }
  }

  // MARK: - Pictures

  private static let colors: [Character: RGB] = [
    "R": RGB(red: 255, green: 0, blue: 0), "G": RGB(red: 0, green: 255, blue: 0), "B": RGB(red: 0, green: 0, blue: 255),
    "W": .white,
  ]

  /// A JPEG with a color in each of its quarters.
  private static func corners(_ letters: String, _ size: Size) -> [UInt8]? {
    let quarters = letters.compactMap { colors[$0] }
    let pixels = (0..<size.height).flatMap { y in
      (0..<size.width).flatMap { x in
        let color = quarters[x * 2 / size.width + y * 2 / size.height * 2]
        return [color.red, color.green, color.blue]
      }
    }
    return PixelBuffer(size: size, bytes: pixels)?.jpeg(quality: 95)
  }

  private static func corners(of picture: PixelBuffer) -> String {
    let (right, bottom) = (picture.size.width - 1, picture.size.height - 1)
    let pixels = [picture[0, 0], picture[right, 0], picture[0, bottom], picture[right, bottom]]
    return String(pixels.map { pixel in colors.first { $0.value.isNear(pixel) }?.key ?? "?" })
  }

  private static func exif(orientation: UInt8, isBigEndian: Bool) -> [UInt8] {
    isBigEndian
      ? segment(Array("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0".utf8) + [orientation, 0, 0])
      : segment(Array("II*\0\u{8}\0\0\0\u{1}\0\u{12}\u{1}\u{3}\0\u{1}\0\0\0".utf8) + [orientation, 0, 0, 0])
  }

  private static func segment(_ content: [UInt8]) -> [UInt8] {
    [0xFF, 0xE1, 0, UInt8(content.count + 8)] + Array("Exif\0\0".utf8) + content
  }
}
