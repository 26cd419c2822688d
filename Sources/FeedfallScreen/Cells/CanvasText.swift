/// The canvas as text, for tests and for output without a terminal.
extension Canvas {
  /// The text of the canvas: its rows without trailing blanks, joined by line feeds.
  public var text: String {
    lines { row in
      var glyphs = row.map(\.glyph)
      glyphs.removeTrailingBlanks()
      return String(glyphs)
    }
  }

  /// The roles of all cells: rows with one letter for each cell (`Role.letter`), `.` for a plain blank.
  public var roles: String {
    lines { row in
      String(row.map { $0.glyph == .blank && $0.style == .plain ? "." : $0.style.role.letter })
    }
  }

  private func lines(_ line: (ArraySlice<Cell>) -> String) -> String {
    (0..<size.height).map { line(cells[$0 * size.width..<($0 + 1) * size.width]) }.joined(separator: "\n")
  }
}
