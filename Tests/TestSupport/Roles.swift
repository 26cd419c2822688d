import FeedfallScreen

extension Canvas {
  /// The roles of all cells: rows with one letter for each cell (`Role.letter`), `.` for a plain blank.
  public var roles: String {
    (0..<size.height).map { y in
      let row = cells[y * size.width..<(y + 1) * size.width]
      return String(row.map { $0.glyph == .blank && $0.style == .plain ? "." : $0.style.role.letter })
    }.joined(separator: "\n")
  }
}

extension Role {
  /// The role's unique letter in golden files.
  public var letter: Character { Self.letters[Int(rawValue)] }
  private static let letters = Array("pdftsxzmcbewyrnvuqaklgo")
}
