import FeedfallScreen
import Glibc
import TestSupport
import Testing

/// Curses counts cells with the C library's `wcwidth`, so our widths must agree with it.
@Suite(.hangLimit) struct GlibcTests {
  @Test func `every scalar has the width of curses or is replaced`() throws {
    let curses = try CursesWidth()
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let shown = GlyphRun(String(Character(scalar)), widths: TextWidths())
      let mine = shown.glyphs.first.map { $0.base == value ? shown.width : nil } ?? nil
      if let mine { #expect(curses.width(of: value) == mine, "\(hex(value)) is shown and takes \(mine)") }
      let carried = GlyphRun("a\(Character(scalar))", widths: TextWidths()).glyphs.first?.marks ?? 0
      if carried != 0 { #expect(curses.width(of: value) == 0, "\(hex(value)) is a mark") }
    }
  }

  @Test(.enabled("the C library is of another Unicode version") { try CursesWidth().isOfUnicode14 })
  func `every scalar that curses supports is shown, with listed exceptions`() throws {
    let curses = try CursesWidth()
    for value in UInt32(0)...0x10FFFF where curses.width(of: value) >= 0 && !isListed(value) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let glyph = GlyphRun("a\(Character(scalar))", widths: TextWidths()).glyphs
      #expect(
        glyph.last?.scalars.contains(scalar) == true || glyph.dropLast().last?.base == value, "\(hex(value))")
    }
  }

  private func hex(_ value: UInt32) -> String { "U+" + String(value, radix: 16, uppercase: true) }

  /// The scalars that curses supports but that are shown in another form.
  private func isListed(_ value: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(value) else { return true }
    // Invisible, or a format character, such as the Arabic signs under the digits after them.
    if scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format {
      return true
    }
    switch value {
    case 0, 0x20E3, 0x1F3FB...0x1F3FF, 0x1F1E6...0x1F1FF: return true  // keycap, skin tones, flags
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return true  // vowels and finals of conjoining Hangul
    case 0x1680, 0x2000...0x200A, 0x205F: return true  // blanks of other widths
    case 0x2630...0x2637, 0x268A...0x268F, 0x1D300...0x1D356, 0x1D360...0x1D376: return true  // wide later
    case 0x302E...0x302F, 0x3248...0x324F, 0x16FF0...0x16FF1: return true  // one or two cells
    case 0x10EEEE: return true  // a picture in kitty
    default: return false
    }
  }
}

/// The C library's `wcwidth`, which its Swift module does not export.
private struct CursesWidth {
  private let function: @convention(c) (Int32) -> Int32
  let isOfUnicode14: Bool

  init() throws {
    let utf8 = try #require(newlocale(LC_CTYPE_MASK, "C.UTF-8", nil))
    // Only for this thread: other tests run at the same time.
    uselocale(utf8)
    let symbol = try #require(dlsym(dlopen(nil, RTLD_NOW), "wcwidth"))
    function = unsafeBitCast(symbol, to: (@convention(c) (Int32) -> Int32).self)
    isOfUnicode14 = function(0x1FAE0) == 2 && function(0x1FAE8) == -1
  }

  func width(of value: UInt32) -> Int { Int(function(Int32(value))) }
}
