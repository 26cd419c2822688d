import CFeedfallCurses
import FeedfallScreen
import Glibc
import WaterfallEngine

/// Turns canvases into the bytes that show them: curses compares, and writes into memory.
final class CursesPainter {
  /// Changes which colours are used; the next frame shows it.
  private(set) var depth: ColorDepth {
    didSet { if depth != oldValue { shown = nil } }
  }
  let usesColor: Bool
  /// Whether all colours could be shown, if the terminal should say that it has them.
  let canUseAllColors: Bool
  /// Changes what the roles look like; the next frame shows it.
  var shade = Shade.unknown {
    didSet {
      guard shade != oldValue else { return }
      theme = Theme(usesColor: usesColor, shade: shade)
      shown = nil
    }
  }

  private let output: CapturedOutput
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>
  let hasDefaultColors: Bool
  var theme: Theme
  var pairs: ColorPairs
  var arePairsExhausted = false
  /// Whether the last frame wrote all cells, or cleared the screen, because too many pairs of colours were in use.
  private(set) var hasBegunAnew = false
  private var filter: RenditionFilter
  /// Whether curses has something to compare.
  private var isDirty = true
  private var line: [cchar_t] = []
  private var shown: Canvas?
  private var damage = CellDamage()

  /// - Parameters:
  ///   - hasAllColors: whether it is known already that the terminal has them.
  ///   - mostPairs: how many pairs of colours there may be at all; curses can count somewhat more.
  init(usesColor: Bool, hasAllColors: Bool = false, mostPairs: Int = 900_000) throws(TerminalError) {
    let name = Environment.value("TERM") ?? ""
    guard name != "", name != "dumb" else {
      throw TerminalError(
        message:
          "the screen could not be opened: TERM is \(name == "" ? "not set" : "dumb"), so the terminal "
          + "has no screen; run it in a terminal, or set TERM to the terminal's type")
    }
    guard nc_use_utf8() != 0 else {
      throw TerminalError(message: "the screen could not be opened: no UTF-8 locale; set LC_ALL to C.UTF-8")
    }
    guard let output = CapturedOutput() else {
      throw TerminalError(
        message: "the screen could not be opened: \(String(cString: strerror(errno))); close programs")
    }
    let entry = usesColor ? DirectColorEntry(name: name) : nil
    guard let (screen, hasEntry) = Self.open(output, entry), let window = nc_stdscr() else {
      throw TerminalError(
        message: "the screen could not be opened: terminal type '\(Self.printable(name))' is unknown here; "
          + "set TERM to a known one such as xterm-256color, or install ncurses-term")
    }
    guard TerminalProfile.string("cup") != nil else {
      delscreen(screen)
      throw TerminalError(
        message:
          "the screen could not be opened: terminal type '\(Self.printable(name))' cannot move the cursor; "
          + "set TERM to the terminal's true type")
    }
    self.output = output
    self.screen = screen
    self.window = window

    var depth = ColorDepth.none
    var hasDefaultColors = false
    if usesColor, start_color() == OK {
      depth = ColorDepth(colors: Int(nc_colors()))
      hasDefaultColors = use_default_colors() == OK
    }
    canUseAllColors = hasEntry && depth == .direct
    if canUseAllColors, !hasAllColors, let entry { depth = ColorDepth(colors: entry.namedColors) }
    self.depth = depth
    self.usesColor = depth != .none
    self.hasDefaultColors = hasDefaultColors
    theme = Theme(usesColor: depth != .none, shade: .unknown)
    pairs = ColorPairs(capacity: min(Int(nc_color_pairs()), mostPairs))

    // Line drawing comes as Unicode, so that the character set stays the one that `enter` selected.
    filter = RenditionFilter(
      canUnsetColors: TerminalProfile.string("op") == Array("\u{1B}[39;49m".utf8),
      dropsCharacterSet: TerminalProfile.string("sgr0") == Array("\u{1B}(B\u{1B}[m".utf8))
    nonl()
    typeahead(-1)
    leaveok(window, true)
    curs_set(0)
    // Curses has taken the screen already, to scroll within the rows that LINES or terminfo take for granted. `enter`
    // takes it anew, with its true size, which curses would change back as long as these variables are there.
    unsetenv("LINES")
    unsetenv("COLUMNS")
    endwin()
    _ = output.take()
  }

  /// A screen, and whether it has the entry.
  private static func open(_ output: CapturedOutput, _ entry: DirectColorEntry?) -> (OpaquePointer, Bool)? {
    if let entry, let screen = nc_newterm_with_entry(entry.setting, output.stream, output.stream) {
      return (screen, true)
    }
    return nc_newterm(output.stream, output.stream).map { ($0, false) }
  }

  /// Frees curses; nothing can be painted after it.
  func close() {
    shown = nil
    delscreen(screen)
  }

  private static func printable(_ name: String) -> String {
    String(
      String.UnicodeScalarView(name.unicodeScalars.prefix(40).filter { (0x21...0x7E).contains($0.value) }))
  }

  // MARK: The screen as a whole

  /// The size that curses believes the terminal has.
  var size: Size { Size(width: Int(nc_cols()), height: Int(nc_lines())) }

  /// Takes a new size; the next frame starts from a cleared screen.
  func resize(to size: Size) {
    resize_term(Int32(clamping: size.height), Int32(clamping: size.width))
    clear()
  }

  /// The next frame starts from a cleared screen.
  func clear() {
    shown = nil
    isDirty = true
    nc_clear_next()
  }

  /// The bytes that give the screen back.
  func leave() -> [UInt8] {
    shown = nil
    endwin()
    return filter.filter(output.take())
  }

  /// The bytes that take the screen (again) and clear it.
  func enter() -> [UInt8] {
    shown = nil
    werase(window)
    isDirty = true
    // Curses would also reset the palette, though it never changed it and the person may have.
    return update().removing(TerminalProfile.string("oc") ?? [])
  }

  private func update() -> [UInt8] {
    guard isDirty else { return [] }
    isDirty = false
    wnoutrefresh(window)
    doupdate()
    return filter.filter(output.take())
  }

  /// Uses all colours from the next frame on, where curses can.
  func useAllColors() {
    if canUseAllColors { depth = .direct }
  }

  /// Writes all cells of these rows in the next frame.
  func rewrite(rows: [Range<Int>]) {
    for rows in rows {
      let seen = rows.clamped(to: 0..<size.height)
      guard !seen.isEmpty else { continue }
      wredrawln(window, Int32(seen.lowerBound), Int32(seen.count))
      damage.add(rows: seen, of: size)
      isDirty = true
    }
  }

  // MARK: Frames

  /// Where curses had reason to write since this was last asked.
  func takeDamage() -> CellDamage {
    defer { damage = CellDamage() }
    return damage
  }

  /// The bytes that turn what is shown into `canvas`; none when they are the same.
  func frame(_ canvas: Canvas) -> [UInt8] {
    arePairsExhausted = hasManyPairs
    if !arePairsExhausted { draw(canvas) }
    hasBegunAnew = arePairsExhausted
    if hasBegunAnew { drawWithNewPairs(canvas) }
    shown = canvas
    return update()
  }

  /// Draws once with all numbers of pairs free; colours beyond these stay the terminal's own.
  private func drawWithNewPairs(_ canvas: Canvas) {
    pairs.forgetAll()
    shown = nil
    // Curses looks for a pair that changes in all cells, except when the screen is about to be cleared.
    if canUseAllColors { nc_clear_next() }
    draw(canvas)
    // A cell whose pair's number is the same, but not its colours, is not seen as another one.
    if !canUseAllColors { redrawwin(window) }
  }

  private func draw(_ canvas: Canvas) {
    let width = canvas.size.width
    let columns = min(width, size.width)
    guard columns > 0 else { return }
    if line.count < columns { line = Array(repeating: cchar_t(), count: columns) }
    let previous = shown.flatMap { $0.size == canvas.size ? $0 : nil }
    if previous == nil {
      werase(window)
      damage.add(rows: 0..<size.height, of: size)
      isDirty = true
    }
    let shift = previous.flatMap { canvas.size == size ? canvas.rowShift(from: $0) : nil }
    if let shift { move(shift) }
    for y in 0..<min(canvas.size.height, size.height) {
      if let shift, shift.region.contains(y) {
        if !shift.rows.contains(y) { put(canvas, 0..<columns, y: y) }
      } else if let previous {
        for run in canvas.changedRuns(inRow: y, from: previous) {
          put(canvas, run.clamped(to: 0..<columns), y: y)
        }
      } else {
        put(canvas, 0..<columns, y: y)
      }
    }
  }

  /// Moves the cells that curses has already, which is faster than to make them anew.
  private func move(_ shift: RowShift) {
    isDirty = true
    damage.add(rows: shift.region, of: size)
    scrollok(window, true)
    wsetscrreg(window, Int32(shift.region.lowerBound), Int32(shift.region.upperBound - 1))
    wscrl(window, Int32(shift.distance))
    wsetscrreg(window, 0, Int32(size.height - 1))
    scrollok(window, false)
  }

  private func put(_ canvas: Canvas, _ range: Range<Int>, y: Int) {
    isDirty = true
    damage.add(range, row: y)
    let row = canvas.cells.span.extracting(y * canvas.size.width..<(y + 1) * canvas.size.width)
    var x = range.lowerBound
    var count = 0
    var style: Style?
    var attributes = attr_t(0)
    var pair = Int32(0)
    while x < range.upperBound {
      let cell = row[x]
      if cell.style != style {
        style = cell.style
        (attributes, pair) = rendition(cell.style)
      }
      let width = x + 1 < range.upperBound && row[x + 1].glyph == .continuation ? 2 : 1
      let glyph = Self.safe(cell.glyph, width: width)
      nc_make_cell(&line[count], glyph.base, glyph.marks, attributes, pair)
      count += 1
      x += 1
      if width == 2 {
        if glyph.base < 0x80 || glyph == Self.replacement {
          nc_make_cell(&line[count], 0x20, 0, attributes, pair)
          count += 1
        }
        x += 1
      }
    }
    mvwadd_wchnstr(window, Int32(y), Int32(range.lowerBound), line, Int32(count))
  }

  private static let replacement = Glyph(base: 0xFFFD)

  /// The glyph, or another one when curses would give it a different width than the canvas does.
  private static func safe(_ glyph: Glyph, width: Int) -> Glyph {
    if (0x20...0x7E).contains(glyph.base), width == 1 { return glyph }
    if glyph == .continuation { return .blank }
    return Int(wcwidth(wchar_t(truncatingIfNeeded: glyph.base))) == width ? glyph : replacement
  }
}

extension [UInt8] {
  fileprivate func removing(_ sequence: [UInt8]) -> [UInt8] {
    guard !sequence.isEmpty, let range = firstRange(of: sequence) else { return self }
    return Array(self[..<range.lowerBound] + self[range.upperBound...])
  }
}
