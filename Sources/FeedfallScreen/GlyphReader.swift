/// One step of reading text: a glyph and how many cells it takes, or the end of a line.
struct ReadGlyph {
  var glyph: Glyph
  /// 1 or 2.
  var width: Int
  /// A line ends here; whoever does not care has a blank in its place.
  var endsLine = false
}

/// Cuts UTF-8 text into glyphs that curses and terminals count alike (see `ScalarKind`).
///
/// Where they would not agree on a sequence, a form is read on which they do: emoji joined by U+200D are the first of them,
/// letters of conjoining Hangul are the syllable, marks beyond the third and marks on nothing are left out.
/// Right-to-left text stays in its logical order; a terminal that reorders it does so without moving cells.
struct GlyphReader {
  private var offset = 0
  private var kind = ScalarKindLookup()

  /// The next glyph of `bytes`, which must be the valid UTF-8 that this reader was given before; nil at the end.
  mutating func next(in bytes: Span<UInt8>) -> ReadGlyph? {
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte >= 0x20 && byte < 0x7F {
        offset += 1
        return ReadGlyph(glyph: withMarks(Glyph(base: UInt32(byte)), in: bytes), width: 1)
      }
      let (value, length) = decodeScalar(in: bytes, at: offset)
      offset += length
      switch kind(value) {
      case .narrow: return ReadGlyph(glyph: withMarks(Glyph(base: value), in: bytes), width: 1)
      case .wide: return wide(value, in: bytes)
      case .mark, .dropped: continue
      case .replaced: return ReadGlyph(glyph: .replacement, width: 1)
      case .lineBreak: return lineBreak(value, in: bytes)
      case .blank: return ReadGlyph(glyph: .blank, width: 1)
      case .letter: return ReadGlyph(glyph: Glyph(base: value - 0x1F1E6 + 0x41), width: 1)
      }
    }
    return nil
  }

  private mutating func lineBreak(_ value: UInt32, in bytes: Span<UInt8>) -> ReadGlyph {
    if value == 0x0D && offset < bytes.count && bytes[offset] == 0x0A { offset += 1 }
    return ReadGlyph(glyph: .blank, width: 1, endsLine: true)
  }

  private mutating func wide(_ value: UInt32, in bytes: Span<UInt8>) -> ReadGlyph {
    var base = value
    while let next = peek(in: bytes), let syllable = hangulSyllable(base, followedBy: next.value) {
      base = syllable
      offset += next.length
    }
    return ReadGlyph(glyph: withMarks(Glyph(base: base), in: bytes), width: 2)
  }

  /// The scalar at the offset when it is not ASCII, since nothing of ASCII continues a glyph.
  private func peek(in bytes: Span<UInt8>) -> (value: UInt32, length: Int)? {
    guard offset < bytes.count && bytes[offset] >= 0x80 else { return nil }
    return decodeScalar(in: bytes, at: offset)
  }

  /// The glyph with the marks that follow; what is dropped or joined to it is passed over.
  private mutating func withMarks(_ glyph: Glyph, in bytes: Span<UInt8>) -> Glyph {
    var glyph = glyph
    while let next = peek(in: bytes) {
      switch kind(next.value) {
      case .mark:
        glyph.addMark(next.value)
        offset += next.length
      case .dropped:
        offset += next.length
        if next.value == zeroWidthJoiner { skipJoinedEmoji(to: glyph, in: bytes) }
      case .narrow, .wide, .replaced, .lineBreak, .blank, .letter:
        return glyph
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

private func isEmoji(_ value: UInt32) -> Bool {
  value >= 0x80 && Unicode.Scalar(value)?.properties.isEmoji == true
}

/// The scalar whose valid UTF-8 begins at `offset`, and how many bytes that takes.
private func decodeScalar(in bytes: Span<UInt8>, at offset: Int) -> (value: UInt32, length: Int) {
  let first = UInt32(bytes[offset])
  func bits(_ index: Int) -> UInt32 { UInt32(bytes[offset + index]) & 0x3F }
  if first < 0x80 { return (first, 1) }
  if first < 0xE0 { return ((first & 0x1F) << 6 | bits(1), 2) }
  if first < 0xF0 { return ((first & 0x0F) << 12 | bits(1) << 6 | bits(2), 3) }
  return ((first & 0x07) << 18 | bits(1) << 12 | bits(2) << 6 | bits(3), 4)
}

/// The precomposed syllable of a leading consonant and a vowel, or of such a syllable and a final consonant; nil when
/// the two do not compose (the Unicode Standard, section 3.12).
private func hangulSyllable(_ first: UInt32, followedBy second: UInt32) -> UInt32? {
  switch (first, second) {
  case (0x1100...0x1112, 0x1161...0x1175):
    return 0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
  case (0xAC00...0xD7A3, 0x11A8...0x11C2) where (first - 0xAC00) % 28 == 0:
    return first + second - 0x11A7
  default:
    return nil
  }
}
