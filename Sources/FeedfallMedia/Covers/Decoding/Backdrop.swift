import FeedfallScreen
import WaterfallEngine

/// The color behind and around a logo. Any color has a contrast of at least 3.9 on one of the first two; a logo with
/// both dark and light parts needs the third.
enum Backdrop: Int, CaseIterable, Sendable {
  case dark = 1
  case light
  case medium

  var color: RGB {
    let channel: UInt8 =
      switch self {
      case .dark: 0x18
      case .light: 0xF0
      case .medium: 0x75
      }
    return RGB(red: channel, green: channel, blue: channel)
  }

  /// Parts with less contrast (WCAG 2.2, 1.4.11) do not count as readable.
  private static let leastContrast = 3.0
  /// Dark and light are equally good if the difference of their readable parts is smaller than this share.
  private static let tie = 0.05
  private static let readableShare = 0.85

  private static let luminances = (
    dark: dark.color.luminance + 0.05, light: light.color.luminance + 0.05, medium: medium.color.luminance + 0.05
  )

  init(for pixels: ScaledPixels) {
    let (dark, light, medium) = Self.luminances
    var readable = SIMD3<Double>()
    var (sum, lightness) = (0.0, 0.0)
    pixels.visit { luminance, opacity in
      (sum, lightness) = (sum + opacity, lightness + luminance * opacity)
      func contrasts(_ other: Double) -> Bool { max(luminance, other) >= Self.leastContrast * min(luminance, other) }
      if contrasts(dark) { readable.x += opacity }
      if contrasts(light) { readable.y += opacity }
      if contrasts(medium) { readable.z += opacity }
    }
    func share(_ backdrop: Backdrop) -> Double { sum == 0 ? 0 : readable[backdrop.rawValue - 1] / sum }
    let isSimilar = abs(share(.dark) - share(.light)) < Self.tie
    // The lightness with the same contrast on both. A picture without visible pixels counts as light.
    let isLight = lightness * lightness >= dark * light * sum * sum
    let best: Backdrop = (isSimilar ? isLight : share(.dark) > share(.light)) ? .dark : .light
    self = share(best) < Self.readableShare && share(.medium) > share(best) + Self.tie ? .medium : best
  }

  /// Whether pictures of this size lose their sides, and most of what they show, when they are cropped.
  static func isBanner(_ size: Size) -> Bool { max(size.width, size.height) * 9 > min(size.width, size.height) * 21 }
}

/// A scaled picture whose pixels can be transparent: four bytes a pixel, red, green and blue of the light that the
/// opaque part emits, and the square root of the opacity. So the square of each is proportional to light.
struct ScaledPixels {
  let size: Size
  let bytes: [UInt8]

  /// Below this mean opacity the picture is a logo, even if it touches its corners.
  private static let leastOpacity = 0.9

  /// For each value of a channel, what it adds to the luminance.
  private static let shares = (0...UInt8.max).map { value -> SIMD3<Double> in
    func luminance(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Double {
      RGB(red: red, green: green, blue: blue).luminance
    }
    return SIMD3(luminance(value, 0, 0), luminance(0, value, 0), luminance(0, 0, value))
  }

  /// Passes the luminance of each pixel without regard to its opacity, plus 0.05 as for contrasts, and the opacity from
  /// 0 to 1. Skips nearly transparent pixels.
  func visit(_ body: (_ luminance: Double, _ opacity: Double) -> Void) {
    let shares = Self.shares
    for place in stride(from: 0, to: bytes.count, by: 4) where bytes[place + 3] > 64 {
      let root = Int(bytes[place + 3])
      func channel(_ value: UInt8) -> Int { root == 255 ? Int(value) : min(255, (Int(value) * 255 + root / 2) / root) }
      let (red, green, blue) = (channel(bytes[place]), channel(bytes[place + 1]), channel(bytes[place + 2]))
      body(shares[red].x + shares[green].y + shares[blue].z + 0.05, Double(root * root) / (255 * 255))
    }
  }

  var isOpaque: Bool { stride(from: 3, to: bytes.count, by: 4).allSatisfy { bytes[$0] == 255 } }

  func isLogo(inRows count: Int) -> Bool {
    guard count > 0 else { return false }
    func isTransparent(_ x: Int, _ y: Int) -> Bool { bytes[(y * size.width + x) * 4 + 3] < 128 }
    let (right, bottom) = (size.width - 1, count - 1)
    let corners = [(0, 0), (right, 0), (0, bottom), (right, bottom)]
    if corners.allSatisfy({ isTransparent($0.0, $0.1) }) { return true }
    let light = stride(from: 3, to: count * size.width * 4, by: 4).reduce(0) { $0 + Int(bytes[$1]) * Int(bytes[$1]) }
    return Double(light) < Self.leastOpacity * Double(size.width * count) * 255 * 255
  }

  /// Light is added, not the numbers of the channels.
  func laid(on color: RGB) -> PixelBuffer? {
    let ground = SIMD3(Int(color.red), Int(color.green), Int(color.blue))
    let result = [UInt8](unsafeUninitializedCapacity: bytes.count / 4 * 3) { result, count in
      for place in stride(from: 0, to: bytes.count, by: 4) {
        let root = Int(bytes[place + 3])
        for channel in 0..<3 {
          var value = bytes[place + channel]
          if root < 255 {
            let passed = ground[channel] * ground[channel] * (255 * 255 - root * root) / (255 * 255)
            value = UInt8(min(255, Double(Int(value) * Int(value) + passed).squareRoot() + 0.5))
          }
          result.initializeElement(at: count, to: value)
          count += 1
        }
      }
    }
    return PixelBuffer(size: size, bytes: result)
  }
}

extension ScaledPixels {
  init(opaque picture: PixelBuffer) {
    var bytes = [UInt8](repeating: 255, count: picture.bytes.count / 3 * 4)
    for (place, byte) in picture.bytes.enumerated() { bytes[place / 3 * 4 + place % 3] = byte }
    self.init(size: picture.size, bytes: bytes)
  }
}

extension PixelBuffer {
  /// The margin around a logo, as a share of the shorter side.
  private static let margin = 1.0 / 12

  func fittingScale(in shape: Size) -> Double {
    let margin = Double(min(shape.width, shape.height)) * Self.margin * 2
    return min(
      (Double(shape.width) - margin) / Double(size.width), (Double(shape.height) - margin) / Double(size.height))
  }

  /// With a margin, centered in `target`, whose pixels are not square unless it has the proportions of `shape`.
  func fitted(in target: Size, shape: Size, on color: RGB) -> PixelBuffer {
    let scale = fittingScale(in: shape)
    func length(_ own: Int, _ whole: Int, _ shape: Int) -> Int {
      max(1, min(whole, Int(Double(own) * scale * Double(whole) / Double(shape) + 0.5)))
    }
    let inner = scaled(
      to: .filling(
        Size(
          width: length(size.width, target.width, shape.width), height: length(size.height, target.height, shape.height)
        ),
        shape: size))
    let plain = [color.red, color.green, color.blue]
    var bytes = [UInt8](repeating: 0, count: target.width * target.height * 3)
    for place in bytes.indices { bytes[place] = plain[place % 3] }
    let (left, top) = ((target.width - inner.size.width) / 2, (target.height - inner.size.height) / 2)
    let rowCount = inner.size.width * 3
    for y in 0..<inner.size.height {
      let start = ((top + y) * target.width + left) * 3
      bytes.replaceSubrange(start..<start + rowCount, with: inner.bytes[y * rowCount..<(y + 1) * rowCount])
    }
    return PixelBuffer(size: target, bytes: bytes) ?? self
  }
}
