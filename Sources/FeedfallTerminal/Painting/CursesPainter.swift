import CFeedfall
import CFeedfallCurses
import FeedfallScreen
import FeedfallSystem
import Glibc
import WaterfallEngine

/// Converts canvases into bytes for the terminal. Curses computes the differences and writes them to memory.
final class CursesPainter {
  /// The available colors; a change redraws the next frame.
  private(set) var depth: ColorDepth {
    didSet {
      guard depth != oldValue else { return }
      updateTheme()
      shown = nil
    }
  }
  let usesColor: Bool
  /// Whether direct colors can be used once the terminal reports them.
  let canUseDirectColors: Bool
  private let namedDepth: ColorDepth
  /// The terminal's background; another theme redraws the next frame.
  var shade = Theme.Shade.unknown {
    didSet { updateTheme() }
  }
  /// Returns the background of the screen, given that of the terminal; nil if it is unknown, such as a named color.
  func ground(of terminal: RGB?) -> RGB? { plainBackground == nil ? terminal : theme.ground }

  /// The background of plain text, by its number; nil for the terminal's default.
  var plainBackground: Int32? { theme[.plain].background?.number }

  private let output: CapturedOutput
  private let screen: OpaquePointer
  private let window: UnsafeMutablePointer<WINDOW>
  private let hasDefaultColors: Bool
  /// The sequences that the painter writes itself; nil leaves all to curses.
  private let sequences: CellWriter.Sequences?
  /// The user's colors; a change redraws the next frame.
  var themeSettings: ThemeSettings {
    didSet { updateTheme() }
  }
  private var theme: Theme
  private(set) var pairs: ColorPairs
  private var arePairsExhausted = false
  /// Whether the last frame cleared the screen or rewrote all cells, because the color pairs were exhausted.
  private(set) var didRestart = false
  private var filter: RenditionFilter
  private var isDirty = true
  private var line: [cchar_t] = []
  private var shown: Canvas?
  private var uncertainText = UncertainWidthWriter()
  /// The widths of text in the terminal; a change redraws the next frame.
  var textWidths = TextWidths() {
    didSet { if textWidths != oldValue { clear() } }
  }
  /// The painter's own sequences, to send before those of curses.
  private var prelude: [UInt8] = []

  /// - Parameter maximumPairs: the limit on color pairs; that of curses is about a million.
  init(
    usesColor: Bool, hasDirectColors: Bool = false, theme themeSettings: ThemeSettings = ThemeSettings(),
    maximumPairs: Int = 900_000
  ) throws(TerminalError) {
    let name = Environment.process["TERM"] ?? ""
    guard name != "", name != "dumb" else {
      throw TerminalError(
        reason: "TERM is \(name == "" ? "not set" : "dumb"), so the terminal has no screen",
        advice: "Start feedfall in a terminal, or set TERM to the terminal's type")
    }
    guard nc_use_utf8() != 0 else {
      throw TerminalError(reason: "the locale is not UTF-8", advice: "Set LC_ALL to C.UTF-8")
    }
    guard let output = CapturedOutput() else {
      throw TerminalError(reason: SystemError().message, advice: "Close other programs")
    }
    var opened: (OpaquePointer, DirectColorEntry?)?
    for type in TerminalProfile.types(for: name) where opened == nil {
      opened = Self.open(output, type, usesColor: usesColor)
    }
    guard let (screen, entry) = opened, let window = nc_stdscr() else {
      throw TerminalError(
        reason: "terminal type '\(Self.printable(name))' is not known",
        advice: "Set TERM to a known type such as xterm-256color, or install ncurses-term")
    }
    guard TerminalProfile.string("cup") != nil else {
      delscreen(screen)
      throw TerminalError(
        reason: "terminal type '\(Self.printable(name))' cannot move the cursor",
        advice: "Set TERM to the terminal's type")
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
    canUseDirectColors = entry != nil && depth == .direct
    sequences = entry?.sequences
    namedDepth = canUseDirectColors ? entry.map { ColorDepth(colors: $0.namedColors) } ?? depth : depth
    if !hasDirectColors { depth = namedDepth }
    self.depth = depth
    self.usesColor = depth != .none
    self.hasDefaultColors = hasDefaultColors
    self.themeSettings = themeSettings
    theme = Theme(depth: depth, shade: .unknown, settings: themeSettings)
    pairs = ColorPairs(capacity: min(Int(nc_color_pairs()), maximumPairs))

    // Lines are drawn with Unicode characters, so the character set selected by `enter` never changes.
    filter = RenditionFilter(resetColors: TerminalProfile.string("op"), reset: TerminalProfile.string("sgr0"))
    uncertainText.isAddressable = ["cup": "\u{1B}[%i%p1%d;%p2%dH", "sc": "\u{1B}7", "rc": "\u{1B}8"].allSatisfy {
      TerminalProfile.string($0) == Array($1.utf8)
    }
    nonl()
    typeahead(-1)
    leaveok(window, true)
    curs_set(0)
    // Curses has already set a scrolling region from LINES or terminfo. `enter` sets it again with the actual size,
    // which curses would override while these variables exist.
    unsetenv("LINES")
    unsetenv("COLUMNS")
    endwin()
    _ = output.drain()
  }

  private static func open(
    _ output: CapturedOutput, _ type: String, usesColor: Bool
  ) -> (OpaquePointer, DirectColorEntry?)? {
    if usesColor, let entry = DirectColorEntry(name: type),
      let screen = nc_newterm_with_entry(type, entry.setting, output.stream, output.stream)
    {
      return (screen, entry)
    }
    return nc_newterm(type, output.stream, output.stream).map { ($0, nil) }
  }

  /// Frees curses; nothing can be painted afterwards.
  func close() {
    shown = nil
    delscreen(screen)
  }

  private static func printable(_ name: String) -> String {
    String(
      String.UnicodeScalarView(name.unicodeScalars.prefix(40).filter { (0x21...0x7E).contains($0.value) }))
  }

  // MARK: - Screen

  /// The terminal's size in cells, as curses knows it.
  var size: Size { Size(width: Int(nc_cols()), height: Int(nc_lines())) }

  func resize(to size: Size) {
    resize_term(Int32(clamping: size.height), Int32(clamping: size.width))
    clear()
  }

  /// Makes the next frame clear the screen.
  func clear() {
    shown = nil
    isDirty = true
    nc_clear_next()
  }

  func leave() -> [UInt8] {
    shown = nil
    endwin()
    return filter.filter(output.drain())
  }

  /// Returns the bytes that enter the alternate screen and clear it.
  func enter() -> [UInt8] {
    shown = nil
    werase(window)
    isDirty = true
    // Curses would reset the palette, which it never changed, but the user may have.
    return update().removing(TerminalProfile.string("oc") ?? [])
  }

  /// Returns the bytes that enter the alternate screen; the next frame clears it.
  func enterUncleared() -> [UInt8] {
    defer { clear() }
    // The filter may have written other sequences between the parts.
    let clear = TerminalProfile.string("clear") ?? []
    return enter().removing(Array(clear[(clear.lastIndex(of: 0x1B) ?? 0)...]))
  }

  private func update() -> [UInt8] {
    guard isDirty else { return [] }
    isDirty = false
    wnoutrefresh(window)
    doupdate()
    let written = filter.filter(output.drain())
    guard !prelude.isEmpty else { return written }
    defer { prelude = [] }
    return TerminalProfile.saveCursor + prelude + TerminalProfile.restoreCursor + written
  }

  private func updateTheme() {
    let theme = Theme(depth: depth, shade: shade, settings: themeSettings)
    guard theme != self.theme else { return }
    self.theme = theme
    shown = nil
  }

  func useDirectColors() {
    if canUseDirectColors { depth = .direct }
  }

  func dropDirectColors() { depth = namedDepth }

  /// Makes the next frame write all of these cells, and the other halves of their wide characters.
  func rewrite(_ areas: [Rect]) {
    for area in areas.map({ $0.intersection(Rect(origin: .zero, size: size)) }) where !area.isEmpty {
      for y in area.minY..<area.maxY {
        let first = area.minX - (isContinuation(area.minX, y) ? 1 : 0)
        let end = area.maxX + (isContinuation(area.maxX, y) ? 1 : 0)
        nc_forget(Int32(y), Int32(first), Int32(end - first))
      }
      isDirty = true
    }
  }

  private func isContinuation(_ x: Int, _ y: Int) -> Bool {
    x > 0 && x < size.width && shown?[x, y].glyph.isContinuation == true
  }

  // MARK: - Frames

  /// Returns the bytes that change the screen to `canvas`; none if it shows that already.
  ///
  /// - Parameter mayScroll: false if there are pixels over the cells, which would move too.
  func frame(_ canvas: Canvas, mayScroll: Bool = true) -> [UInt8] {
    arePairsExhausted = hasManyPairs
    if !arePairsExhausted { draw(canvas, mayScroll: mayScroll) }
    didRestart = arePairsExhausted
    if didRestart { drawWithNewPairs(canvas) }
    shown = canvas
    return update()
  }

  /// Whether the last frame needs the bytes of `textOfUncertainWidth`.
  var hasUncertainWidths: Bool { uncertainText.isPossible }

  /// Returns the bytes to send after those of a frame, which have changed cells of the screen.
  func textOfUncertainWidth(of canvas: Canvas, in damage: CellDamage) -> [UInt8] {
    guard uncertainText.isPossible else { return [] }
    return uncertainText.paint(canvas, on: size, in: damage, textWidths, selection: selection)
  }

  /// Draws with all color pairs released; colors beyond the limit become the terminal's default.
  private func drawWithNewPairs(_ canvas: Canvas) {
    pairs.removeAll()
    shown = nil
    // Curses searches all cells for a changed pair, unless the screen is about to be cleared.
    if canUseDirectColors { nc_clear_next() }
    draw(canvas)
    // Curses compares numbers of pairs, not their colors.
    if !canUseDirectColors { redrawwin(window) }
  }

  private func draw(_ canvas: Canvas, mayScroll: Bool = false) {
    let columns = 0..<min(canvas.size.width, size.width)
    guard !columns.isEmpty else { return }
    if line.count < columns.count { line = Array(repeating: cchar_t(), count: columns.count) }
    guard var before = shown, before.size == canvas.size else { return drawAll(canvas, columns) }
    if mayScroll, canvas.size == size, let shift = canvas.rowShift(from: before) {
      scroll(shift)
      before = before.scrolled(by: shift)
    }
    if canvas.size == size, let sequences {
      var writer = CellWriter(sequences, width: size.width)
      for fill in canvas.fills(from: before) { write(fill, of: canvas, with: &writer, over: &before) }
      prelude += writer.bytes
    }
    for y in 0..<min(canvas.size.height, size.height) {
      for run in canvas.changedRuns(inRow: y, from: before) { put(canvas, run.clamped(to: columns), y: y) }
    }
  }

  private func drawAll(_ canvas: Canvas, _ columns: Range<Int>) {
    setBackground()
    werase(window)
    uncertainText.isPossible = false
    isDirty = true
    for y in 0..<min(canvas.size.height, size.height) { put(canvas, columns, y: y) }
  }

  /// Sets the background of the theme for cells that curses erases or scrolls in.
  private func setBackground() {
    let (attributes, pair) = rendition(.plain)
    var blank = cchar_t()
    nc_make_cell(&blank, 0x20, 0, attributes, pair)
    wbkgrndset(window, &blank)
  }

  /// Scrolls rows that the screen has already, which is faster than drawing them again.
  private func scroll(_ shift: RowShift) {
    isDirty = true
    let (top, bottom) = (Int32(shift.region.lowerBound), Int32(shift.region.upperBound - 1))
    scrollok(window, true)
    wsetscrreg(window, top, bottom)
    wscrl(window, Int32(shift.distance))
    wsetscrreg(window, 0, Int32(size.height - 1))
    scrollok(window, false)
    guard let sequences else { return }
    prelude += sequences.scroll(shift)
    nc_did_scroll(top, bottom, Int32(shift.distance))
  }

  /// `before` is the canvas that the screen shows.
  private func write(_ fill: ScreenFill, of canvas: Canvas, with writer: inout CellWriter, over before: inout Canvas) {
    guard let color = fill.style.background.flatMap(depth.nearest) else { return }
    let (area, inks) = (fill.area, inks(in: fill, canvas))
    isDirty = true
    writer.fill(area, color: color, inks: inks.compactMap { ink(at: $0, of: canvas) })
    before.fill(area, style: fill.style)
    for ink in inks { for x in ink.columns { before[x, ink.row] = canvas[x, ink.row] } }
    for y in area.minY..<area.maxY { put(before, area.minX..<area.maxX, y: y, isShown: true) }
  }

  /// The characters that `CellWriter` can write: attributes would have to be selected too.
  private func inks(in fill: ScreenFill, _ canvas: Canvas) -> [ScreenFill.Ink] {
    guard theme[fill.style.role].attributes.isEmpty, !textWidths.ambiguousIsWide else { return [] }
    return canvas.inks(in: fill) { Self.safe($0, width: 1) == $0 && $0.marks == 0 && !uncertainText.contains($0) }
  }

  private func ink(at ink: ScreenFill.Ink, of canvas: Canvas) -> CellWriter.Ink? {
    let start = Point(x: ink.columns.lowerBound, y: ink.row)
    let style = canvas[start.x, start.y].style
    return depth.nearest(text: style.foreground, ground: style.background).text.map { color in
      CellWriter.Ink(
        start: start, color: color,
        text: ink.columns.map { UnicodeScalar(canvas[$0, ink.row].glyph.base) ?? " " })
    }
  }

  /// `isShown`: whether the terminal shows the cells already.
  private func put(_ canvas: Canvas, _ range: Range<Int>, y: Int, isShown: Bool = false) {
    guard !range.isEmpty, y < size.height else { return }
    isDirty = true
    let row = canvas.cells.span.extracting(y * canvas.size.width..<(y + 1) * canvas.size.width)
    let range = isShown ? range : uncertainText.widened(range, in: row)
    var x = range.lowerBound
    var count = 0
    var style: Style?
    var attributes = attr_t(0)
    var pair = Int32(0)
    while x < range.upperBound {
      let width = x + 1 < range.upperBound && row[x + 1].glyph == .continuation ? 2 : 1
      let cell = row[x].shown(width: width, textWidths)
      if cell.style != style {
        style = cell.style
        (attributes, pair) = rendition(cell.style)
      }
      if uncertainText.includes(x, width: width, in: row, textWidths) {
        uncertainText.change(x..<x + width, row: y)
        // Unlike other blanks, so that curses erases the text when it goes.
        for _ in 0..<width {
          nc_make_cell(&line[count], 0x20, 0, attributes | nc_attr_italic(), pair)
          count += 1
        }
        x += width
        continue
      }
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
    if isShown { nc_did_write(Int32(y), Int32(range.lowerBound), line, Int32(count)) }
  }

  private static let replacement = Glyph(base: 0xFFFD)

  /// The finest block characters whose width the C library knows: it must be newer than Unicode 16 for octants.
  static var finestGlyphs: BlockGlyphs {
    wcwidth(wchar_t(truncatingIfNeeded: BlockGlyphs.sampleOctant)) == 1 ? .octants : .sextants
  }

  /// Returns the glyph, or a replacement if curses counts another width than the canvas.
  static func safe(_ glyph: Glyph, width: Int) -> Glyph {
    if (0x20...0x7E).contains(glyph.base), width == 1 { return glyph }
    if glyph == .continuation { return .blank }
    return Int(wcwidth(wchar_t(truncatingIfNeeded: glyph.base))) == width ? glyph : replacement
  }
}

extension CursesPainter {
  /// A file in memory that curses writes to, so that a frame is sent to the terminal in one piece.
  private final class CapturedOutput {
    let stream: UnsafeMutablePointer<FILE>
    private let descriptor: Int32

    init?() {
      descriptor = guard_memory_file()
      guard descriptor >= 0, let stream = fdopen(descriptor, "w+") else { return nil }
      self.stream = stream
    }

    deinit {
      fclose(stream)
    }

    func drain() -> [UInt8] {
      fflush(stream)
      let length = Int(lseek(descriptor, 0, SEEK_CUR))
      guard length > 0 else { return [] }
      lseek(descriptor, 0, SEEK_SET)
      return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
        count = max(0, pread(descriptor, buffer.baseAddress, length, 0))
      }
    }
  }
}

extension [UInt8] {
  fileprivate func removing(_ sequence: [UInt8]) -> [UInt8] {
    guard !sequence.isEmpty else { return self }
    var rest = self
    while let range = rest.firstRange(of: sequence) { rest.removeSubrange(range) }
    return rest
  }
}

extension CursesPainter {
  /// More than text alone ever uses.
  private static let textPairs: Int32 = 1024
  private static let picturePairs: Int32 = 131_071

  /// Whether to release all pairs: each takes memory here and in curses, and most belong to pictures that are no longer
  /// visible. One screen full of pictures never reaches the limit.
  private var hasManyPairs: Bool { pairs.count > max(Int(Self.picturePairs), 2 * size.width * size.height) }

  private func rendition(_ style: Style) -> (attr_t, Int32) {
    let look = theme[style.role]
    var attributes = attr_t(0)
    // Bold is invisible on blanks. curses may erase plain blanks at the end of a row, and the video with them.
    if look.attributes.contains(.bold) || style.isReserved { attributes |= nc_attr_bold() }
    if look.attributes.contains(.dim) { attributes |= nc_attr_dim() }
    if look.attributes.contains(.reverse) { attributes |= nc_attr_reverse() }
    if look.attributes.contains(.underline) { attributes |= nc_attr_underline() }
    guard usesColor else { return (attributes, 0) }
    let colors = colors(of: style)
    return (attributes, pair(colors.text ?? -1, colors.ground ?? -1))
  }

  private func colors(of style: Style) -> (text: Int32?, ground: Int32?) {
    let look = theme[style.role]
    let (text, ground) = depth.nearest(text: style.foreground, ground: style.background)
    return (text ?? look.foreground?.number, ground ?? look.background?.number)
  }

  /// Returns the sequence that selects a style while all attributes are off.
  func selection(of style: Style) -> [UInt8] {
    let look = theme[style.role]
    let attributes: [(Theme.Attributes, String)] = [(.bold, "1"), (.dim, "2"), (.underline, "4"), (.reverse, "7")]
    var parameters = attributes.filter { look.attributes.contains($0.0) }.map(\.1)
    if usesColor {
      let colors = colors(of: style)
      if let text = colors.text { parameters.append(CellWriter.Sequences.parameters(of: text)) }
      if let ground = colors.ground {
        parameters.append(CellWriter.Sequences.parameters(of: ground, isBackground: true))
      }
    }
    return parameters.isEmpty ? [] : Array("\u{1B}[\(parameters.joined(separator: ";"))m".utf8)
  }

  private func pair(_ foreground: Int32, _ background: Int32) -> Int32 {
    guard let (pair, isNew) = pairs.number(foreground: foreground, background: background) else {
      arePairsExhausted = true
      return 0
    }
    if isNew {
      // Reserve room for pictures at once: growing the table step by step takes a tenth of a second.
      if pair == Self.textPairs, canUseDirectColors { init_extended_pair(Self.picturePairs, 256, 257) }
      let defaults: (Int32, Int32) = hasDefaultColors ? (-1, -1) : (7, 0)
      init_extended_pair(
        pair, foreground < 0 ? defaults.0 : foreground, background < 0 ? defaults.1 : background)
    }
    return pair
  }
}
