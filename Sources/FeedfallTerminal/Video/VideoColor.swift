import FeedfallScreen

/// The colour of one half of a cell, as it was written to the terminal.
struct VideoColor: Equatable, BitwiseCopyable {
  /// Red, green and blue; or a number of the palette and `paletteMark`; or one of the two that are no colours.
  private let bits: UInt32

  private static let paletteMark: UInt32 = 1 << 24

  /// What is seen there is not known.
  static let unknown = VideoColor(bits: .max)
  /// The cell is not the video's.
  static let foreign = VideoColor(bits: .max - 1)

  private init(bits: UInt32) { self.bits = bits }

  @inline(__always)
  init(red: UInt8, green: UInt8, blue: UInt8) {
    bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }

  /// The nearest of 256.
  init(nearestTo color: VideoColor) {
    let color = RGB(red: color.red, green: color.green, blue: color.blue)
    bits = Self.paletteMark | UInt32(ColorDepth.indexed.nearest(to: color) ?? 0)
  }

  @inline(__always) private var isDirect: Bool { bits < Self.paletteMark }
  @inline(__always) private var red: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }
  @inline(__always) private var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
  @inline(__always) private var blue: UInt8 { UInt8(truncatingIfNeeded: bits) }

  /// Whether it may stay where another is wanted: each channel differs by no more than the tolerance, or a colour's
  /// nearest of the palette is wanted.
  @inline(__always)
  func passes(for wanted: VideoColor, tolerance: Int) -> Bool {
    if self == wanted { return true }
    guard isDirect else { return false }
    guard wanted.isDirect else { return VideoColor(nearestTo: self) == wanted }
    guard tolerance > 0 else { return false }
    func isNear(_ one: UInt8, _ other: UInt8) -> Bool { abs(Int(one) - Int(other)) <= tolerance }
    return isNear(red, wanted.red) && isNear(green, wanted.green) && isNear(blue, wanted.blue)
  }

  /// Adds the parameters of SGR that select it, after 38 or 48.
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

/// The two halves of a cell.
struct VideoCell: Equatable, BitwiseCopyable {
  var upper: VideoColor
  var lower: VideoColor

  static let unknown = VideoCell(upper: .unknown, lower: .unknown)
  static let foreign = VideoCell(upper: .foreign, lower: .foreign)

  @inline(__always)
  func passes(for wanted: VideoCell, tolerance: Int) -> Bool {
    upper.passes(for: wanted.upper, tolerance: tolerance) && lower.passes(for: wanted.lower, tolerance: tolerance)
  }
}

extension [UInt8] {
  /// Adds a number in decimal digits.
  @inline(__always)
  mutating func appendNumber(_ number: UInt8) {
    if number >= 100 { append(UInt8(ascii: "0") + number / 100) }
    if number >= 10 { append(UInt8(ascii: "0") + number / 10 % 10) }
    append(UInt8(ascii: "0") + number % 10)
  }
}
