import WaterfallEngine

/// The set of characters for drawing a picture, from coarse to fine. Each cell has two colors.
public enum BlockGlyphs: Int, CaseIterable, Comparable, Sendable {
  /// The upper and the lower half of a cell: exact, and in every font.
  case halves
  /// Quarters, and bars of eighths, which nearly every font has.
  case eighths
  /// Also sextants, three rows of two parts (Unicode 13, missing in some fonts).
  case sextants
  /// Also octants, four rows of two parts (Unicode 16, missing in most fonts).
  case octants

  public static func < (one: BlockGlyphs, other: BlockGlyphs) -> Bool { one.rawValue < other.rawValue }

  /// One of the octants.
  public static let sampleOctant: UInt32 = 0x1CD00

  /// The number of pixels for each cell.
  public var pixelsPerCell: Size {
    switch self {
    case .halves: Size(width: 1, height: 2)
    case .eighths, .sextants, .octants: Size(width: 8, height: 8)
    }
  }

  @inline(__always)
  fileprivate func cell(at corner: Corner) -> Cell {
    switch self {
    case .halves: corner.halvesCell
    case .eighths, .sextants, .octants: corner.blocksCell(self)
    }
  }

  fileprivate struct Corner {
    let bytes: UnsafeBufferPointer<UInt8>
    /// The width of the whole picture, in pixels.
    let width: Int
    /// The offset of the corner's pixel, in bytes.
    let place: Int

    @inline(__always)
    private func color(_ x: Int, _ y: Int) -> RGB {
      let start = place + (y * width + x) * 3
      return RGB(red: bytes[start], green: bytes[start + 1], blue: bytes[start + 2])
    }

    @inline(__always)
    private func sum(_ x: Int, _ y: Int) -> ColorSum {
      let start = place + (y * width + x) * 3
      return ColorSum(SIMD4(Int32(bytes[start]), Int32(bytes[start + 1]), Int32(bytes[start + 2]), 0))
    }

    var halvesCell: Cell {
      let (upper, lower) = (color(0, 0), color(0, 1))
      if upper == lower { return Cell(.blank, Style(.cover, background: upper)) }
      return Cell(Glyph(base: 0x2580), Style(.cover, foreground: upper, background: lower))
    }

    func blocksCell(_ glyphs: BlockGlyphs) -> Cell {
      var rows = (left: SumsOfEight(), right: SumsOfEight())
      var columns = SumsOfEight()
      for y in 0..<8 {
        for x in 0..<4 {
          let (left, right) = (sum(x, y), sum(x + 4, y))
          rows.left[y] += left
          rows.right[y] += right
          columns[x] += left
          columns[x + 4] += right
        }
      }
      let halves = (rows.left.sum(0..<4), rows.right.sum(0..<4), rows.left.sum(4..<8), rows.right.sum(4..<8))
      var search = TwoColorSearch(total: halves.0 + halves.1 + halves.2 + halves.3, count: 64)
      search.tryBars(rows: rows.left + rows.right, columns: columns)
      search.tryQuadrants(halves)
      if glyphs >= .sextants { search.trySextants(left: rows.left.thirds, right: rows.right.thirds) }
      if glyphs == .octants { search.tryOctants(left: rows.left, right: rows.right) }
      return search.cell
    }
  }

  /// Four pixels, two rows of two, in the two colors with the least sum of squared differences.
  public struct QuarterSplit: Equatable, Sendable {
    /// The pixels in the color of the ink, one bit each in reading order; 0 if one color is enough.
    public let quarters: UInt8
    public let ink: RGB
    public let ground: RGB

    /// In videos: fewer second colors save 8 to 27 % of the bytes in smooth pictures, and cost at most 0.02 dB.
    private static let leastGain: Float = 24

    public init(_ upperLeft: RGB, _ upperRight: RGB, _ lowerLeft: RGB, _ lowerRight: RGB) {
      if upperLeft == upperRight, upperLeft == lowerLeft, upperLeft == lowerRight {
        (quarters, ink, ground) = (0, upperLeft, upperLeft)
        return
      }
      let sums = (ColorSum(upperLeft), ColorSum(upperRight), ColorSum(lowerLeft), ColorSum(lowerRight))
      var search = TwoColorSearch(total: sums.0 + sums.1 + sums.2 + sums.3, count: 4, leastGain: Self.leastGain)
      search.tryQuadrants(sums)
      search.tryHalves(upper: sums.0 + sums.1, left: sums.0 + sums.2)
      quarters = search.quarters
      (ink, ground) = search.colors
    }
  }

  /// The sums of the eight rows or columns of a tile.
  fileprivate struct SumsOfEight {
    private var sums = InlineArray<8, ColorSum>(repeating: ColorSum())

    subscript(number: Int) -> ColorSum {
      get { sums[number] }
      set { sums[number] = newValue }
    }

    func sum(_ range: Range<Int>) -> ColorSum { range.reduce(ColorSum()) { $0 + sums[$1] } }

    /// The sums of the three thirds, with rows on their edges divided.
    var thirds: (ColorSum, ColorSum, ColorSum) {
      let upper = sums[0] + sums[1] + sums[2] * (2 / 3)
      let lower = sums[5] * (2 / 3) + sums[6] + sums[7]
      return (upper, sum(0..<8) - upper - lower, lower)
    }

    static func + (one: SumsOfEight, other: SumsOfEight) -> SumsOfEight {
      var result = one
      for number in 0..<8 { result[number] += other[number] }
      return result
    }
  }

  /// The best color of each of the two parts is the mean of its pixels. The sum of squared differences from the means
  /// is the sum of all squares, minus the squared sum of each part divided by its number of pixels. So the sums are
  /// enough to find the best split.
  fileprivate struct TwoColorSearch {
    private let total: ColorSum
    private let count: Float
    private var bestScore: Float
    private var bestGlyph = Glyph.blank
    private var ink = ColorSum()
    private var inkCount: Float = 0

    /// `leastGain`: in squared differences per pixel; less is not worth a second color.
    init(total: ColorSum, count: Float, leastGain: Float = 0.5) {
      (self.total, self.count) = (total, count)
      bestScore = squareSum(total) / count + count * leastGain
    }

    @inline(__always)
    private mutating func consider(_ scalar: UInt32, _ ink: ColorSum, _ inkCount: Float) {
      let score = squareSum(ink) * (1 / inkCount) + squareSum(total - ink) * (1 / (count - inkCount))
      guard score > bestScore else { return }
      bestScore = score
      bestGlyph = Glyph(base: scalar)
      (self.ink, self.inkCount) = (ink, inkCount)
    }

    @inline(__always)
    mutating func tryHalves(upper: ColorSum, left: ColorSum) {
      consider(0x2580, upper, count / 2)
      consider(0x258C, left, count / 2)
    }

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

    /// Three quarters are the inverse of one. The quarters are in reading order.
    @inline(__always)
    mutating func tryQuadrants(_ quarters: (ColorSum, ColorSum, ColorSum, ColorSum)) {
      consider(0x2598, quarters.0, count / 4)
      consider(0x259D, quarters.1, count / 4)
      consider(0x2596, quarters.2, count / 4)
      consider(0x2597, quarters.3, count / 4)
      consider(0x259A, quarters.0 + quarters.3, count / 2)
    }

    /// Tries all combinations of six parts without the last one, whose inverses have it, except the left half.
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

    /// The left half is an older character, missing among the sextants.
    private static let leftHalf = 0b010101

    /// Tries all combinations of eight parts without the last one, whose inverses have it.
    @inline(__always)
    mutating func tryOctants(left: SumsOfEight, right: SumsOfEight) {
      var sums = InlineArray<128, ColorSum>(repeating: ColorSum())
      for mask in 1..<128 {
        let last = mask.trailingZeroBitCount
        let row = last & ~1
        let part = last & 1 == 0 ? left[row] + left[row + 1] : right[row] + right[row + 1]
        sums[mask] = sums[mask & (mask - 1)] + part
        let inkCount = Float(mask.nonzeroBitCount) * (count / 8)
        let (glyph, inverse) = (Self.octants[mask], Self.octants[255 - mask])
        if glyph != 0 {
          consider(glyph, sums[mask], inkCount)
        } else if inverse != 0 {
          consider(inverse, total - sums[mask], count - inkCount)
        }
      }
    }

    /// The octants of Unicode 16, from U+1CD00 on in the order of their masks; 0 for masks that are older characters.
    /// Bit n of a mask is the part n in reading order.
    private static let octants: [UInt32] = {
      // Each of these, or its inverse, is a blank, half, quarter, pair of quarters, bar or the inverse of an octant.
      let older: Set<Int> = [
        0, 1, 2, 3, 5, 10, 15, 20, 40, 63, 64, 80, 85, 90, 95, 128, 160, 165, 170, 175, 192, 240, 245, 250, 252, 255,
      ]
      var next = BlockGlyphs.sampleOctant
      return (0..<256).map { mask in
        guard !older.contains(mask) else { return 0 }
        defer { next += 1 }
        return next
      }
    }()

    /// The quarters that the best character draws, one bit each in reading order; 0 for a blank. Only if no bars,
    /// sextants or octants were tried.
    var quarters: UInt8 {
      switch bestGlyph.base {
      case 0x2598: 0b0001
      case 0x259D: 0b0010
      case 0x2580: 0b0011
      case 0x2596: 0b0100
      case 0x258C: 0b0101
      case 0x2597: 0b1000
      case 0x259A: 0b1001
      default: 0
      }
    }

    var colors: (ink: RGB, ground: RGB) {
      (inkCount > 0 ? RGB(mean: ink, of: inkCount) : .black, RGB(mean: total - ink, of: count - inkCount))
    }

    var cell: Cell {
      let ground = RGB(mean: total - ink, of: count - inkCount)
      if bestGlyph == .blank { return Cell(.blank, Style(.cover, background: ground)) }
      return Cell(bestGlyph, Style(.cover, foreground: RGB(mean: ink, of: inkCount), background: ground))
    }
  }
}

extension CellPicture {
  /// Draws pixels with block characters. Each cell has the character and the two colors with the least sum of squared
  /// differences.
  ///
  /// Pixels at the right and bottom that do not fill a cell are ignored. Complexity: O(number of pixels).
  public init(_ pixels: PixelBuffer, glyphs: BlockGlyphs) {
    let tile = glyphs.pixelsPerCell
    let size = Size(width: pixels.size.width / tile.width, height: pixels.size.height / tile.height)
    let cells = pixels.bytes.withUnsafeBufferPointer { bytes in
      let width = pixels.size.width
      return [Cell](unsafeUninitializedCapacity: size.width * size.height) { cells, count in
        for y in 0..<size.height {
          for x in 0..<size.width {
            let corner = BlockGlyphs.Corner(
              bytes: bytes, width: width, place: (y * tile.height * width + x * tile.width) * 3)
            cells.initializeElement(at: count, to: glyphs.cell(at: corner))
            count += 1
          }
        }
      }
    }
    self.init(size: size, cells: cells)
  }
}

/// A sum of colors: red, green, blue and an unused element.
private typealias ColorSum = SIMD4<Float>

extension ColorSum {
  fileprivate init(_ color: RGB) { self.init(Float(color.red), Float(color.green), Float(color.blue), 0) }
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
