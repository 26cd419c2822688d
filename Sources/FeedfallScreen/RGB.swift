/// A colour of 8 bits a channel.
public struct RGB: Hashable, Sendable, BitwiseCopyable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8

  public init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  public static let black = RGB(red: 0, green: 0, blue: 0)
  public static let white = RGB(red: 255, green: 255, blue: 255)

  /// The colour at `hue` degrees of the colour circle (red is 0, green 120, blue 240; other angles wrap around), with
  /// saturation and lightness from 0 to 1; what lies outside of that is brought to its nearer end, and NaN is 0.
  /// The formula is that of CSS Color 4, section 7.1.
  public init(hue: Double, saturation: Double, lightness: Double) {
    let angle = degrees(hue)
    let light = unit(lightness)
    let amplitude = unit(saturation) * min(light, 1 - light)
    func channel(_ number: Double) -> UInt8 {
      let place = number + angle / 30
      let twelfth = place < 12 ? place : place - 12
      return UInt8(unit(light - amplitude * max(-1, min(twelfth - 3, 9 - twelfth, 1))) * 255 + 0.5)
    }
    self.init(red: channel(0), green: channel(8), blue: channel(4))
  }

  /// How bright it looks, from 0 for black to 1 for white (relative luminance of WCAG 2.2).
  public var luminance: Double {
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }

  /// Black or white, whichever has the greater contrast on this colour.
  public var readableText: RGB {
    // Both contrasts, (1 + 0.05) / (L + 0.05) and (L + 0.05) / 0.05, are the same at this luminance.
    luminance > 0.179 ? .black : .white
  }
}

/// A calm, rather dark colour that is always the same for the same id, for covers without a picture.
public func coverColor(forID id: String) -> RGB {
  calmColors[Int(fnv1a(id) % UInt64(calmColors.count))]
}

/// Colours that the usual palette of 256 has too, so that a cover looks the same with fewer colours.
private let calmColors = [
  RGB(red: 95, green: 95, blue: 135), RGB(red: 95, green: 135, blue: 135), RGB(red: 135, green: 95, blue: 95),
  RGB(red: 95, green: 135, blue: 95), RGB(red: 135, green: 135, blue: 95), RGB(red: 135, green: 95, blue: 135),
  RGB(red: 0, green: 95, blue: 95), RGB(red: 0, green: 95, blue: 135), RGB(red: 95, green: 0, blue: 95),
  RGB(red: 135, green: 95, blue: 0), RGB(red: 95, green: 95, blue: 0), RGB(red: 95, green: 0, blue: 0),
]

/// An angle's place from 0 up to 360, done without the C library's `fmod`; 0 for those too large to have one.
private func degrees(_ angle: Double) -> Double {
  guard angle.magnitude < 1e12 else { return 0 }
  let rest = angle - Double(Int(angle / 360)) * 360
  return rest < 0 ? rest + 360 : rest
}

private func unit(_ value: Double) -> Double {
  // `max` and `min` with a NaN depend on the order of their arguments.
  value.isNaN ? 0 : max(0, min(1, value))
}

/// A channel of sRGB as linear light. The curve is met by a polynomial, as there is no `pow` without a C library;
/// its error is below 0.002.
private func linear(_ channel: UInt8) -> Double {
  let value = Double(channel) / 255
  return value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878)
}

/// The 64-bit FNV-1a hash of the UTF-8 text, which unlike Swift's own is the same in every run.
private func fnv1a(_ text: String) -> UInt64 {
  text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
