/// The upper left corner of the pixels that one cell stands for.
struct TileCorner {
  let bytes: UnsafeBufferPointer<UInt8>
  /// Of the whole picture, in pixels.
  let width: Int
  /// Of the corner's pixel, in bytes.
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

  /// One above the other.
  var halvesCell: Cell {
    let (upper, lower) = (color(0, 0), color(0, 1))
    if upper == lower { return Cell(.blank, Style(.cover, background: upper)) }
    return Cell(Glyph(base: 0x2580), Style(.cover, foreground: upper, background: lower))
  }

  /// Two by two.
  var quadrantsCell: Cell {
    let quarters = (sum(0, 0), sum(1, 0), sum(0, 1), sum(1, 1))
    var search = TwoColorSearch(total: quarters.0 + quarters.1 + quarters.2 + quarters.3, count: 4)
    search.tryQuadrants(quarters)
    search.tryHalves(upper: quarters.0 + quarters.1, left: quarters.0 + quarters.2)
    return search.cell
  }

  /// Eight by eight.
  func blocksCell(withSextants: Bool) -> Cell {
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
    if withSextants { search.trySextants(left: rows.left.thirds, right: rows.right.thirds) }
    return search.cell
  }
}

/// Colours added up: red, green, blue and nothing.
typealias ColorSum = SIMD4<Float>

/// The sums of the rows or of the columns of a tile.
struct SumsOfEight {
  private var sums = InlineArray<8, ColorSum>(repeating: ColorSum())

  subscript(number: Int) -> ColorSum {
    get { sums[number] }
    set { sums[number] = newValue }
  }

  func sum(_ range: Range<Int>) -> ColorSum { range.reduce(ColorSum()) { $0 + sums[$1] } }

  /// The sums of the three thirds; of what is cut by their edges, each gets its share.
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
