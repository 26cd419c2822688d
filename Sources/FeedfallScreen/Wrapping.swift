/// The text in lines of at most `width` cells and in at most `maximumLines` of them, in the form in which it is drawn.
///
/// Lines break at ends of lines in the text and at blanks; words longer than a line and wide (East Asian) characters
/// break anywhere. The last line takes as much as fits and ends with `…` when more remains. There are no blanks at
/// the ends of lines and no empty lines at either end of the text; a wide character is shown as U+FFFD in a width of 1.
/// Complexity: O(`width` × `maximumLines` + what is dropped from the text).
public func wrapped(_ text: String, width: Int, maximumLines: Int) -> [String] {
  guard width > 0 && maximumLines > 0 else { return [] }
  let bytes = text.utf8Span.span
  var reader = GlyphReader()
  var wrapper = Wrapper(width: width, maximumLines: maximumLines)
  while !wrapper.isFull, let read = reader.next(in: bytes) { wrapper.add(read) }
  return wrapper.finished().map { String($0) }
}

/// Breaks glyphs into lines as they come.
private struct Wrapper {
  let width: Int
  let maximumLines: Int
  /// Whether the last line was cut, so that no more glyph changes anything.
  private(set) var isFull = false

  private var lines: [[Glyph]] = []
  /// The line that is being filled.
  private var line: [Glyph] = []
  /// Where in `line` the next one would begin; 0 when it has one word only, so far.
  private var breakColumn = 0
  /// Empty lines that count only if text follows.
  private var emptyLines = 0

  init(width: Int, maximumLines: Int) {
    self.width = width
    self.maximumLines = maximumLines
  }

  mutating func add(_ read: ReadGlyph) {
    if read.endsLine {
      endLine()
    } else if read.glyph == .blank {
      addBlank()
    } else {
      addVisible(read.width > width ? ReadGlyph(glyph: .replacement, width: 1) : read)
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
  }

  private mutating func addBlank() {
    // A blank beyond the edge is not kept: the break there takes its place.
    if line.count < width { line.append(.blank) }
    breakColumn = line.count
  }

  private mutating func addVisible(_ read: ReadGlyph) {
    addEmptyLines()
    guard lines.count < maximumLines else { return cut(lines.removeLast()) }
    if read.width == 2 { breakColumn = line.count }
    if line.count + read.width > width {
      guard lines.count + 1 < maximumLines else { return cut(line) }
      breakLine()
    }
    line.append(read)
    if read.width == 2 { breakColumn = line.count }
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

  private mutating func cut(_ last: [Glyph]) {
    lines.append(last.cut(toWidth: width))
    line = []
    isFull = true
  }
}
