import FeedfallScreen
import WaterfallEngine

/// Rounds the upper corners of a picture by half a cell's width.
struct RoundedTop {
  /// In pixels.
  private let radius: Int

  /// Returns nil for a picture with square corners.
  init?(of picture: PlacedPicture) {
    let radius = picture.pixels.size.width / max(1, picture.frame.width) / 2
    guard picture.hasRoundedTop, radius > 0, radius <= picture.pixels.size.height else { return nil }
    self.radius = radius
  }

  /// Returns the picture with the color `ground` in its corners.
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

  /// Returns the picture with transparent corners, in four bytes a pixel: red, green, blue and opacity.
  func transparent(_ pixels: PixelBuffer) -> [UInt8] {
    let source = pixels.bytes
    var bytes = [UInt8](repeating: 255, count: source.count / 3 * 4)
    for pixel in 0..<source.count / 3 {
      for channel in 0..<3 { bytes[4 * pixel + channel] = source[3 * pixel + channel] }
    }
    forEachPixel(width: pixels.size.width) { pixel, opacity in bytes[4 * pixel + 3] = UInt8(opacity) }
    return bytes
  }

  /// Calls `body` with the index and the opacity, from 0 to 255, of each pixel of both corners.
  private func forEachPixel(width: Int, body: (_ pixel: Int, _ opacity: Int) -> Void) {
    for y in 0..<radius {
      for x in 0..<radius {
        let opacity = opacity(x: x, y: y)
        body(y * width + x, opacity)
        body((y + 1) * width - 1 - x, opacity)
      }
    }
  }

  /// Returns how much of a pixel of the left corner is inside of the arc, by sixteen samples.
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
