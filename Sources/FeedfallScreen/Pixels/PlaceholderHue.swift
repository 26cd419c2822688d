/// One of the hues of covers without a picture: a vertical gradient from it to the next one.
///
/// All have the OKLCH lightness 0.46 and chroma 0.077, 30 degrees apart from 0; their inks have 0.87 and 0.05 (Björn
/// Ottosson, "A perceptual color space for image processing", 2020). The contrast of ink on ground is at least 4.5.
public struct PlaceholderHue: Hashable, Sendable {
  /// From 0 to `count - 1`.
  public let number: UInt8

  public static let count = 12
  /// The number of hues to avoid: cards beside each other are at most this far apart in a list, in up to eight columns.
  public static let nearbyCount = 9

  /// The hue of an id. The same id always has the same hue. O(length of the id).
  public init(forID id: String) { number = UInt8(fnv1a(id) % UInt64(Self.count)) }

  private init(number: Int) { self.number = UInt8(number) }

  /// Returns the first hue that is not among the neighbors' in a fixed sequence that begins with this one. O(1).
  public func avoiding(_ neighbors: Neighbors) -> PlaceholderHue {
    var number = Int(number)
    for _ in 0..<Self.count where neighbors.contains(number) {
      // Coprime with the count, and far from the hue before.
      number = (number + 5) % Self.count
    }
    return PlaceholderHue(number: number)
  }

  /// The color of text on the gradient.
  public var ink: RGB { Self.colors[Int(number)].ink }

  /// The number of rows that share a color in a gradient of this height: at least three, because a terminal fills a
  /// rectangle with fewer bytes than rows of different colors.
  public static func rowsPerColor(ofHeight height: Int) -> Int { max(3, (height + stepCount - 1) / stepCount) }

  /// The color of a row from the top of a gradient of `height` rows.
  public func ground(row: Int, of height: Int) -> RGB {
    let step = row / Self.rowsPerColor(ofHeight: height)
    return Self.gradients[Int(number) * Self.stepCount + min(max(0, step), Self.stepCount - 1)]
  }

  private static let stepCount = 4

  private static let gradients: [RGB] = colors.indices.flatMap { hue in
    (0..<stepCount).map { step in
      mix(colors[hue].ground, colors[(hue + 1) % count].ground, Double(step) / Double(stepCount))
    }
  }

  /// Mixes two similar colors, for which the gamma of sRGB makes no difference.
  private static func mix(_ first: RGB, _ second: RGB, _ share: Double) -> RGB {
    func channel(_ one: UInt8, _ other: UInt8) -> UInt8 {
      UInt8(Double(one) + (Double(other) - Double(one)) * share + 0.5)
    }
    return RGB(
      red: channel(first.red, second.red), green: channel(first.green, second.green),
      blue: channel(first.blue, second.blue))
  }

  private static let colors: [(ground: RGB, ink: RGB)] = [
    (RGB(red: 123, green: 69, blue: 86), RGB(red: 241, green: 199, blue: 211)),
    (RGB(red: 125, green: 71, blue: 62), RGB(red: 244, green: 201, blue: 193)),
    (RGB(red: 119, green: 77, blue: 40), RGB(red: 238, green: 205, blue: 180)),
    (RGB(red: 105, green: 86, blue: 30), RGB(red: 225, green: 211, blue: 175)),
    (RGB(red: 82, green: 94, blue: 42), RGB(red: 208, green: 218, blue: 181)),
    (RGB(red: 54, green: 100, blue: 65), RGB(red: 190, green: 222, blue: 195)),
    (RGB(red: 20, green: 102, blue: 90), RGB(red: 177, green: 224, blue: 213)),
    (RGB(red: 10, green: 99, blue: 112), RGB(red: 175, green: 222, blue: 230)),
    (RGB(red: 42, green: 93, blue: 127), RGB(red: 183, green: 217, blue: 242)),
    (RGB(red: 71, green: 85, blue: 131), RGB(red: 199, green: 211, blue: 246)),
    (RGB(red: 95, green: 78, blue: 125), RGB(red: 217, green: 205, blue: 241)),
    (RGB(red: 112, green: 72, blue: 108), RGB(red: 232, green: 201, blue: 228)),
  ]
}

extension PlaceholderHue {
  /// The hues of up to `nearbyCount` neighbors in a list.
  public struct Neighbors: Sendable {
    private var bits: UInt16

    /// The set of the first `nearbyCount` hues.
    public init(_ hues: ArraySlice<PlaceholderHue>) {
      bits = hues.prefix(nearbyCount).reduce(0) { $0 | 1 << UInt16($1.number) }
    }

    public mutating func insert(_ hue: PlaceholderHue) { bits |= 1 << UInt16(hue.number) }

    public mutating func remove(_ hue: PlaceholderHue) { bits &= ~(1 << UInt16(hue.number)) }

    func contains(_ number: Int) -> Bool { bits & (1 << UInt16(number)) != 0 }
  }
}

/// The 64-bit FNV-1a hash of UTF-8 text. Unlike Swift's own, it is the same in every run.
private func fnv1a(_ text: String) -> UInt64 {
  text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
