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

/// A color with 8 bits a channel.
public struct RGB: Hashable, Sendable, BitwiseCopyable {
  public var red, green, blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

  public static let black = RGB(red: 0, green: 0, blue: 0)
  public static let white = RGB(red: 255, green: 255, blue: 255)

  public func mixed(with other: RGB, by mix: (UInt8, UInt8) -> UInt8) -> RGB {
    RGB(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
  }

  /// The color mixed with as much gray, which has less contrast on dark and on light backgrounds.
  var faded: RGB { RGB(red: Self.faded(red), green: Self.faded(green), blue: Self.faded(blue)) }

  static func faded(_ channel: UInt8) -> UInt8 { UInt8((Int(channel) + 96) / 2) }

  /// The relative luminance of WCAG 2.2, from 0 for black to 1 for white.
  public var luminance: Double { 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) }

  /// The contrast of WCAG 2.2, from 1 to 21.
  public func contrast(with other: RGB) -> Double {
    (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
  }

  /// Black or white, whichever has the higher contrast on this color.
  public var readableText: RGB {
    // The contrasts (1 + 0.05) / (L + 0.05) and (L + 0.05) / 0.05 are equal at this luminance.
    luminance > 0.179 ? .black : .white
  }
}

/// Converts a channel of sRGB to linear light by a polynomial, as `pow` needs the C library. The error is below 0.002.
private func linear(_ channel: UInt8) -> Double {
  let value = Double(channel) / 255
  return value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878)
}
