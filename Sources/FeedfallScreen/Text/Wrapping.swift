extension TextWidths {
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
