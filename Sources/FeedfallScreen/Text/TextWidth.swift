/// The widths in the user's terminal of text whose width terminals disagree about.
public struct TextWidths: Equatable, Sendable {
  /// Whether spacing marks, such as the vowel signs of Hindi, take a cell.
  public var marksTakeCells = true
  /// Whether Cyrillic, Greek, lines and signs take two cells, as with East Asian settings.
  public var ambiguousIsWide = false

  /// The widths in most terminals, to be used until the terminal has reported its own.
  public init() {}

  func width(ofNarrow value: UInt32) -> Int { ambiguousIsWide && ScalarTable.isAmbiguous(value) ? 2 : 1 }

  /// The sign of truncated text in at most `width` cells, of which there must be one.
  func ellipsis(in width: Int) -> GlyphReader.SizedGlyph {
    let ellipsisWidth = self.width(ofNarrow: Glyph.ellipsis.base)
    return ellipsisWidth <= width ? .init(glyph: .ellipsis, width: ellipsisWidth) : .init(glyph: Glyph("."), width: 1)
  }

  /// The sign of one cell that replaces a wide character where there is no room for it.
  var narrowReplacement: GlyphReader.SizedGlyph {
    .init(glyph: width(ofNarrow: Glyph.replacement.base) == 1 ? .replacement : Glyph("?"), width: 1)
  }

  /// Finds the glyphs that terminals may show in another number of cells than the canvas. Ambiguous ones are not among
  /// them, because a terminal has one width for all of these.
  public struct UncertainGlyphs: Sendable {
    private var lookup = ScalarTable.Lookup()

    public init() {}

    public mutating func contains(_ glyph: Glyph) -> Bool {
      // Most cells of covers, and kitty's placeholders for pictures, whose marks are numbers.
      if glyph.base < 0x300 && glyph.marks == 0 || (0x2500...0x259F).contains(glyph.base) || glyph.base == 0x10EEEE {
        return false
      }
      if lookup.isWidthUncertain(glyph.base) { return true }
      return glyph.marks != 0 && glyph.scalars.dropFirst().contains { lookup.isWidthUncertain($0.value) }
    }
  }

  /// Returns the width of text on one line in cells, as it is drawn; line breaks count as blanks.
  /// Complexity: O(length of the text), with a fast path for printable ASCII.
  public func width(of text: String) -> Int {
    let bytes = text.utf8Span.span
    if isPrintableASCII(bytes) { return bytes.count }
    var reader = GlyphReader(self)
    var width = 0
    while let read = reader.next(in: bytes) { width += read.width }
    return width
  }

  /// Returns the text on one line of at most `width` cells, as it is drawn, with `…` at its end if it was truncated.
  /// Complexity: O(`width` + number of dropped characters).
  public func truncated(_ text: String, width: Int) -> String {
    let bytes = text.utf8Span.span
    if bytes.count <= width && isPrintableASCII(bytes) { return text }
    var reader = GlyphReader(self)
    var line: [Glyph] = []
    while let read = reader.next(in: bytes) {
      guard line.count + read.width <= width else { return String(line.truncated(toWidth: width, self)) }
      line.append(read)
    }
    return String(line)
  }

  /// Returns the text on one line of at most `width` cells, as it is drawn, with `…` in its middle if it was truncated.
  /// Complexity: O(length of the text).
  public func truncatedInMiddle(_ text: String, width: Int) -> String {
    let line = GlyphRun(text, widths: self).glyphs
    guard line.count > width else { return String(line) }
    guard width > 2 else { return truncated(text, width: width) }
    let tailWidth = (width - 1) / 2
    let head = Array(line[..<(width - tailWidth)]).truncated(toWidth: width - tailWidth, self)
    return String(head + line.suffix(tailWidth))
  }

  /// Returns the text on one line of at most `width` cells, as it is drawn, with `…` at its start if it was truncated.
  /// Complexity: O(length of the text).
  public func truncatedAtStart(_ text: String, width: Int) -> String {
    let line = GlyphRun(text, widths: self).glyphs
    guard line.count > width else { return String(line) }
    guard width > 0 else { return "" }
    let ellipsis = ellipsis(in: width)
    return String([ellipsis.glyph] + line.suffix(width - ellipsis.width))
  }

  /// Returns the text in at most `maximumLines` lines of at most `width` cells, as it is drawn.
  ///
  /// Lines break at line breaks in the text and at blanks, beside wide (East Asian) characters where UAX #14 allows it,
  /// and anywhere in words longer than a line. The last line is filled and ends with `…` if text remains. There are no
  /// blanks at the ends of lines and no empty lines at either end; in a width of 1, wide characters become U+FFFD.
  /// Complexity: O(`width` × `maximumLines` + number of dropped characters).
  public func wrapped(_ text: String, width: Int, maximumLines: Int) -> [String] {
    guard width > 0 && maximumLines > 0 else { return [] }
    let bytes = text.utf8Span.span
    var reader = GlyphReader(self)
    var wrapper = Wrapper(width: width, maximumLines: maximumLines, self)
    while !wrapper.isFull, let read = reader.next(in: bytes) { wrapper.add(read) }
    return wrapper.finished().map { String($0) }
  }

  private struct Wrapper {
    let width: Int
    let maximumLines: Int
    private let widths: TextWidths
    /// Whether the last line is truncated, so that further glyphs have no effect.
    private(set) var isFull = false

    private var lines: [[Glyph]] = []
    private var line: [Glyph] = []
    /// Where to break `line`; 0 while it has only one word.
    private var breakColumn = 0
    /// The `breakColumn` before the trailing blanks; nil if the last glyph is visible.
    private var breakBeforeBlanks: Int?
    /// The number of empty lines, which count only if text follows.
    private var emptyLines = 0
    private var lookup = ScalarTable.Lookup()

    init(width: Int, maximumLines: Int, _ widths: TextWidths) {
      (self.width, self.maximumLines, self.widths) = (width, maximumLines, widths)
    }

    mutating func add(_ read: GlyphReader.SizedGlyph) {
      if read.endsLine {
        endLine()
      } else if read.glyph == .blank {
        addBlank()
      } else {
        addVisible(read.width > width ? widths.narrowReplacement : read)
      }
    }

    func finished() -> [[Glyph]] {
      var last = line
      last.removeTrailingBlanks()
      return last.isEmpty ? lines : lines + [last]
    }

    private mutating func endLine() {
      line.removeTrailingBlanks()
      if !line.isEmpty {
        lines.append(line)
      } else if !lines.isEmpty {
        emptyLines += 1
      }
      line = []
      breakColumn = 0
      breakBeforeBlanks = nil
    }

    private mutating func addBlank() {
      breakBeforeBlanks = breakBeforeBlanks ?? breakColumn
      let mayBreak = !(line.last?.isContinuation == true && lastClass == .opening)
      // A blank beyond the edge becomes the line break.
      if line.count < width { line.append(.blank) }
      if mayBreak { breakColumn = line.count }
    }

    private mutating func addVisible(_ read: GlyphReader.SizedGlyph) {
      addEmptyLines()
      guard lines.count < maximumLines else { return truncate(lines.removeLast()) }
      if let breakBeforeBlanks, read.width == 2, lookup.breakClass(of: read.glyph.base) == .closing {
        breakColumn = breakBeforeBlanks
      } else if allowsBreak(before: read) {
        breakColumn = line.count
      }
      breakBeforeBlanks = nil
      // Twice if the rest of the line is long.
      while line.count + read.width > width {
        guard lines.count + 1 < maximumLines else { return truncate(line) }
        breakLine()
      }
      line.append(read)
    }

    /// Whether a wide character, before or after the break, makes one that is not at a blank.
    private mutating func allowsBreak(before read: GlyphReader.SizedGlyph) -> Bool {
      guard let last = line.last, last != .blank, read.width == 2 || last.isContinuation else { return false }
      return lastClass.allowsBreak(before: lookup.breakClass(of: read.glyph.base))
    }

    private var lastClass: ScalarTable.BreakClass {
      mutating get {
        let glyph = line.last.map { $0.isContinuation ? line[line.count - 2] : $0 }
        return glyph.map { lookup.breakClass(of: $0.base) } ?? .other
      }
    }

    private mutating func addEmptyLines() {
      while emptyLines > 0 && lines.count < maximumLines {
        lines.append([])
        emptyLines -= 1
      }
    }

    private mutating func breakLine() {
      let end = breakColumn > 0 ? breakColumn : line.count
      var finished = Array(line[..<end])
      finished.removeTrailingBlanks()
      if !finished.isEmpty { lines.append(finished) }
      line = Array(line[end...])
      breakColumn = 0
    }

    private mutating func truncate(_ last: [Glyph]) {
      lines.append(last.truncated(toWidth: width, widths))
      line = []
      isFull = true
    }
  }
}

extension Glyph {
  /// Whether terminals with East Asian settings show the base in two cells, and all others in one.
  public var isAmbiguous: Bool { ScalarTable.isAmbiguous(base) }
}

/// Returns the start of a text for a message or a log, which is measured again where it is shown.
public func excerpt(of text: String, width: Int) -> String { TextWidths().truncated(text, width: width) }

extension [Glyph] {
  /// In at most `width` cells and without blanks before the ellipsis.
  func truncated(toWidth width: Int, _ widths: TextWidths) -> [Glyph] {
    guard width > 0 else { return [] }
    let ellipsis = widths.ellipsis(in: width)
    var line = self
    while line.count + ellipsis.width > width { line.removeLastGlyph() }
    line.removeTrailingBlanks()
    line.append(ellipsis)
    return line
  }

  mutating func removeTrailingBlanks() {
    while last == .blank { removeLast() }
  }
}

private func isPrintableASCII(_ bytes: Span<UInt8>) -> Bool {
  // Without an early exit, the loop handles many bytes at a time.
  var foreign: UInt8 = 0
  for index in bytes.indices { foreign |= bytes[index] &- 0x20 > 0x5E ? 1 : 0 }
  return foreign == 0
}
