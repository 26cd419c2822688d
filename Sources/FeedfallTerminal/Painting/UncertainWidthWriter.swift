import FeedfallScreen
import WaterfallEngine

/// Writes the glyphs whose width terminals disagree about, each at its own address, after a frame of curses. Curses
/// sees blanks in their cells, so a different width moves nothing.
struct UncertainWidthWriter {
  /// Whether the terminal has the sequences of ECMA-48 to write at an address. On others curses writes all.
  var isAddressable = false
  var isPossible = false

  private var widths = TextWidths.UncertainGlyphs()
  /// The cells with such glyphs that have changed, although curses sees the same blanks in them.
  private var changes: [(columns: Range<Int>, row: Int)] = []

  mutating func change(_ columns: Range<Int>, row: Int) { changes.append((columns, row)) }

  /// Whether a cell belongs to a cluster of uncertain width: its glyph is such, or the next one, which may join it.
  mutating func includes(_ x: Int, width: Int, in row: Span<Cell>, _ settings: TextWidths) -> Bool {
    let next = x + width < row.count ? row[x + width].glyph : .blank
    let glyph = row[x].glyph
    guard glyph.base | next.base >= 0x300 || settings.ambiguousIsWide, isAddressable, !row[x].style.isReserved
    else { return false }
    let isWideHere = width == 2 && settings.ambiguousIsWide && glyph.isAmbiguous
    guard isWideHere || widths.contains(glyph) || widths.contains(next) else { return false }
    isPossible = true
    return true
  }

  mutating func contains(_ glyph: Glyph) -> Bool { isAddressable && widths.contains(glyph) }

  /// Extends a range to write by the glyph before it, to which a mark in the range belongs or belonged.
  mutating func widened(_ range: Range<Int>, in row: Span<Cell>) -> Range<Int> {
    let first = range.lowerBound
    guard first > 0, isPossible || contains(row[first].glyph) else { return range }
    return (row[first - 1].glyph.isContinuation ? max(0, first - 2) : first - 1)..<range.upperBound
  }

  /// Returns the bytes that write such glyphs that have changed, or in and beside damaged cells. The cursor and
  /// the attributes are unchanged afterwards. Complexity: O(damaged rows × width).
  mutating func paint(
    _ canvas: Canvas, on screen: Size, in damage: CellDamage, _ settings: TextWidths,
    selection: (Style) -> [UInt8]
  ) -> [UInt8] {
    let width = min(canvas.size.width, screen.width)
    var bytes: [UInt8] = []
    var damage = damage
    for (columns, row) in changes { damage.add(columns, row: row) }
    changes = []
    for (y, damaged) in damage.rows.prefix(canvas.size.height).enumerated() where !damaged.isEmpty {
      let row = canvas.cells.span.extracting(y * canvas.size.width..<y * canvas.size.width + width)
      var x = 0
      while x < width {
        let start = x
        while x < width, includes(x, width: Self.width(of: x, in: row), in: row, settings) {
          x += Self.width(of: x, in: row)
        }
        if x > start, damaged.contains(where: { start <= $0.upperBound && x >= $0.lowerBound }) {
          bytes += Self.run(start..<x, in: row, y, settings, selection)
        }
        if x == start { x += 1 }
      }
    }
    return bytes.isEmpty ? [] : TerminalProfile.saveCursor + bytes + TerminalProfile.restoreCursor
  }

  private static func width(of x: Int, in row: Span<Cell>) -> Int {
    x + 1 < row.count && row[x + 1].glyph.isContinuation ? 2 : 1
  }

  /// Blanks the cells, writes their glyphs, and rewrites the glyph after them, which a wider one would cover.
  private static func run(
    _ run: Range<Int>, in row: Span<Cell>, _ y: Int, _ settings: TextWidths, _ selection: (Style) -> [UInt8]
  ) -> [UInt8] {
    var bytes = address(run.lowerBound, y)
    var style: Style?
    func select(_ new: Style) {
      guard new != style else { return }
      style = new
      bytes += Array("\u{1B}[m".utf8) + selection(new)
    }
    for x in run {
      select(row[x].style)
      bytes.append(UInt8(ascii: " "))
    }
    for x in run where !row[x].glyph.isContinuation && row[x].glyph != .blank {
      let isLast = x + width(of: x, in: row) == row.count
      select(row[x].style)
      bytes += address(x, y) + text(row[x].glyph, isLast: isLast)
    }
    guard run.upperBound < row.count, !row[run.upperBound].style.isReserved else { return bytes }
    let width = width(of: run.upperBound, in: row)
    let next = row[run.upperBound].shown(width: width, settings)
    select(next.style)
    bytes += address(run.upperBound, y)
    return bytes + text(CursesPainter.safe(next.glyph, width: width), isLast: false)
  }

  /// A glyph that is wider than its cells would wrap in the last column.
  private static func text(_ glyph: Glyph, isLast: Bool) -> [UInt8] {
    guard isLast else { return glyph.scalars.flatMap { Array(String($0).utf8) } }
    var widths = TextWidths.UncertainGlyphs()
    let base = Glyph(base: glyph.base)
    return widths.contains(base) || base.isAmbiguous ? [] : text(base, isLast: false)
  }

  private static func address(_ x: Int, _ y: Int) -> [UInt8] { Array("\u{1B}[\(y + 1);\(x + 1)H".utf8) }
}

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
    cell.style.background = text.mixed(with: ground)
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

extension RGB {
  fileprivate func mixed(with other: RGB) -> RGB {
    func mean(_ one: UInt8, _ other: UInt8) -> UInt8 { UInt8((Int(one) + Int(other)) / 2) }
    return RGB(
      red: mean(red, other.red), green: mean(green, other.green), blue: mean(blue, other.blue))
  }
}
