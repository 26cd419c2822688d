import CFeedfallCurses
import FeedfallScreen
import FeedfallSystem
import Glibc
import WaterfallEngine

/// Converts canvases into bytes for the terminal: the cells that differ from those that it shows.
final class ScreenPainter {
  let terminal: Capabilities
  let usesColor: Bool
  let canUseDirectColors: Bool
  private let namedDepth: ColorDepth
  private(set) var depth: ColorDepth { didSet { updateTheme() } }
  var shade = Theme.Shade.unknown { didSet { updateTheme() } }
  var themeSettings: ThemeSettings { didSet { updateTheme() } }
  var textWidths = TextWidths() { didSet { if textWidths != oldValue { clear() } } }
  private(set) var size: Size
  var shown: ShownScreen
  let links = Links()

  private let curses: CursesScreen
  private var theme: Theme
  private var mustClear = true
  /// The canvas that the terminal shows, except for stale rows, and its hashes, if they are known.
  private var painted: Canvas?
  private var hashes: RowShift.Hashes?
  /// The cells of the last frame; only those of rows that it has drawn are current.
  private var wanted: [ShownCell]
  private var uncertain = TextWidths.UncertainGlyphs()

  init(
    usesColor: Bool, hasDirectColors: Bool = false, theme themeSettings: ThemeSettings = ThemeSettings()
  ) throws(TerminalError) {
    curses = try CursesScreen()
    terminal = Capabilities()
    let isLinux = Environment.process["TERM"]?.hasPrefix("linux") == true
    let isSGR = terminal.selection == .sgr
    namedDepth = usesColor ? ColorDepth(colors: isSGR ? terminal.colorCount : min(256, terminal.colorCount)) : .none
    // The Linux console maps all colors to its few.
    canUseDirectColors = namedDepth != .none && isSGR && !isLinux
    depth = hasDirectColors && canUseDirectColors ? .direct : namedDepth
    self.usesColor = namedDepth != .none
    self.themeSettings = themeSettings
    theme = Theme(depth: depth, shade: .unknown, settings: themeSettings)
    size = curses.size
    shown = ShownScreen(size: size)
    wanted = shown.cells
  }

  func close() { curses.close() }

  // MARK: - Screen

  /// Returns the background of the screen, given that of the terminal; nil if it is unknown, such as a named color.
  func ground(of terminal: RGB?) -> RGB? { plainBackground == nil ? terminal : theme.ground }

  /// The background of plain text, by its number; nil for the terminal's default.
  var plainBackground: Int32? { theme[.plain].background }

  private var ground: CellColor { usesColor ? CellColor(number: plainBackground) : .standard }

  func resize(to size: Size) {
    curses.resize(to: size)
    self.size = size
    clear()
  }

  func clear() {
    shown = ShownScreen(size: size)
    wanted = shown.cells
    mustClear = true
  }

  func leave() -> [UInt8] {
    clear()
    return curses.leave()
  }

  func enter() -> [UInt8] {
    clear()
    return curses.enter()
  }

  private func updateTheme() {
    painted = nil
    theme = Theme(depth: depth, shade: shade, settings: themeSettings)
  }

  func useDirectColors() {
    if canUseDirectColors { depth = .direct }
  }

  func dropDirectColors() { depth = namedDepth }

  /// Makes the next frame write all of these cells, and the other halves of their wide characters.
  func rewrite(_ areas: [Rect]) {
    for area in areas.map({ $0.intersection(Rect(origin: .zero, size: size)) }) {
      for y in area.minY..<area.maxY { shown.forget(area.minX..<area.maxX, row: y) }
    }
  }

  var writer: CellWriter { CellWriter(terminal, links, size: size) }

  // MARK: - Frames

  /// `mayScroll` is false if there are pixels over the cells, which would move too. With `keepsFilm`, the cells of a
  /// film stay where the canvas reserves them.
  func frame(
    _ canvas: Canvas, links newLinks: [Canvas.Link] = [], mayScroll: Bool = true, keepsFilm: Bool = false
  ) -> (bytes: [UInt8], damage: CellDamage) {
    if links.isFull {
      links.removeAll()
      shown.forgetLinks()
    }
    var drawing = Drawing(writer: writer, damage: CellDamage(on: size))
    var newHashes: RowShift.Hashes?
    if mustClear {
      mustClear = false
      painted = nil
      shown = ShownScreen(size: size, filledWith: drawing.writer.clear(ground: ground))
      drawing.damage.addMoved(rows: 0..<size.height)
    } else if mayScroll, terminal.canScroll, canvas.size == size, let before = painted,
      let shift = canvas.rowShift(from: before, hashes, &newHashes)
    {
      shown.scroll(shift, blank: drawing.writer.scroll(shift, ground: ground))
      painted = before.scrolled(by: shift)
      drawing.damage.addMoved(rows: shift.region)
    }
    let areas = newLinks.map(\.frame)
    // Not a property, each access to which is checked.
    var wanted: [ShownCell] = []
    swap(&wanted, &self.wanted)
    for y in 0..<size.height where mustDraw(y, canvas, areas) {
      resolve(y, of: canvas, newLinks, keepsFilm: keepsFilm, to: &wanted)
      drawing.addPieces(ofRow: y, wanted, shown, plain: ground)
    }
    drawing.write(wanted)
    for y in drawing.rows { shown.setRow(y, wanted) }
    self.wanted = wanted
    drawing.writer.reset()
    (painted, hashes) = (canvas, newHashes)
    return (drawing.writer.bytes, drawing.damage)
  }

  private func mustDraw(_ y: Int, _ canvas: Canvas, _ areas: [Rect]) -> Bool {
    guard let painted, !shown.staleRows[y], painted.size == canvas.size else { return true }
    return areas.contains { $0.minY <= y && y < $0.maxY }
      || y < canvas.size.height && !canvas.rowIsEqual(y, to: painted)
  }

  private func resolve(
    _ y: Int, of canvas: Canvas, _ newLinks: [Canvas.Link], keepsFilm: Bool, to wanted: inout [ShownCell]
  ) {
    let start = y * size.width
    let width = y < canvas.size.height ? min(size.width, canvas.size.width) : 0
    let row = canvas.cells.span.extracting(width == 0 ? 0..<0 : y * canvas.size.width..<y * canvas.size.width + width)
    var (style, pen) = (Style.plain, pen(of: .plain))
    for x in width..<size.width { wanted[start + x] = ShownCell(glyph: .blank, pen: pen) }
    var x = 0
    while x < width {
      if row[x].style.isReserved, keepsFilm, shown[x, y].kind == .film {
        wanted[start + x] = shown[x, y]
        x += 1
        continue
      }
      let isWide = x + 1 < width && row[x + 1].glyph.isContinuation
      let cell = row[x].shown(width: isWide ? 2 : 1, textWidths)
      if cell.style != style { (style, pen) = (cell.style, self.pen(of: cell.style)) }
      let next = x + (isWide ? 2 : 1)
      if isDisputed(row[x], isWide: isWide, next: next < width ? row[next].glyph : .blank) {
        wanted[start + x] = ShownCell(glyph: cell.glyph, pen: pen, kind: .disputed)
        if isWide { wanted[start + x + 1] = ShownCell(glyph: .continuation, pen: pen, kind: .disputed) }
      } else {
        let glyph = Self.safe(cell.glyph, isWide: isWide)
        wanted[start + x] = ShownCell(glyph: glyph, pen: pen)
        if isWide {
          let isSingle = glyph.base < 0x80 || glyph == .replacement
          wanted[start + x + 1] = ShownCell(glyph: isSingle ? .blank : .continuation, pen: pen)
        }
      }
      x = next
    }
    for link in newLinks where link.frame.minY <= y && y < link.frame.maxY {
      let number = links.number(of: link.address)
      for x in (link.frame.minX..<link.frame.maxX).clamped(to: 0..<size.width) { wanted[start + x].pen.link = number }
    }
  }

  /// Whether a cell belongs to a cluster of uncertain width: its glyph is such, or the next one, which may join it.
  private func isDisputed(_ cell: Cell, isWide: Bool, next: Glyph) -> Bool {
    guard cell.glyph.base | next.base >= 0x300 || textWidths.ambiguousIsWide, !cell.style.isReserved else {
      return false
    }
    return isWide && textWidths.ambiguousIsWide && cell.glyph.isAmbiguous || uncertain.contains(cell.glyph)
      || uncertain.contains(next)
  }

  /// The finest block characters whose width the C library knows: it must be newer than Unicode 16 for octants.
  static var finestGlyphs: BlockGlyphs {
    wcwidth(wchar_t(truncatingIfNeeded: BlockGlyphs.sampleOctant)) == 1 ? .octants : .sextants
  }

  private static func safe(_ glyph: Glyph, isWide: Bool) -> Glyph {
    if (0x20...0x7E).contains(glyph.base) || (0x2500...0x259F).contains(glyph.base) && !isWide { return glyph }
    if glyph.isContinuation { return .blank }
    return Int(wcwidth(wchar_t(truncatingIfNeeded: glyph.base))) == (isWide ? 2 : 1) ? glyph : .replacement
  }

  private func pen(of style: Style) -> Pen {
    let look = theme[style.role]
    guard usesColor else { return Pen(attributes: look.attributes) }
    let (text, ground) = depth.nearest(text: style.foreground, ground: style.background)
    return Pen(
      text: CellColor(number: text ?? look.foreground),
      ground: CellColor(number: ground ?? look.background), attributes: look.attributes)
  }
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
