/// Finds the character that shows a cell's pixels best in two colours.
///
/// The best colour for each of the two parts is the mean of its pixels. The squares of what the pixels differ by from
/// these add up to the sum of all their squares, less the square of each part's sum by its number of pixels: so the sums
/// tell which split is the best one, without a look at the pixels.
struct TwoColorSearch {
  private let total: ColorSum
  private let count: Float
  private var bestScore: Float
  private var bestGlyph = Glyph.blank
  private var ink = ColorSum()
  private var inkCount: Float = 0

  init(total: ColorSum, count: Float) {
    self.total = total
    self.count = count
    // What nobody sees is not worth a second colour.
    bestScore = squareSum(total) / count + count * 0.5
  }

  /// Tries a character that draws `inkCount` pixels, those that add up to `ink`.
  @inline(__always)
  private mutating func consider(_ scalar: UInt32, _ ink: ColorSum, _ inkCount: Float) {
    let score = squareSum(ink) * (1 / inkCount) + squareSum(total - ink) * (1 / (count - inkCount))
    guard score > bestScore else { return }
    bestScore = score
    bestGlyph = Glyph(base: scalar)
    self.ink = ink
    self.inkCount = inkCount
  }

  /// The upper half and the left one.
  @inline(__always)
  mutating func tryHalves(upper: ColorSum, left: ColorSum) {
    consider(0x2580, upper, count / 2)
    consider(0x258C, left, count / 2)
  }

  /// Bars of one to seven eighths, from below and from the left.
  @inline(__always)
  mutating func tryBars(rows: SumsOfEight, columns: SumsOfEight) {
    var (lower, left) = (ColorSum(), ColorSum())
    for eighths in 1..<8 {
      lower += rows[8 - eighths]
      left += columns[eighths - 1]
      let inkCount = Float(eighths) * (count / 8)
      consider(0x2580 + UInt32(eighths), lower, inkCount)
      consider(0x2590 - UInt32(eighths), left, inkCount)
    }
  }

  /// One quarter, and two that meet at a corner; of three, the other one is as good. In reading order.
  @inline(__always)
  mutating func tryQuadrants(_ quarters: (ColorSum, ColorSum, ColorSum, ColorSum)) {
    consider(0x2598, quarters.0, count / 4)
    consider(0x259D, quarters.1, count / 4)
    consider(0x2596, quarters.2, count / 4)
    consider(0x2597, quarters.3, count / 4)
    consider(0x259A, quarters.0 + quarters.3, count / 2)
  }

  /// All that can be made of six parts but the left half: those without the last part, whose opposites have it.
  @inline(__always)
  mutating func trySextants(left: (ColorSum, ColorSum, ColorSum), right: (ColorSum, ColorSum, ColorSum)) {
    let parts: InlineArray<5, ColorSum> = [left.0, right.0, left.1, right.1, left.2]
    var sums = InlineArray<32, ColorSum>(repeating: ColorSum())
    for mask in 1..<32 {
      let last = mask.trailingZeroBitCount
      sums[mask] = sums[mask & (mask - 1)] + parts[last]
      if mask == Self.leftHalf { continue }
      let inkCount = Float(mask.nonzeroBitCount) * (count / 6)
      consider(UInt32(0x1FB00 + mask - (mask > Self.leftHalf ? 2 : 1)), sums[mask], inkCount)
    }
  }

  /// The left half has a character from earlier times, and no place among the sextants.
  private static let leftHalf = 0b010101

  var cell: Cell {
    let ground = RGB(mean: total - ink, of: count - inkCount)
    if bestGlyph == .blank { return Cell(.blank, Style(.cover, background: ground)) }
    return Cell(bestGlyph, Style(.cover, foreground: RGB(mean: ink, of: inkCount), background: ground))
  }
}

@inline(__always)
private func squareSum(_ sum: ColorSum) -> Float {
  let squares = sum * sum
  return squares.x + squares.y + squares.z
}

extension RGB {
  fileprivate init(mean sum: ColorSum, of count: Float) {
    let mean = (sum / count + 0.5).clamped(lowerBound: ColorSum(), upperBound: ColorSum(repeating: 255))
    self.init(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
  }
}
