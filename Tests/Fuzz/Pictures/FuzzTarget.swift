import CFeedfall
import FeedfallScreen
import Glibc
import WaterfallEngine

// Compiled into the module FeedfallMedia, for access to each decoder.

/// The decoders under test, and the invariants of their results for any bytes.
enum FuzzTarget: String, CaseIterable {
  case pictures
  case exif
  case cells

  var run: ([UInt8]) -> Void {
    switch self {
    case .pictures: Self.pictures
    case .exif: Self.exif
    case .cells: Self.cells
    }
  }

  /// A rotated and cropped picture has the requested size.
  private static func pictures(_ bytes: [UInt8]) {
    let size = Size(width: 24, height: 16)
    let target = PictureTarget.filling(size, shape: Size(width: 3, height: 2))
    if let picture = try? PictureDecoder.decode(bytes, to: target) {
      expect(picture.size == size, "a picture of \(picture.size)")
    }
    if let picture = try? PictureDecoder.decode(bytes, to: .within(size)) {
      expect(picture.size.width <= 24 && picture.size.height <= 16, "a picture of \(picture.size)")
      _ = picture.averageColor
    }
  }

  private static func exif(_ bytes: [UInt8]) {
    for format in [ImageFormat.JPEG, .PNG, .webP, .GIF] { _ = ExifSearch(bytes, format) }
    _ = ExifSearch([0xFF, 0xD8, 0xFF, 0xE1, 0x7F, 0xFF] + Array("Exif\0\0".utf8) + bytes, .JPEG)
    _ = ExifSearch(Array("RIFF\0\0\0\0WEBPVP8X\u{A}\0\0\0\u{8}\0\0\0\0\0\0\0\0\0".utf8) + bytes, .webP)
  }

  /// The first byte determines the width of the picture.
  private static func cells(_ bytes: [UInt8]) {
    let width = Int(bytes.first ?? 0) % 40 + 1
    let height = (bytes.count - 1) / 3 / width
    guard height > 0 else { return }
    let size = Size(width: width, height: height)
    let pixels = PixelBuffer(size: size, bytes: Array(bytes[1...].prefix(width * height * 3)))
    for glyphs in BlockGlyphs.allCases {
      guard let picture = pixels.map({ CellPicture($0, glyphs: glyphs) }) else { return }
      for y in 0..<picture.size.height {
        for x in 0..<picture.size.width {
          let cell = picture[x, y]
          expect(cell.style.background != nil && !cell.glyph.isWide, "\(cell) in a picture")
        }
      }
    }
  }

  /// libFuzzer stores the input that aborts here. A precondition has no message in optimized code.
  private static func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    guard !holds else { return }
    print("Fatal: \(message())")
    fflush(nil)
    abort()
  }
}
