/// Text split into glyphs once, so that drawing it in every frame is only a copy.
public struct GlyphRun: Equatable, Sendable {
  /// One glyph for each cell; a wide character is followed by `.continuation`.
  public let glyphs: [Glyph]

  /// Reads `text` as one line, in which line breaks become blanks, until the glyphs take `firstCells` cells, or one
  /// more if the last one is wide. Complexity: O(length of the text).
  public init(_ text: String, firstCells: Int = .max, widths: TextWidths) {
    var glyphs: [Glyph] = []
    glyphs.reserveCapacity(max(0, min(text.utf8.count, firstCells)))
    let bytes = text.utf8Span.span
    var reader = GlyphReader(widths)
    while glyphs.count < firstCells, let read = reader.next(in: bytes) { glyphs.append(read) }
    self.glyphs = glyphs
  }

  /// The width of the text in cells.
  public var width: Int { glyphs.count }
}

extension [Glyph] {
  mutating func append(_ read: GlyphReader.SizedGlyph) {
    append(read.glyph)
    if read.width == 2 { append(.continuation) }
  }

  mutating func removeLastGlyph() { if removeLast().isContinuation { removeLast() } }
}

extension String {
  init(_ glyphs: some Sequence<Glyph>) {
    var scalars = UnicodeScalarView()
    for glyph in glyphs where !glyph.isContinuation { glyph.append(to: &scalars) }
    self.init(scalars)
  }
}

/// Splits UTF-8 text into glyphs whose width curses and terminals agree on (see `ScalarTable.Kind`).
/// Other sequences are replaced by a form that they agree on: emoji joined by U+200D become the first one, conjoining
/// Hangul becomes the syllable, and marks beyond the third or without a base are dropped.
/// Right-to-left text stays in logical order; terminals that reorder it do not change its width.
struct GlyphReader {
  struct SizedGlyph {
    var glyph: Glyph
    /// 1 or 2.
    var width: Int
    /// Whether it is a line break; its glyph is a blank.
    var endsLine = false
  }

  private var offset = 0
  private var kind = ScalarTable.Lookup()
  private let widths: TextWidths

  init(_ widths: TextWidths) { self.widths = widths }

  /// Pass the same valid UTF-8 in every call.
  mutating func next(in bytes: Span<UInt8>) -> SizedGlyph? {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte >= 0x20 && byte < 0x7F {
        offset += 1
        return SizedGlyph(glyph: withMarks(Glyph(base: UInt32(byte)), in: bytes), width: 1)
      }
      let (value, length) = decodeScalar(in: bytes, at: offset)
      offset += length
      switch kind(value) {
      case .narrow:
        if isMark(value) { continue }
        let width = widths.width(ofNarrow: value)
        return SizedGlyph(glyph: withMarks(Glyph(base: value), in: bytes), width: width)
      case .wide: return wide(value, in: bytes)
      case .mark, .dropped: continue
      case .replaced: return SizedGlyph(glyph: .replacement, width: widths.width(ofNarrow: Glyph.replacement.base))
      case .lineBreak: return lineBreak(value, in: bytes)
      case .blank: return SizedGlyph(glyph: .blank, width: 1)
      case .letter: return SizedGlyph(glyph: Glyph(base: value - 0x1F1E6 + 0x41), width: 1)
      }
    }
    return nil
  }

  /// Whether a narrow scalar takes no cell here: all uncertain ones but an Arabic sign are spacing marks.
  private mutating func isMark(_ value: UInt32) -> Bool {
    !widths.marksTakeCells && kind.isWidthUncertain(value) && value != 0x6DE
  }

  private mutating func lineBreak(_ value: UInt32, in bytes: Span<UInt8>) -> SizedGlyph {
    if value == 0x0D && offset < bytes.count && bytes[offset] == 0x0A { offset += 1 }
    return SizedGlyph(glyph: .blank, width: 1, endsLine: true)
  }

  private mutating func wide(_ value: UInt32, in bytes: Span<UInt8>) -> SizedGlyph {
    var base = value
    while let next = peek(in: bytes), let syllable = hangulSyllable(base, followedBy: next.value) {
      base = syllable
      offset += next.length
    }
    return SizedGlyph(glyph: withMarks(Glyph(base: base), in: bytes), width: 2)
  }

  /// Returns the scalar at the offset unless it is ASCII, which never continues a glyph.
  private func peek(in bytes: Span<UInt8>) -> (value: UInt32, length: Int)? {
    guard offset < bytes.count && bytes[offset] >= 0x80 else { return nil }
    return decodeScalar(in: bytes, at: offset)
  }

  /// Skips dropped and joined characters.
  private mutating func withMarks(_ glyph: Glyph, in bytes: Span<UInt8>) -> Glyph {
    var glyph = glyph
    while let next = peek(in: bytes) {
      switch kind(next.value) {
      case .narrow where isMark(next.value), .mark:
        glyph.addMark(next.value)
        offset += next.length
      case .dropped:
        offset += next.length
        if next.value == zeroWidthJoiner { skipJoinedEmoji(to: glyph, in: bytes) }
      case .narrow, .wide, .replaced, .lineBreak, .blank, .letter: return glyph
      }
    }
    return glyph
  }

  private mutating func skipJoinedEmoji(to glyph: Glyph, in bytes: Span<UInt8>) {
    guard isEmoji(glyph.base), let next = peek(in: bytes), isEmoji(next.value) else { return }
    offset += next.length
  }
}

private let zeroWidthJoiner: UInt32 = 0x200D

private func isEmoji(_ value: UInt32) -> Bool { value >= 0x80 && Unicode.Scalar(value)?.properties.isEmoji == true }

private func decodeScalar(in bytes: Span<UInt8>, at offset: Int) -> (value: UInt32, length: Int) {
  let first = UInt32(bytes[offset])
  func bits(_ index: Int) -> UInt32 { UInt32(bytes[offset + index]) & 0x3F }
  if first < 0x80 { return (first, 1) }
  if first < 0xE0 { return ((first & 0x1F) << 6 | bits(1), 2) }
  if first < 0xF0 { return ((first & 0x0F) << 12 | bits(1) << 6 | bits(2), 3) }
  return ((first & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4)
}

/// Composes Hangul; nil if the two do not compose (the Unicode Standard, section 3.12).
private func hangulSyllable(_ first: UInt32, followedBy second: UInt32) -> UInt32? {
  switch (first, second) {
  case (0x1100...0x1112, 0x1161...0x1175): return 0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
  case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (first - 0xAC00) % 28 == 0: return first + second - 0x11A7
  default: return nil
  }
}
