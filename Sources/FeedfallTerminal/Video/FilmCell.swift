import FeedfallScreen

struct FilmCell: Equatable, BitwiseCopyable {
  /// The color of the upper left quarter.
  var first: CellColor
  var second: CellColor
  /// The quarters with the first color, one bit each: upper left, upper right, lower left, lower right.
  var quarters: UInt8

  static let upperHalf: UInt8 = 0b0011
  static let whole: UInt8 = 0b1111

  /// The last byte in UTF-8, and of the scalar, of each block character that draws these quarters.
  static let blocks: InlineArray<16, UInt8> = [
    0, 0x98, 0x9D, 0x80, 0x96, 0x8C, 0x9E, 0x9B, 0x97, 0x9A, 0x90, 0x9C, 0x84, 0x99, 0x9F, 0x88,
  ]

  /// The quarters that a block character from U+2580 to U+259F draws; 0 for others.
  private static let quartersOfBlocks: InlineArray<32, UInt8> = {
    var quarters = InlineArray<32, UInt8>(repeating: 0)
    for index in 1..<16 { quarters[Int(blocks[index]) & 31] = UInt8(index) }
    return quarters
  }()

  /// - Parameter quarters: with the first color; any but none or all, also without the upper left one.
  @inline(__always)
  init(first: CellColor, second: CellColor, quarters: UInt8) {
    let isInOrder = quarters & 1 != 0
    self.first = isInOrder ? first : second
    self.second = isInOrder ? second : first
    self.quarters = isInOrder ? quarters : Self.whole & ~quarters
  }

  @inline(__always)
  init(_ color: CellColor) { self.init(first: color, second: color, quarters: Self.upperHalf) }

  /// Fails for a cell that was not written for a film, or whose colors are unknown.
  @inline(__always)
  init?(_ shown: ShownCell) {
    guard shown.kind == .film, shown.glyph != ShownCell.unknown.glyph else { return nil }
    let quarters = shown.glyph == .blank ? 0 : Self.quartersOfBlocks[Int(shown.glyph.base) & 31]
    switch quarters {
    case 0: self.init(shown.pen.ground)
    case Self.whole: self.init(shown.pen.text)
    default: self.init(first: shown.pen.text, second: shown.pen.ground, quarters: quarters)
    }
  }

  /// Whether this cell can stay instead of `wanted`. The quarters of a cell of one color do not matter.
  @inline(__always)
  func matches(_ wanted: FilmCell, tolerance: Int) -> Bool {
    (quarters == wanted.quarters || first == second || wanted.first == wanted.second)
      && first.matches(wanted.first, tolerance: tolerance) && second.matches(wanted.second, tolerance: tolerance)
  }
}
