/// Text cut into glyphs once, so that drawing it in every frame costs no more than copying.
public struct GlyphRun: Equatable, Sendable {
  /// One glyph a cell: a wide character is followed by `.continuation`.
  public let glyphs: [Glyph]

  /// Reads one line of `text`; ends of lines in it become blanks. Complexity: O(length of the text).
  public init(_ text: String) {
    self.init(text, firstCells: .max)
  }

  /// Reads until the glyphs take `firstCells` cells, or one more when the last of them is wide.
  init(_ text: String, firstCells: Int) {
    var glyphs: [Glyph] = []
    glyphs.reserveCapacity(max(0, min(text.utf8.count, firstCells)))
    let bytes = text.utf8Span.span
    var reader = GlyphReader()
    while glyphs.count < firstCells, let read = reader.next(in: bytes) { glyphs.append(read) }
    self.glyphs = glyphs
  }

  /// How many cells the text takes.
  public var width: Int { glyphs.count }
}

extension [Glyph] {
  /// Adds a glyph and, if it is wide, its right half.
  mutating func append(_ read: ReadGlyph) {
    append(read.glyph)
    if read.width == 2 { append(.continuation) }
  }

  /// Takes away the last glyph, both halves of it.
  mutating func removeLastGlyph() {
    if removeLast().isContinuation { removeLast() }
  }
}

extension String {
  /// The characters of some cells, in the form in which they are shown.
  init(_ glyphs: some Sequence<Glyph>) {
    var scalars = UnicodeScalarView()
    for glyph in glyphs where !glyph.isContinuation { glyph.append(to: &scalars) }
    self.init(scalars)
  }
}
