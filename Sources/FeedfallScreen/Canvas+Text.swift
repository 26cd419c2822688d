extension Canvas {
  /// What the canvas shows as lines of text, joined by line feeds and without the blanks at their ends.
  public var text: String {
    lines { row in
      var glyphs = row.map(\.glyph)
      glyphs.removeTrailingBlanks()
      return String(glyphs)
    }
  }

  /// The roles of all cells as lines with one letter a cell (`Role.letter`), `.` where nothing but a blank is.
  public var roles: String {
    lines { row in
      String(row.map { $0.glyph == .blank && $0.style == .plain ? "." : $0.style.role.letter })
    }
  }

  private func lines(_ line: (ArraySlice<Cell>) -> String) -> String {
    (0..<size.height).map { line(cells[$0 * size.width..<($0 + 1) * size.width]) }.joined(separator: "\n")
  }
}
