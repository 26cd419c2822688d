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
  public var luminance: Double {
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

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

/// Converts a channel of sRGB to linear light by a polynomial, because there is no `pow` without the C library. The
/// error is below 0.002.
private func linear(_ channel: UInt8) -> Double {
  let value = Double(channel) / 255
  return value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878)
}
