import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct TextCleaningTests {
  @Test(arguments: [
    ("A plain title", "A plain title"), ("", ""), (" \t two\u{A0}\u{3000} words\r\n", "two words"),
    ("red\u{1B}[31m", "red[31m"), ("a\u{9B}b\u{7F}c\u{0}", "abc"),
    ("abc\u{202E}fed\u{2066}g\u{2069}\u{200E}\u{61C}", "abcfedg"), ("zero\u{200B}width\u{FEFF}\u{2060}", "zerowidth"),
    ("line\u{2028}break\u{2029}s", "line break s"), ("private\u{E000}", "private"), ("日本語 の 動画", "日本語 の 動画"),
    ("Ünï", "Ünï"), ("👨‍👩‍👧 ❤️", "👨‍👩‍👧 ❤️"), ("soft\u{AD}hyphen", "softhyphen"),
    ("Tom &amp; <b>Jerry</b>", "Tom &amp; <b>Jerry</b>"),
    // Format characters that scripts require stay.
    ("\u{6DD}", "\u{6DD}"), ("\u{600}1", "\u{600}1"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ("क्\u{200D}ष", "क्\u{200D}ष"),
    // A mark without a base character is removed, as are repeated joiners.
    ("\u{301}a \u{301}b", "a b"), ("Z\u{200C}\u{200C}\u{200C}z", "Z\u{200C}z"), ("Z\u{200D}\u{200D}z", "Z\u{200D}z"),
  ])
  func `a line is cleaned of characters that are unsafe in a terminal`(given: String, clean: String) {
    #expect(cleanedLine(given) == clean)
  }

  @Test func `marks beyond the eighth on a character are removed`() {
    let piled = "Z" + String(repeating: "\u{301}", count: 100) + "o" + String(repeating: "\u{301}", count: 8)
    let clean = cleanedLine(piled)
    #expect(clean.unicodeScalars.count == 18)
  }

  @Test(arguments: [0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF, 0xFDEF, 0xF8FF, 0x10FFFD, 0x3164] as [UInt32])
  func `private characters and noncharacters are removed`(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    #expect(cleanedLine("a\(scalar)b") == "ab")
  }

  @Test func `a joiner between marks does not raise their limit`() {
    let marks = String(repeating: "\u{301}", count: 8)
    let clean = cleanedLine("Z" + marks + "\u{200C}" + marks + "\u{200D}" + marks)
    #expect(clean.unicodeScalars.count == 10)
  }

  @Test(arguments: ["\u{200C}\u{200C}", "\u{1D173}", "\u{1BCA0}", "\u{13430}", "\u{200D}", "\u{E0001}"])
  func `invisible text becomes empty`(invisible: String) {
    #expect(cleanedLine(invisible).isEmpty)
    #expect(cleanedText(invisible, as: .html).isEmpty)
  }

  @Test func `a long line is cut and ends with an ellipsis`() {
    #expect(cleanedLine(String(repeating: "x", count: 600)) == String(repeating: "x", count: 500) + "…")
    #expect(cleanedLine(String(repeating: "é", count: 500)).count == 500)
  }

  @Test func `cleaning a clean line changes nothing`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let once = cleanedLine(randomText(&random))
      #expect(cleanedLine(once) == once)
    }
  }

  @Test func `cleaned text has no control, bidirectional or private character`() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<500 {
      let text = randomText(&random)
      let cleaned = cleanedLine(text, as: .html) + cleanedText(text, as: .markdown).filter { $0 != "\n" }
      for scalar in cleaned.unicodeScalars {
        #expect(scalar == " " || [.printable, .mark, .joiner].contains(TextCleaner.CharacterClass(scalar)))
      }
    }
  }

  @Test func `a printable character is neither a mark nor private`() {
    let wrong = (0x20...UInt32(0x10FFFF)).lazy.compactMap(Unicode.Scalar.init).filter { scalar in
      guard TextCleaner.CharacterClass(scalar) == .printable else { return false }
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .spacingMark, .privateUse, .control, .lineSeparator, .paragraphSeparator,
        .spaceSeparator:
        return true
      case .format: return scalar.value > 0x8E2
      default: return false
      }
    }
    #expect(wrong.map { String($0.value, radix: 16) } == [])
  }

  @Test(arguments: [
    ("&#39;&#8364;&#128512;", "'€😀"), ("&#150;&#133;", "–…"), ("a&#9;b", "a b"), ("&#55296;", "&#55296;"),
    ("&#1114112;", "&#1114112;"), ("&#39", "&#39"), ("&#;", "&#;"), ("&#00000000039;", "&#00000000039;"),
    ("&#0000039;", "'"),
    ("Tom &amp; Jerry", "Tom & Jerry"), ("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("&lt;b&gt; is a tag", "<b> is a tag"),
    ("<b>bold</b> and <i class=\"x\">slanted</i>", "bold and slanted"),
    ("caf&eacute; &#8211; &#x1F600; &#150;", "café – 😀 –"), ("&#27;[2J&#x202E;x", "[2Jx"),
    ("a < b & c > d &unknown; &", "a < b & c > d &unknown; &"), ("x<script>alert(1)</script>y<!-- z -->", "xy"),
    ("one<br>two</p><p>three", "one two three"), ("5 <6", "5 <6"),
    ("&#99999999999;&#xD800;", "&#99999999999;&#xD800;"),
  ])
  func `HTML in a line is decoded once`(given: String, clean: String) {
    #expect(cleanedLine(given, as: .html) == clean)
  }

  @Test(arguments: [
    ("one\r\ntwo\r\n\r\n\r\nthree  \n", "one\ntwo\n\nthree"), ("<p>one</p><p>two<br/>three</p>", "one\n\ntwo\nthree"),
    ("- a\n- b", "- a\n- b"),
  ])
  func `a longer text keeps its paragraphs`(given: String, clean: String) {
    #expect(cleanedText(given, as: .html) == clean)
  }

  @Test func `a very long text is cut`() {
    #expect(cleanedText(String(repeating: "word ", count: 100_000), as: .plain).count <= 20_001)
  }

  private func randomText(_ random: inout SeededGenerator) -> String {
    let pieces = [
      "a", "B", " ", "  ", "\n", "\r\n", "\u{1B}", "\u{9B}", "\u{202E}", "\u{200D}", "\u{FE0F}", "é",
      "e\u{301}", "日", "👩",
      "\u{E000}", "<b>", "<", "&amp;", "&#27;", "&", ";", "**", "[x](y)", "\u{2029}", "\u{E0067}", "\u{AD}",
      "\u{1F1E9}", "\u{0}", "#",
    ]
    return (0..<Int.random(in: 0..<40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? ""
    }.joined()
  }

  @Test func `text for a terminal keeps line feeds and tabs, but no control characters`() {
    #expect(harmlessText("a\tb\nć 日本\u{301}👩‍👩‍👧") == "a\tb\nć 日本\u{301}👩‍👩‍👧")
    #expect(harmlessText("\u{1B}]0;x\u{7}\r\u{9B}2J\u{202E}y\u{2066}\u{85}\u{2028}\u{FEFF}") == "]0;x2Jy")
  }
}
