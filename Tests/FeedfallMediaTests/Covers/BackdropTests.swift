import FeedfallScreen
import FeedfallSystem
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

/// Logos on the color that makes them readable.
@Suite(.hangLimit) struct BackdropTests {
  private static func color(_ generator: inout SeededGenerator) -> RGB {
    RGB(
      red: .random(in: 0...255, using: &generator), green: .random(in: 0...255, using: &generator),
      blue: .random(in: 0...255, using: &generator))
  }

  /// Pixels in the form of the scaler, each with a color and an opacity from 0 to 255.
  private static func pixels(_ size: Size, _ pixel: (Int, Int) -> (RGB, UInt8)) -> ScaledPixels {
    let bytes = (0..<size.width * size.height).flatMap { place -> [UInt8] in
      let (color, opacity) = pixel(place % size.width, place / size.width)
      let root = (Double(opacity) / 255).squareRoot()
      return [color.red, color.green, color.blue, 255].map { UInt8(Double($0) * root + 0.5) }
    }
    return ScaledPixels(size: size, bytes: bytes)
  }

  @Test func `any color has a contrast of at least 3 on its backdrop`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let color = Self.color(&generator)
      let pixels = Self.pixels(Size(width: 3, height: 3)) { x, _ in (color, x == 1 ? 255 : 0) }
      #expect(Backdrop(for: pixels).color.contrast(with: color) >= 2.99, "\(color)")
    }
  }

  @Test func `a dark or light logo has the other backdrop, one of both the middle one`() {
    let size = Size(width: 20, height: 1)
    func backdrop(_ colors: [RGB]) -> Backdrop {
      Backdrop(for: Self.pixels(size) { x, _ in (colors[x % colors.count], 255) })
    }
    #expect(backdrop([.white]) == .dark && backdrop([.black]) == .light && backdrop([.white, .black]) == .medium)
    // A small part does not count.
    #expect(backdrop(Array(repeating: .white, count: 19) + [.black]) == .dark)
  }

  @Test func `a picture without visible pixels is dark, as the cards are`() {
    let pixels = Self.pixels(Size(width: 4, height: 4)) { _, _ in (.white, 0) }
    #expect(pixels.isLogo(inRows: 4) && !pixels.isLogo(inRows: 0) && Backdrop(for: pixels) == .dark)
  }

  @Test func `half of the light passes a pixel of half the opacity`() throws {
    let pixels = Self.pixels(Size(width: 1, height: 1)) { _, _ in (.white, 128) }
    #expect(try #require(pixels.laid(on: .black))[0, 0].isNear(RGB(red: 180, green: 180, blue: 180)))
    #expect(try #require(pixels.laid(on: .white))[0, 0] == .white)
  }

  @Test func `a logo is fitted into any target with its margin`() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      func size(_ most: Int) -> Size {
        Size(width: .random(in: 1...most, using: &generator), height: .random(in: 1...most, using: &generator))
      }
      let (own, target, shape) = (size(200), size(60), size(600))
      let (logo, ground) = (RGB.white, RGB(red: 1, green: 2, blue: 3))
      let picture = PixelBuffer.plain(logo, own).fitted(in: target, shape: shape, on: ground)
      #expect(picture.size == target)
      let shown = (0..<target.width * target.height).map { picture[$0 % target.width, $0 / target.width] }
      #expect(shown.allSatisfy { $0 == logo || $0 == ground } && shown.contains(logo))
      if target.width > 20, target.height > 20, shape.width > 20, shape.height > 20 {
        #expect(picture[0, 0] == ground && picture[target.width - 1, target.height - 1] == ground)
      }
    }
  }

  @Test func `a thumbnail of a logo suffices, and keeps its backdrop on disk`() async throws {
    let format = CoverFormat(
      size: Size(width: 40, height: 12), cellSize: Size(width: 8, height: 16), glyphs: .halves, wantsPixels: true)
    let banner = try #require(PixelBuffer.plain(.black, Size(width: 1_200, height: 120)).jpeg(quality: 90))
    let thumbnail = try #require(try CoverPicture.decode(banner, in: format).thumbnail)
    #expect(thumbnail.backdrop == .light && !thumbnail.isWhole && thumbnail.suffices(for: format))
    try await withCovers { _ in
      .picture([])
    } _: { world in
      try Files.makeCacheFolder(world.folder)
      let store = try CoverStore(path: world.folder + "/covers.sqlite", maximumByteCount: 1 << 20)
      for backdrop in [nil] + Backdrop.allCases {
        for isWhole in [false, true] {
          var thumbnail = thumbnail
          (thumbnail.backdrop, thumbnail.isWhole) = (backdrop, isWhole)
          try store.insert(thumbnail, of: "a", at: .now, freshUntil: .now)
          #expect(try store.thumbnail(of: "a", at: .now)?.thumbnail == thumbnail)
        }
      }
    }
  }
}
