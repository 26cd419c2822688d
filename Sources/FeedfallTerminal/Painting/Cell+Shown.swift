import FeedfallScreen

extension Cell {
  func shown(width: Int, _ settings: TextWidths) -> Cell {
    settings.ambiguousIsWide && width == 1 ? withoutAmbiguousSign : self
  }

  /// The cell in a terminal that shows its sign in two cells: with a sign of ASCII, or two pixels as their mean color.
  var withoutAmbiguousSign: Cell {
    guard glyph.base >= 0xA1, glyph.isAmbiguous else { return self }
    var cell = self
    cell.glyph = Glyph(base: UInt32(Self.plainSign(of: glyph.base).value))
    guard (0x2580...0x259F).contains(glyph.base), let text = style.foreground, let ground = style.background
    else { return cell }
    cell.glyph = .blank
    cell.style.background = text.mixed(with: ground) { UInt8((Int($0) + Int($1)) / 2) }
    return cell
  }

  private static func plainSign(of base: UInt32) -> Unicode.Scalar {
    switch base {
    case 0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x2550, 0x2013...0x2015: "-"
    case 0x2502, 0x2503, 0x2506, 0x2507, 0x250A, 0x250B, 0x2551, 0x2589...0x258F: "|"
    case 0x2504...0x254B, 0x2552...0x257F: "+"
    case 0x2580...0x259F: "#"
    case 0xB7, 0x2026: "."
    case 0x25A0...0x25B1, 0x25C6...0x25D3, 0x2605...0x2606: "*"
    case 0x25B2...0x25B3, 0x2191: "^"
    case 0x25B6...0x25B7, 0x2192: ">"
    case 0x25BC...0x25BD, 0x2193: "v"
    case 0x25C0...0x25C1, 0x2190: "<"
    case 0x2018...0x2019: "'"
    case 0x201C...0x201D: "\""
    case 0xD7: "x"
    default: "?"
    }
  }
}
