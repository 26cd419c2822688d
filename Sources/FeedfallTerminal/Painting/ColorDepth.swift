import FeedfallScreen

enum ColorDepth: Equatable, Sendable {
  case none, eight, sixteen, indexed
  /// Direct colours, written as red, green and blue (terminfo's `RGB`).
  case direct

  init(colors: Int) {
    switch colors {
    case ..<8: self = .none
    case ..<16: self = .eight
    case ..<256: self = .sixteen
    case 256..<65536: self = .indexed
    default: self = .direct
    }
  }

  var isFine: Bool { self == .indexed || self == .direct }

  func nearest(to color: RGB) -> Int32? {
    switch self {
    case .none: nil
    case .eight: Self.muted(color) ?? Self.nearest(to: color, among: 8)
    // Grays are among the sixteen.
    case .sixteen: (Self.isGray(color) ? nil : Self.muted(color)) ?? Self.nearest(to: color, among: 16)
    case .indexed: Self.nearestIndexed(to: color)
    case .direct: Self.direct(color)
    }
  }

  /// Numbers below 256 select the palette, so the darkest blues get an invisible amount of green.
  private static func direct(_ color: RGB) -> Int32 {
    let number = Int32(color.red) << 16 | Int32(color.green) << 8 | Int32(color.blue)
    return number < 256 ? number | 256 : number
  }

  /// With few colours, a text that becomes like its background, but was not before, is chosen again: black or white.
  func nearest(text: RGB?, ground: RGB?) -> (text: Int32?, ground: Int32?) {
    let found = (text: text.flatMap(nearest), ground: ground.flatMap(nearest))
    guard self == .eight || self == .sixteen, let text, let ground, let textNumber = found.text,
      let number = found.ground
    else { return found }
    let shown = Self.palette[Int(number)]
    if text == ground.readableText { return (nearest(to: shown.readableText), number) }
    guard text.contrast(with: ground) >= Self.leastContrast,
      Self.palette[Int(textNumber)].contrast(with: shown) < Self.leastContrast
    else { return found }
    return (nearest(to: shown.readableText), number)
  }

  private static let leastContrast = 2.0

  func nearest(to text: RGB, on ground: RGB, contrast least: Double) -> Int32? {
    guard self == .indexed else { return nearest(to: text) }
    let ground = Self.indexedColor(Int(Self.nearestIndexed(to: ground)))
    func isReadable(_ index: Int) -> Bool { Self.indexedColor(index).contrast(with: ground) >= least }
    let nearest = Int(Self.nearestIndexed(to: text))
    if isReadable(nearest) { return Int32(nearest) }
    let readable = (16..<256).filter(isReadable)
    return readable.min { Self.distance(Self.indexedColor($0), text) < Self.distance(Self.indexedColor($1), text) }
      .map(Int32.init)
  }

  /// xterm's sixteen colours. Users change them, but a red stays a red.
  static let palette: [RGB] = [
    RGB(0x000000), RGB(0xCD0000), RGB(0x00CD00), RGB(0xCDCD00), RGB(0x0000EE), RGB(0xCD00CD),
    RGB(0x00CDCD), RGB(0xE5E5E5), RGB(0x7F7F7F), RGB(0xFF0000), RGB(0x00FF00), RGB(0xFFFF00),
    RGB(0x5C5CFF), RGB(0xFF00FF), RGB(0x00FFFF), RGB(0xFFFFFF),
  ]

  /// Maps a rather dark colour to one of eight by its strongest channels: red and yellow would be glaring, and black
  /// would look like a hole. Nil for light colours and black.
  private static func muted(_ color: RGB) -> Int32? {
    guard (64...160).contains(max(color.red, color.green, color.blue)) else { return nil }
    let isBlue = color.blue >= color.red && color.blue >= color.green
    let isGreen = color.green >= color.red && color.green >= color.blue
    if isBlue && isGreen { return 6 }
    if isBlue && color.red >= color.blue { return 5 }
    if isBlue { return 4 }
    return isGreen ? 2 : 5
  }

  private static func isGray(_ color: RGB) -> Bool {
    let (least, most) = (min(color.red, color.green, color.blue), max(color.red, color.green, color.blue))
    return Int(most - least) * 6 < Int(most)
  }

  private static func nearest(to color: RGB, among count: Int) -> Int32 {
    var best = 0
    var least = Int.max
    for index in 0..<count {
      let distance = distance(color, palette[index])
      if distance < least {
        best = index
        least = distance
      }
    }
    return Int32(best)
  }

  /// Returns one of xterm's 240 fixed colours, from index 16 on.
  static func indexedColor(_ index: Int) -> RGB {
    guard index < 232 else {
      let level = UInt8(8 + 10 * (index - 232))
      return RGB(red: level, green: level, blue: level)
    }
    let place = index - 16
    return RGB(red: cubeLevel(place / 36), green: cubeLevel(place / 6 % 6), blue: cubeLevel(place % 6))
  }

  /// Finds the nearest colour in xterm's 6×6×6 cube (16…231) and 24 greys (232…255).
  private static func nearestIndexed(to color: RGB) -> Int32 {
    let red = cubeStep(color.red)
    let green = cubeStep(color.green)
    let blue = cubeStep(color.blue)
    let inCube = RGB(red: cubeLevel(red), green: cubeLevel(green), blue: cubeLevel(blue))
    // Weighted as in `distance`, so that this is the nearest grey.
    let mean = (2 * Int(color.red) + 4 * Int(color.green) + 3 * Int(color.blue)) / 9
    let step = min(23, max(0, (mean - 3) / 10))
    let level = UInt8(8 + 10 * step)
    let grey = RGB(red: level, green: level, blue: level)
    return distance(color, grey) < distance(color, inCube)
      ? Int32(232 + step) : Int32(16 + 36 * red + 6 * green + blue)
  }

  /// Finds the nearest of the cube's levels 0, 95, 135, 175, 215 and 255.
  private static func cubeStep(_ value: UInt8) -> Int {
    switch value {
    case ..<48: 0
    case ..<115: 1
    default: (Int(value) - 35) / 40
    }
  }

  private static func cubeLevel(_ step: Int) -> UInt8 { step == 0 ? 0 : UInt8(55 + 40 * step) }

  static func distance(_ one: RGB, _ other: RGB) -> Int {
    let red = Int(one.red) - Int(other.red)
    let green = Int(one.green) - Int(other.green)
    let blue = Int(one.blue) - Int(other.blue)
    return 2 * red * red + 4 * green * green + 3 * blue * blue
  }
}

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
  init(red: UInt8, green: UInt8, blue: UInt8) { bits = UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue) }

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
