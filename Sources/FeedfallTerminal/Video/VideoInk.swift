import FeedfallScreen
import WaterfallEngine

extension VideoPainter {
  /// Writes cells of two colors each in few bytes. All attributes must be off at the start.
  struct Ink {
    private(set) var bytes: [UInt8] = []
    private let screenWidth: Int
    private let tolerance: Int
    private let hasBlocks: Bool
    private var foreground = Color.unknown
    private var background = Color.standard
    /// The cursor's position; nil if it is unknown.
    private var cursor: Point?

    /// - Parameters:
    ///   - tolerance: the allowed difference of a channel, if that saves bytes.
    ///   - hasBlocks: whether there are block characters, which cells of two colors need.
    init(screenWidth: Int, tolerance: Int, hasBlocks: Bool = true) {
      (self.screenWidth, self.tolerance, self.hasBlocks) = (screenWidth, tolerance, hasBlocks)
    }

    mutating func write(_ wanted: Cell, at place: Point) -> Cell {
      move(to: place)
      // Terminals differ in the cursor's position after the last column.
      cursor = place.x + 1 < screenWidth ? Point(x: place.x + 1, y: place.y) : nil
      if wanted.first == wanted.second { return writePlain(wanted.first) }
      if prefersFirstAsInk(wanted) {
        select(foreground: wanted.first, background: wanted.second)
        append(wanted.quarters)
        return Cell(first: foreground, second: background, quarters: wanted.quarters)
      }
      select(foreground: wanted.second, background: wanted.first)
      append(Cell.whole & ~wanted.quarters)
      return Cell(first: background, second: foreground, quarters: wanted.quarters)
    }

    /// Appends the block character that draws these quarters, not none of them.
    @inline(__always)
    private mutating func append(_ quarters: UInt8) {
      bytes.append(0xE2)
      bytes.append(0x96)
      bytes.append(Self.lastBytes[Int(quarters)])
    }

    /// The last byte of each block character in UTF-8.
    private static let lastBytes: InlineArray<16, UInt8> = [
      0, 0x98, 0x9D, 0x80, 0x96, 0x8C, 0x9E, 0x9B, 0x97, 0x9A, 0x90, 0x9C, 0x84, 0x99, 0x9F, 0x88,
    ]

    private mutating func writePlain(_ color: Color) -> Cell {
      if hasBlocks, !background.matches(color, tolerance: tolerance), foreground.matches(color, tolerance: tolerance) {
        append(Cell.whole)
        return Cell(foreground)
      }
      select(foreground: nil, background: color)
      bytes.append(UInt8(ascii: " "))
      return Cell(background)
    }

    /// Whether the first color as foreground takes fewer bytes, or is the only choice: the default background cannot be
    /// a foreground.
    private func prefersFirstAsInk(_ wanted: Cell) -> Bool {
      if wanted.first == .standard || wanted.second == .standard { return wanted.second == .standard }
      return cost(foreground: wanted.first, background: wanted.second)
        < cost(foreground: wanted.second, background: wanted.first)
    }

    private func cost(foreground newForeground: Color, background newBackground: Color) -> Int {
      (foreground.matches(newForeground, tolerance: tolerance) ? 0 : 1)
        + (background.matches(newBackground, tolerance: tolerance) ? 0 : 1)
    }

    private mutating func select(foreground newForeground: Color?, background newBackground: Color) {
      let changed = newForeground.flatMap { foreground.matches($0, tolerance: tolerance) ? nil : $0 }
      let changesBackground = !background.matches(newBackground, tolerance: tolerance)
      guard changed != nil || changesBackground else { return }
      bytes.append(0x1B)
      bytes.append(UInt8(ascii: "["))
      if let changed {
        foreground = changed
        bytes.append(UInt8(ascii: "3"))
        bytes.append(UInt8(ascii: "8"))
        changed.appendParameters(to: &bytes)
        if changesBackground { bytes.append(UInt8(ascii: ";")) }
      }
      if changesBackground {
        background = newBackground
        bytes.append(UInt8(ascii: "4"))
        if newBackground == .standard {
          bytes.append(UInt8(ascii: "9"))
        } else {
          bytes.append(UInt8(ascii: "8"))
          newBackground.appendParameters(to: &bytes)
        }
      }
      bytes.append(UInt8(ascii: "m"))
    }

    private mutating func move(to place: Point) {
      guard cursor != place else { return }
      if let cursor, cursor.y == place.y, place.x > cursor.x {
        let distance = place.x - cursor.x
        bytes += Array("\u{1B}[\(distance == 1 ? "" : "\(distance)")C".utf8)
      } else {
        bytes += Array("\u{1B}[\(place.y + 1);\(place.x + 1)H".utf8)
      }
    }
  }

  /// A color of a cell, in the form written to the terminal.
  struct Color: Equatable, BitwiseCopyable {
    /// Red, green and blue; or a palette index with `paletteMark`; or one of the special values below.
    private let bits: UInt32

    private static let paletteMark: UInt32 = 1 << 24

    /// The contents of the cell are unknown.
    static let unknown = Color(bits: .max)
    /// The cell is outside of the region.
    static let foreign = Color(bits: .max - 1)

    static let standard = Color(bits: .max - 2)

    private init(bits: UInt32) { self.bits = bits }

    /// A color of the theme by its number; nil is the default background.
    init(number: Int32?) {
      switch number {
      case nil: self = .standard
      case let number? where number < 256: bits = Self.paletteMark | UInt32(max(0, number))
      case let number?: bits = UInt32(number) & 0xFF_FFFF
      }
    }

    @inline(__always)
    init(red: UInt8, green: UInt8, blue: UInt8) {
      bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
    }

    init(nearestTo color: Color) {
      let color = RGB(red: color.red, green: color.green, blue: color.blue)
      bits = Self.paletteMark | UInt32(ColorDepth.indexed.nearest(to: color) ?? 0)
    }

    @inline(__always) private var isDirect: Bool { bits < Self.paletteMark }
    @inline(__always) private var red: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }
    @inline(__always) private var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
    @inline(__always) private var blue: UInt8 { UInt8(truncatingIfNeeded: bits) }

    /// Whether this color can stay instead of `wanted`: each channel is within the tolerance, or both have the same
    /// nearest palette color.
    @inline(__always)
    func matches(_ wanted: Color, tolerance: Int) -> Bool {
      if self == wanted { return true }
      guard isDirect else { return false }
      guard wanted.isDirect else { return Color(nearestTo: self) == wanted }
      guard tolerance > 0 else { return false }
      func isNear(_ one: UInt8, _ other: UInt8) -> Bool { abs(Int(one) - Int(other)) <= tolerance }
      return isNear(red, wanted.red) && isNear(green, wanted.green) && isNear(blue, wanted.blue)
    }

    /// Appends the SGR parameters that select it, after 38 or 48.
    func appendParameters(to bytes: inout [UInt8]) {
      if isDirect {
        bytes.append(contentsOf: Self.directStart)
        bytes.appendNumber(red)
        bytes.append(UInt8(ascii: ";"))
        bytes.appendNumber(green)
        bytes.append(UInt8(ascii: ";"))
      } else {
        bytes.append(contentsOf: Self.paletteStart)
      }
      bytes.appendNumber(blue)
    }

    private static let directStart = Array(";2;".utf8)
    private static let paletteStart = Array(";5;".utf8)
  }

  struct Cell: Equatable, BitwiseCopyable {
    /// The color of the upper left quarter.
    var first: Color
    var second: Color
    /// The quarters with the first color, one bit each: upper left, upper right, lower left, lower right.
    var quarters: UInt8

    static let upperHalf: UInt8 = 0b0011
    static let whole: UInt8 = 0b1111

    static let unknown = Cell(.unknown)
    static let foreign = Cell(.foreign)

    /// - Parameter quarters: with the first color; any but none or all, also without the upper left one.
    @inline(__always)
    init(first: Color, second: Color, quarters: UInt8) {
      let isInOrder = quarters & 1 != 0
      self.first = isInOrder ? first : second
      self.second = isInOrder ? second : first
      self.quarters = isInOrder ? quarters : Self.whole & ~quarters
    }

    @inline(__always)
    init(_ color: Color) { self.init(first: color, second: color, quarters: Self.upperHalf) }

    /// Whether this cell can stay instead of `wanted`. The quarters of a cell of one color do not matter.
    @inline(__always)
    func matches(_ wanted: Cell, tolerance: Int) -> Bool {
      (quarters == wanted.quarters || first == second || wanted.first == wanted.second)
        && first.matches(wanted.first, tolerance: tolerance) && second.matches(wanted.second, tolerance: tolerance)
    }
  }
}

extension [UInt8] {
  /// Appends a number in decimal digits, at most four.
  @inline(__always)
  mutating func appendNumber(_ number: Int) {
    if number >= 1000 { append(UInt8(ascii: "0") + UInt8(number / 1000 % 10)) }
    if number >= 100 { append(UInt8(ascii: "0") + UInt8(number / 100 % 10)) }
    if number >= 10 { append(UInt8(ascii: "0") + UInt8(number / 10 % 10)) }
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }

  @inline(__always)
  mutating func appendNumber(_ number: UInt8) {
    if number >= 100 { append(UInt8(ascii: "0") + number / 100) }
    if number >= 10 { append(UInt8(ascii: "0") + number / 10 % 10) }
    append(UInt8(ascii: "0") + number % 10)
  }
}
