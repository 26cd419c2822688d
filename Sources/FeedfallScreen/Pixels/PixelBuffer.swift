import WaterfallEngine

/// A picture in pixels of three bytes (red, green, blue), row by row from the top left.
public struct PixelBuffer: Equatable, Sendable {
  /// In pixels.
  public let size: Size
  /// `size.width * size.height * 3` bytes.
  public private(set) var bytes: [UInt8]
  /// The part that shows the picture; the rest is a letterbox.
  public private(set) var content: Rect

  /// Fails unless `bytes` is not empty and has the length that the size requires. `content` is nil for all of it.
  public init?(size: Size, bytes: [UInt8], content: Rect? = nil) {
    guard size.width > 0, size.height > 0, size.width <= 65_536, size.height <= 65_536,
      bytes.count == size.width * size.height * 3
    else { return nil }
    (self.size, self.bytes) = (size, bytes)
    let whole = Rect(origin: .zero, size: size)
    self.content = content?.intersection(whole) ?? whole
  }

  /// The color of a pixel, which must exist.
  public subscript(x: Int, y: Int) -> RGB {
    let start = (y * size.width + x) * 3
    return RGB(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
  }

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

  var faded: PixelBuffer {
    var picture = self
    for index in picture.bytes.indices { picture.bytes[index] = RGB.faded(picture.bytes[index]) }
    return picture
  }

  /// Declares everything outside of a rectangle as letterbox.
  public mutating func setContent(_ content: Rect) {
    self.content = content.intersection(Rect(origin: .zero, size: size))
  }

  /// Fills the letterbox with a color, except for rows in which it is not black, such as those of subtitles.
  /// Complexity: O(number of pixels in the letterbox), and a copy of the others.
  public mutating func fillLetterbox(with color: RGB) {
    for y in 0..<size.height {
      let isBeside = y >= content.minY && y < content.maxY
      for columns in isBeside ? [0..<content.minX, content.maxX..<size.width] : [0..<size.width] {
        fillIfBlack(columns, y: y, with: color)
      }
    }
  }

  private mutating func fillIfBlack(_ columns: Range<Int>, y: Int, with color: RGB) {
    let places = (y * size.width + columns.lowerBound) * 3..<(y * size.width + columns.upperBound) * 3
    bytes.withUnsafeMutableBufferPointer { bytes in
      guard bytes[places].allSatisfy({ $0 == 0 }) else { return }
      for place in stride(from: places.lowerBound, to: places.upperBound, by: 3) {
        (bytes[place], bytes[place + 1], bytes[place + 2]) = (color.red, color.green, color.blue)
      }
    }
  }
}
