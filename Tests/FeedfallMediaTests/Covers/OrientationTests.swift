import CFeedfall
import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

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

  private static let tiff = Array("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\u{6}\0\0".utf8)

  /// A file of random chunks, with right and wrong lengths, whole and damaged Exif data, cut anywhere.
  private static func randomFile(_ format: ImageFormat, _ generator: inout SeededGenerator) -> [UInt8] {
    func number(_ value: Int, _ count: Int, isBigEndian: Bool) -> [UInt8] {
      let digits = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      return isBigEndian ? digits.reversed() : digits
    }
    let length = number(.random(in: 0...200, using: &generator), 4, isBigEndian: false)
    var bytes = [UInt8](repeating: 0, count: format == .JPEG ? 2 : 8)
    if format == .webP {
      bytes = [0, 0, 0, 0] + length + Array("WEBPVP8X\u{A}\0\0\0\u{8}\0\0\0\0\0\0\0\0\0".utf8)
    }
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      var content = (format == .JPEG || generator.chance(1, in: 3) ? Array("Exif\0\0".utf8) : []) + tiff
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        content[.random(in: 0..<content.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      let isExif = generator.chance(1, in: 2)
      let length = generator.chance(1, in: 8) ? Int.random(in: 0...0xFFFF_FFFF, using: &generator) : content.count
      switch format {
      case .JPEG: bytes += [0xFF, isExif ? 0xE1 : 0xE0] + number(length + 2, 2, isBigEndian: true) + content
      case .PNG, .GIF:
        bytes += number(length, 4, isBigEndian: true) + Array((isExif ? "eXIf" : "tEXt").utf8) + content + [0, 0, 0, 0]
      case .webP:
        bytes += Array((isExif ? "EXIF" : "ICCP").utf8) + number(length, 4, isBigEndian: false) + content
      }
    }
    return Array(
      bytes.prefix(generator.chance(2, in: 3) ? bytes.count : .random(in: 0...bytes.count, using: &generator)))
  }

  @Test(arguments: [ImageFormat.JPEG, .PNG, .webP, .GIF])
  func `any bytes have an orientation, and only a cut WebP can have one that is yet to come`(format: ImageFormat) {
    var generator = SeededGenerator(seed: 19)
    var found = 0
    for _ in 0..<500 {
      let bytes = Self.randomFile(format, &generator)
      let search = ExifSearch(bytes, format)
      if case .found = search { found += 1 }
      #expect(search != .incomplete || format == .webP && bytes.count < 8 + 200, "\(bytes)")
      let noise = bytes.indices.map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(ExifSearch(noise, format) == .none, "\(noise)")
    }
    #expect(format == .GIF ? found == 0 : found > 50, "\(found)")
  }

  @Test func `chunks of a PNG or WebP are searched up to a limited number`() {
    let exif = Self.tiff
    func png(_ count: Int) -> [UInt8] {
      let empty = Array(repeatElement([0, 0, 0, 0] + Array("tEXt".utf8) + [0, 0, 0, 0], count: count).joined())
      return [UInt8](repeating: 0, count: 8) + empty + [0, 0, 0, UInt8(exif.count)] + Array("eXIf".utf8) + exif
    }
    func webP(_ count: Int) -> [UInt8] {
      let head = Array("RIFF\0\0\0\0WEBPVP8X\u{A}\0\0\0\u{8}\0\0\0\0\0\0\0\0\0".utf8)
      let empty = Array(repeatElement(Array("ICCP\0\0\0\0".utf8), count: count).joined())
      return head + empty + Array("EXIF".utf8) + [UInt8(exif.count), 0, 0, 0] + exif
    }
    #expect(ExifSearch(png(9_999), .PNG) == .found(orientation: 6) && ExifSearch(png(10_000), .PNG) == .none)
    // The first chunk says that there is Exif data.
    #expect(ExifSearch(webP(9_998), .webP) == .found(orientation: 6) && ExifSearch(webP(10_000), .webP) == .none)
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
