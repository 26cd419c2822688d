import WaterfallEngine

/// A picture in pixels of three bytes (red, green, blue), row by row from the top left.
public struct PixelBuffer: Equatable, Sendable {
  /// In pixels.
  public let size: Size
  /// `size.width * size.height * 3` bytes.
  public private(set) var bytes: [UInt8]

  /// Fails unless `bytes` has the length that the size requires and is not empty.
  public init?(size: Size, bytes: [UInt8]) {
    guard size.width > 0, size.height > 0, size.width <= 65_536, size.height <= 65_536,
      bytes.count == size.width * size.height * 3
    else { return nil }
    self.size = size
    self.bytes = bytes
  }

  /// The color of a pixel, which must exist.
  public subscript(x: Int, y: Int) -> RGB {
    let start = (y * size.width + x) * 3
    return RGB(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
  }
}

extension PixelBuffer {
  /// The average color, as a placeholder for the picture. Complexity: O(number of pixels).
  public var averageColor: RGB {
    // Squares, because light is roughly proportional to the square of a channel's value.
    var light = SIMD3<Int>()
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let pixel = SIMD3(Int(bytes[start]), Int(bytes[start + 1]), Int(bytes[start + 2]))
      light &+= pixel &* pixel
    }
    func channel(_ light: Int) -> UInt8 {
      UInt8((Double(light) / Double(size.width * size.height)).squareRoot().rounded())
    }
    return RGB(red: channel(light.x), green: channel(light.y), blue: channel(light.z))
  }
}
