import WaterfallEngine

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

  // The hues are similar: the gamma of sRGB makes no difference.
  private static let gradients: [RGB] = colors.indices.flatMap { hue in
    (0..<stepCount).map { step in
      let share = Double(step) / Double(stepCount)
      return colors[hue].ground.mixed(with: colors[(hue + 1) % count].ground) { one, other in
        UInt8(Double(one) + (Double(other) - Double(one)) * share + 0.5)
      }
    }
  }

  private static let colors: [(ground: RGB, ink: RGB)] = [
    (RGB(0x7B4556), RGB(0xF1C7D3)), (RGB(0x7D473E), RGB(0xF4C9C1)), (RGB(0x774D28), RGB(0xEECDB4)),
    (RGB(0x69561E), RGB(0xE1D3AF)), (RGB(0x525E2A), RGB(0xD0DAB5)), (RGB(0x366441), RGB(0xBEDEC3)),
    (RGB(0x14665A), RGB(0xB1E0D5)), (RGB(0x0A6370), RGB(0xAFDEE6)), (RGB(0x2A5D7F), RGB(0xB7D9F2)),
    (RGB(0x475583), RGB(0xC7D3F6)), (RGB(0x5F4E7D), RGB(0xD9CDF1)), (RGB(0x70486C), RGB(0xE8C9E4)),
  ]

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

/// The first letter or digit of a title as a sign: in block elements, and as a character for small places.
public struct TitleInitial: Equatable, Sendable {
  /// The rows of the block letter, equally wide; empty for characters outside of A to Z and 0 to 9.
  public let block: [GlyphRun]
  public let character: GlyphRun

  /// Complexity: O(number of characters before the first letter).
  public init(of title: String, _ widths: TextWidths) {
    let initial = (title.first { $0.isLetter || $0.isNumber } ?? title.first).map { $0.uppercased() } ?? ""
    character = GlyphRun(initial, widths: widths)
    let code = initial.utf8.count == 1 ? initial.utf8.first : nil
    block = code.flatMap { Self.blocks[$0] } ?? []
  }

  /// The size of a block letter in cells.
  public static let blockSize = Size(width: 5, height: 4)

  private static let blocks: [UInt8: [GlyphRun]] = Dictionary(
    uniqueKeysWithValues: zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8, bitmaps.split(separator: "/").map(rows)))

  /// Converts seven rows of pixels to four rows of half blocks.
  private static func rows(of bitmap: Substring) -> [GlyphRun] {
    let pixels = bitmap.utf8.map { $0 < UInt8(ascii: "a") ? $0 - UInt8(ascii: "0") : $0 - UInt8(ascii: "a") + 10 }
    return stride(from: 0, to: pixels.count, by: 2).map { row in
      let (upper, lower) = (pixels[row], row + 1 < pixels.count ? pixels[row + 1] : 0)
      return GlyphRun(
        String((0..<blockSize.width).map { halfBlocks[pixel(upper, $0) + 2 * pixel(lower, $0)] }), widths: TextWidths())
    }
  }

  private static let halfBlocks: [Character] = [" ", "▀", "▄", "█"]

  private static func pixel(_ row: UInt8, _ column: Int) -> Int { Int(row >> (blockSize.width - 1 - column)) & 1 }

  /// Seven rows of five pixels, each a digit in base 32, the highest bit on the left.
  private static let bitmaps = """
    ehhvhhh/uhhuhhu/ehggghe/uhhhhhu/vgguggv/vgguggg/ehgnhhf/hhhvhhh/e44444e/72222ic/hikokih/ggggggv/hrllhhh/hppljjh/\
    ehhhhhe/uhhuggg/ehhhlid/uhhukih/fgge11u/v444444/hhhhhhe/hhhhha4/hhhllla/hha4ahh/hha4444/v1248gv/ehjlphe/4c4444e/\
    eh1248v/v2421he/26aiv22/vgu11he/68guhhe/v124888/ehhehhe/ehhf12c
    """
}
