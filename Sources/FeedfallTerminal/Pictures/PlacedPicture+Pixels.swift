import FeedfallScreen
import WaterfallEngine

extension PlacedPicture {
  /// The limit on visible parts; further ones stay cells.
  static let maximumParts = 8

  /// Whether every protocol supports its size.
  var isSupported: Bool {
    let (columns, rows) = (frame.width, frame.height)
    return (1...KittyPictures.maximumSize).contains(columns) && (1...KittyPictures.maximumSize).contains(rows)
      && pixels.bytes.count <= KittyPictures.Images.capacity / 4
  }

  /// Returns the shown pixels with the background in rounded corners; nil leaves them square.
  func pixels(on ground: RGB?) -> PixelBuffer {
    guard let ground, let top = RoundedTop(of: self) else { return shownPixels }
    return top.filled(shownPixels, with: ground)
  }

  func pixels(under part: Rect) -> Rect { part.pixels(of: pixels.size, over: frame) }

  /// Rounds the upper corners of a picture by half a cell's width.
  struct RoundedTop {
    /// In pixels.
    private let radius: Int

    init?(of picture: PlacedPicture) {
      let radius = picture.pixels.size.width / max(1, picture.frame.width) / 2
      guard picture.hasRoundedTop, radius > 0, radius <= picture.pixels.size.height else { return nil }
      self.radius = radius
    }

    func filled(_ pixels: PixelBuffer, with ground: RGB) -> PixelBuffer {
      var bytes = pixels.bytes
      forEachPixel(width: pixels.size.width) { pixel, opacity in
        for (offset, color) in [ground.red, ground.green, ground.blue].enumerated() {
          let mixed = Int(bytes[3 * pixel + offset]) * opacity + Int(color) * (255 - opacity)
          bytes[3 * pixel + offset] = UInt8((mixed + 127) / 255)
        }
      }
      return PixelBuffer(size: pixels.size, bytes: bytes) ?? pixels
    }

    /// In four bytes a pixel: red, green, blue and opacity.
    func transparent(_ pixels: PixelBuffer) -> [UInt8] {
      let source = pixels.bytes
      var bytes = [UInt8](repeating: 255, count: source.count / 3 * 4)
      for pixel in 0..<source.count / 3 {
        for channel in 0..<3 { bytes[4 * pixel + channel] = source[3 * pixel + channel] }
      }
      forEachPixel(width: pixels.size.width) { pixel, opacity in bytes[4 * pixel + 3] = UInt8(opacity) }
      return bytes
    }

    private func forEachPixel(width: Int, body: (_ pixel: Int, _ opacity: Int) -> Void) {
      for y in 0..<radius {
        for x in 0..<radius {
          let opacity = opacity(x: x, y: y)
          body(y * width + x, opacity)
          body((y + 1) * width - 1 - x, opacity)
        }
      }
    }

    /// From 0 to 255: how much of a pixel of the left corner is inside of the arc, by sixteen samples.
    private func opacity(x: Int, y: Int) -> Int {
      var inside = 0
      for sample in 0..<16 {
        let across = 8 * (radius - x) - 2 * (sample & 3) - 1
        let down = 8 * (radius - y) - 2 * (sample >> 2) - 1
        if across * across + down * down <= 64 * radius * radius { inside += 1 }
      }
      return inside * 255 / 16
    }
  }
}

extension Rect {
  /// At least one pixel. `size`: the picture's, in pixels. `frame`: all of its cells.
  func pixels(of size: Size, over frame: Rect) -> Rect {
    let across = Self.stretch(minX - frame.minX, width, of: frame.width, pixels: size.width)
    let down = Self.stretch(minY - frame.minY, height, of: frame.height, pixels: size.height)
    return Rect(x: across.start, y: down.start, width: across.length, height: down.length)
  }

  private static func stretch(
    _ start: Int, _ length: Int, of cells: Int, pixels: Int
  ) -> (start: Int, length: Int) {
    let first = min(start * pixels / cells, pixels - 1)
    return (first, max(1, min(pixels, (start + length) * pixels / cells) - first))
  }
}
