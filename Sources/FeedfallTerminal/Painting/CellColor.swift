import FeedfallScreen

struct CellColor: Hashable, BitwiseCopyable {
  /// Red, green and blue; or a palette index with `paletteMark`; or the default color.
  private let bits: UInt32

  private static let paletteMark: UInt32 = 1 << 24

  static let standard = CellColor(bits: .max)

  private init(bits: UInt32) { self.bits = bits }

  /// A color by its number in the terminal's depth; nil is the default color.
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

  init(nearestTo color: CellColor) {
    let color = RGB(red: color.red, green: color.green, blue: color.blue)
    bits = Self.paletteMark | UInt32(ColorDepth.indexed.nearest(to: color) ?? 0)
  }

  @inline(__always) private var isDirect: Bool { bits < Self.paletteMark }
  @inline(__always) private var red: UInt8 { UInt8(truncatingIfNeeded: bits >> 16) }
  @inline(__always) private var green: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
  @inline(__always) private var blue: UInt8 { UInt8(truncatingIfNeeded: bits) }
  var index: UInt8? { isDirect || self == .standard ? nil : blue }

  /// Whether this color can stay instead of `wanted`, because it is near, or has the same nearest palette color.
  @inline(__always)
  func matches(_ wanted: CellColor, tolerance: Int) -> Bool {
    if self == wanted { return true }
    guard isDirect else { return false }
    guard wanted.isDirect else { return CellColor(nearestTo: self) == wanted }
    guard tolerance > 0 else { return false }
    func isNear(_ one: UInt8, _ other: UInt8) -> Bool { abs(Int(one) - Int(other)) <= tolerance }
    return isNear(red, wanted.red) && isNear(green, wanted.green) && isNear(blue, wanted.blue)
  }

  /// SGR parameters: `start` is 30 for text, 40 for the background.
  func appendParameters(from start: UInt8, brightByIndex: Bool, to bytes: inout [UInt8]) {
    switch index {
    case nil where self == .standard: return bytes.appendNumber(start + 9)
    case let index? where index < 8: return bytes.appendNumber(start + index)
    case let index? where index < 16 && !brightByIndex: return bytes.appendNumber(start + 60 + index - 8)
    case nil:
      bytes.appendNumber(start + 8)
      bytes.append(contentsOf: Self.directStart)
      bytes.appendNumber(red)
      bytes.append(UInt8(ascii: ";"))
      bytes.appendNumber(green)
      bytes.append(UInt8(ascii: ";"))
    default:
      bytes.appendNumber(start + 8)
      bytes.append(contentsOf: Self.paletteStart)
    }
    bytes.appendNumber(blue)
  }

  private static let directStart = Array(";2;".utf8)
  private static let paletteStart = Array(";5;".utf8)
}

extension [UInt8] {
  /// At most four digits.
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
