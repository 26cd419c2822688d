import FeedfallScreen
import TestSupport
import Testing

@Suite(.hangLimit) struct TextWidthTests {
  @Test(arguments: [
    ("", 0), ("plain text", 10), ("漢字", 4), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("한국", 4), ("é", 1), ("e\u{301}", 1),
    ("─│▀", 3), ("α…“”", 4), ("🌧 🎬", 4), ("שלום", 4), ("مرحبا", 5), ("\u{E0B0}", 1),
  ])
  func `the width of text is its width in a terminal`(text: String, cells: Int) {
    #expect(TextWidths().width(of: text) == cells)
  }

  @Test(arguments: [
    ("👩‍👩‍👧‍👦", "👩"), ("🏳️‍🌈", "🏳"), ("👩🏽‍🚒x", "👩x"), ("👍🏽", "👍"), ("❤️", "❤"), ("❤\u{FE0E}", "❤"), ("1️⃣", "1"),
    ("🇯🇵", "JP"), ("🇯", "J"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴"), ("\u{1FAE9}", "\u{FFFD}"), ("\u{1FAE8}", "\u{FFFD}"),
    ("\u{378}", "\u{FFFD}"),
    ("\u{1112}\u{1161}\u{11AB}", "한"), ("\u{1112}\u{1161}x", "하x"), ("\u{D558}\u{11AB}", "한"),
    ("\u{1161}", "\u{FFFD}"), ("한\u{11AB}", "한\u{FFFD}"), ("a\u{200D}👍", "a👍"),
    ("\u{1112}\u{119E}", "\u{1112}\u{FFFD}"), ("क\u{94D}\u{200D}ष", "क\u{94D}ष"),
    ("a\u{1}\u{7F}\u{9B}b", "ab"), ("\u{1B}[2J", "[2J"),
    ("a\tb\nc\r\nd", "a b c d"), ("\u{202E}abc\u{2066}", "abc"), ("a\u{200B}\u{200C}\u{FEFF}\u{AD}b", "ab"),
    ("☰", "\u{FFFD}"),
    ("\u{301}a", "a"), ("e\u{301}\u{302}\u{303}\u{304}\u{305}x", "e\u{301}\u{302}\u{303}x"),
    ("\u{10EEEE}", "\u{FFFD}"),
    ("a\u{3000}b", "a\u{3000}b"), ("a\u{2003}b", "a b"), ("\u{115F}\u{1160}\u{3164}", ""),
  ])
  func `text with an ambiguous width is replaced by a form with a fixed width`(
    text: String, shown: String
  ) {
    #expect(Array(TextWidths().truncated(text, width: 99).unicodeScalars) == Array(shown.unicodeScalars))
    #expect(TextWidths().width(of: text) == TextWidths().width(of: shown))
    #expect(GlyphRun(text, widths: TextWidths()).width == TextWidths().width(of: text))
  }

  @Test func `a wide character is followed by a continuation`() {
    #expect(GlyphRun("a漢b", widths: TextWidths()).glyphs == [Glyph("a"), Glyph("漢"), .continuation, Glyph("b")])
  }

  @Test func `the third mark can be outside of the basic plane`() throws {
    let glyph = try #require(GlyphRun("e\u{301}\u{302}\u{1E8D6}", widths: TextWidths()).glyphs.first)
    #expect(glyph.scalars == ["e", "\u{301}", "\u{302}", "\u{1E8D6}"])
    #expect(Glyph(base: glyph.base, marks: glyph.marks) == glyph)
  }

  @Test func `truncating truncated text changes nothing`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<500 {
      let shown = TextWidths().truncated(random.text(upTo: 12), width: 1000)
      #expect(Array(TextWidths().truncated(shown, width: 1000).unicodeScalars) == Array(shown.unicodeScalars))
    }
  }

  @Test(arguments: [
    ("https://a.example/b.mp4", 23, "https://a.example/b.mp4"), ("https://a.example/b.mp4", 12, "https:…b.mp4"),
    ("https://a.example/b.mp4", 3, "h…4"), ("https://a.example/b.mp4", 2, "h…"), ("abc", 1, "…"), ("abc", 0, ""),
    ("漢字漢字漢字", 7, "漢…字"), ("a漢字漢字漢字", 8, "a漢…字"), ("a\nb", 3, "a b"),
  ])
  func `text truncated in its middle shows its start and its end`(text: String, width: Int, shown: String) {
    #expect(TextWidths().truncatedInMiddle(text, width: width) == shown)
  }

  @Test func `text truncated in its middle fits, and is as wide as possible`() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<500 {
      let (text, width) = (random.text(upTo: 12), Int.random(in: 3...12, using: &random))
      let (whole, shown) = (
        TextWidths().width(of: text), TextWidths().width(of: TextWidths().truncatedInMiddle(text, width: width))
      )
      #expect(whole <= width ? shown == whole : shown <= width && shown >= width / 2 - 1)
    }
  }

  @Test(arguments: [(true, false), (false, false), (true, true), (false, true)])
  func `truncated and wrapped text fits by the widths it was measured with`(marksTakeCells: Bool, isWide: Bool) {
    var widths = TextWidths()
    (widths.marksTakeCells, widths.ambiguousIsWide) = (marksTakeCells, isWide)
    var random = SeededGenerator(seed: 3)
    for _ in 0..<3000 {
      let (text, width) = (random.text(upTo: 12), Int.random(in: -1...14, using: &random))
      let lines =
        [
          widths.truncated(text, width: width), widths.truncatedInMiddle(text, width: width),
          widths.truncatedAtStart(text, width: width),
        ] + widths.wrapped(text, width: width, maximumLines: Int.random(in: 1...4, using: &random))
      for line in lines {
        #expect(
          widths.width(of: line) <= max(0, width), "\(text.debugDescription) in \(width): \(line.debugDescription)")
      }
    }
  }

  @Test(arguments: [(false, 5, "ab…"), (true, 5, "ж…"), (true, 2, "…"), (true, 1, "."), (false, 1, "…"), (true, 0, "")])
  func `an ellipsis takes the cells of the terminal`(isWide: Bool, width: Int, shown: String) {
    var widths = TextWidths()
    widths.ambiguousIsWide = isWide
    #expect(widths.truncated(isWide ? "жжжжж" : "ab   cdef", width: width) == shown)
  }

  @Test(arguments: [("abcdef", 4, "…def"), ("abcdef", 6, "abcdef"), ("a漢字", 4, "…字"), ("abc", 1, "…"), ("abc", 0, "")])
  func `text truncated at its start shows its end`(text: String, width: Int, shown: String) {
    #expect(TextWidths().truncatedAtStart(text, width: width) == shown)
  }
}
