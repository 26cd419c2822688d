import CFeedfallCurses
import WaterfallEngine

/// Read them after curses has started. A sequence with parameters is used only if it is exactly the one of ECMA-48,
/// except for the cursor's address and colors, which terminfo writes where they differ.
final class Capabilities {
  enum Selection { case sgr, terminfo }

  let selection: Selection
  let colorCount: Int
  /// Whether the colors from 8 to 15 are selected by their index.
  let brightByIndex: Bool
  let (canEndAttributes, canEndColors): (Bool, Bool)
  let reset: [UInt8]
  let clear: [UInt8]
  /// Whether erased cells have the current background.
  let erasesInColor: Bool
  /// Whether there are EL, ECH and REP.
  let (erasesRows, erasesCells, repeats): (Bool, Bool, Bool)
  /// Whether the cursor can be moved by CUF, CUB, CHA, VT and CR.
  let movesRelatively: Bool
  let lastCellScrolls: Bool
  private let addressesByECMA: Bool
  private let (hasRegion, scrollsByECMA): (Bool, Bool)
  private let (index, reverseIndex): ([UInt8], [UInt8])
  private let attributes: [(Theme.Attributes, [UInt8])]

  init() {
    func string(_ name: String) -> [UInt8] { TerminalProfile.string(name) ?? [] }
    func has(_ sequences: [String: String]) -> Bool { sequences.allSatisfy { string($0) == Array($1.utf8) } }
    colorCount = nc_flag("RGB") != 0 ? 1 << 24 : Int(nc_number("colors"))
    let hasSGR = has(["bold": "\u{1B}[1m", "rev": "\u{1B}[7m"])
    var brightByIndex = false
    func selects(_ color: Int32, by start: Int32, _ capability: String) -> Bool {
      let bytes = Self.parameterized(capability, color)
      func equals(_ text: String) -> Bool { bytes == Array("\u{1B}[\(text)m".utf8) }
      switch color {
      case ..<8: return equals("\(start + color)")
      case ..<16 where equals("\(start + 52 + color)"): return true
      case ..<16: brightByIndex = true
      default: break
      }
      // foot separates them by colons, and reads both.
      return equals("\(start + 8);5;\(color)") || equals("\(start + 8):5:\(color)")
    }
    let named = colorCount > 256 ? 8 : Int32(max(0, colorCount))
    let selectsBySGR = (0..<named).allSatisfy { selects($0, by: 30, "setaf") && selects($0, by: 40, "setab") }
    self.brightByIndex = brightByIndex
    selection = hasSGR && selectsBySGR ? .sgr : .terminfo
    canEndAttributes = has(["rmso": "\u{1B}[27m", "rmul": "\u{1B}[24m"])
    canEndColors = has(["op": "\u{1B}[39;49m"])
    reset = string("sgr0")
    clear = string("clear")
    erasesInColor = nc_flag("bce") != 0
    erasesRows = has(["el": "\u{1B}[K"])
    erasesCells = erasesInColor && has(["ech": "\u{1B}[%p1%dX"])
    repeats = has(["rep": "%p1%c\u{1B}[%p2%{1}%-%db"])
    addressesByECMA = has(["cup": "\u{1B}[%i%p1%d;%p2%dH"])
    movesRelatively =
      addressesByECMA
      && has(["cuf": "\u{1B}[%p1%dC", "cub": "\u{1B}[%p1%dD", "hpa": "\u{1B}[%i%p1%dG", "cud1": "\n", "cr": "\r"])
    lastCellScrolls = nc_flag("am") != 0 && nc_flag("xenl") == 0
    (index, reverseIndex) = (string("ind"), string("ri"))
    scrollsByECMA = has(["indn": "\u{1B}[%p1%dS", "rin": "\u{1B}[%p1%dT"])
    hasRegion = has(["csr": "\u{1B}[%i%p1%d;%p2%dr"])
    attributes = [(.bold, "bold"), (.dim, "dim"), (.underline, "smul"), (.reverse, "rev")].map { ($0, string($1)) }
  }

  private static func parameterized(_ name: String, _ first: Int32, _ second: Int32 = 0) -> [UInt8] {
    guard let value = nc_parameterized(name, first, second) else { return [] }
    return TerminalProfile.withoutPadding(Array(String(cString: value).utf8))
  }

  /// Where the last cell is not written, it must not become another one.
  var canScroll: Bool { hasRegion && !lastCellScrolls && (scrollsByECMA || !index.isEmpty && !reverseIndex.isEmpty) }

  @inline(__always)
  func appendAddress(_ place: Point, to bytes: inout [UInt8]) {
    guard addressesByECMA else {
      bytes += Self.parameterized("cup", Int32(place.y), Int32(place.x))
      return
    }
    bytes.append(0x1B)
    bytes.append(UInt8(ascii: "["))
    bytes.appendNumber(place.y + 1)
    bytes.append(UInt8(ascii: ";"))
    bytes.appendNumber(place.x + 1)
    bytes.append(UInt8(ascii: "H"))
  }

  /// Scrolls the rows of a region up by a distance, or down by a negative one.
  func scroll(_ region: Range<Int>, by distance: Int) -> [UInt8] {
    var bytes = Array("\u{1B}[\(region.lowerBound + 1);\(region.upperBound)r".utf8)
    if scrollsByECMA {
      bytes += Array("\u{1B}[\(abs(distance))\(distance > 0 ? "S" : "T")".utf8)
    } else {
      appendAddress(Point(x: 0, y: distance > 0 ? region.upperBound - 1 : region.lowerBound), to: &bytes)
      for _ in 0..<abs(distance) { bytes += distance > 0 ? index : reverseIndex }
    }
    return bytes + TerminalProfile.resetScrollRegion
  }

  func reselection(_ pen: Pen) -> [UInt8] {
    var bytes = reset
    for (attribute, sequence) in attributes where pen.attributes.contains(attribute) { bytes += sequence }
    if let index = pen.text.index { bytes += Self.parameterized("setaf", Int32(index)) }
    if let index = pen.ground.index { bytes += Self.parameterized("setab", Int32(index)) }
    return bytes
  }
}
