import FeedfallScreen
import TestSupport
import Testing

@Suite(.hangLimit) struct WrappingTests {
  @Test(arguments: [
    ("the quick brown fox", 10, ["the quick", "brown fox"]),
    ("the quick brown", 5, ["the", "quick", "brown"]),
    ("abcdefgh", 3, ["abc", "def", "gh"]),
    ("an abcdefgh", 4, ["an", "abcd", "efgh"]),
    ("瀑布流布局", 4, ["瀑布", "流布", "局"]),
    ("ab瀑布", 3, ["ab", "瀑", "布"]),
    ("a瀑b布", 3, ["a瀑", "b布"]),
    ("one   two", 4, ["one", "two"]),
    ("one ", 3, ["one"]),
    ("a\n\n\nb\n\n", 9, ["a", "", "", "b"]),
    ("\n\na\r\nb\rc", 9, ["a", "b", "c"]),
    ("  indented", 20, ["  indented"]),
    ("漢字", 1, ["\u{FFFD}", "\u{FFFD}"]),
    ("漢字", 2, ["漢", "字"]),
    ("ab", 1, ["a", "b"]),
    ("👩‍👩‍👧‍👦👍🏽", 2, ["👩", "👍"]),
    ("", 5, []), (" \n ", 5, []), ("a", 0, []), ("a", -1, []),
  ])
  func `lines break at blanks, and anywhere in long words and wide text`(
    text: String, width: Int, lines: [String]
  ) {
    #expect(wrapped(text, width: width, maximumLines: 9) == lines)
  }

  @Test(arguments: [
    ("the quick brown fox", 10, 1, ["the quick…"]),
    ("the quick brown fox", 11, 1, ["the quick…"]),
    ("the quick brown fox", 12, 1, ["the quick b…"]),
    ("the quick brown fox", 19, 1, ["the quick brown fox"]),
    ("the quick brown fox jumps", 10, 2, ["the quick", "brown fox…"]),
    ("瀑布流布局", 5, 1, ["瀑布…"]),
    ("瀑布流布局", 4, 1, ["瀑…"]),
    ("瀑布", 1, 1, ["…"]),
    ("瀑布", 2, 1, ["…"]),
    ("a\nb", 5, 1, ["a…"]),
    ("abcde\nb", 5, 1, ["abcd…"]),
    ("a\n\nb", 5, 2, ["a", "…"]),
    ("a\n\n", 5, 1, ["a"]),
    ("abc   ", 3, 1, ["abc"]),
    ("abc", 3, 0, []),
  ])
  func `the last line ends with an ellipsis if text remains`(text: String, width: Int, maximum: Int, lines: [String]) {
    #expect(wrapped(text, width: width, maximumLines: maximum) == lines)
  }

  @Test func `every line fits, and the first and last are not empty`() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<2000 {
      let text = random.text(upTo: 40)
      let width = Int.random(in: 1...12, using: &random)
      let lines = wrapped(text, width: width, maximumLines: Int.random(in: 1...6, using: &random))
      #expect(
        lines.allSatisfy { cellWidth(of: $0) <= width }, "\(text.debugDescription) in \(width): \(lines)")
      #expect(lines.last != "" && lines.first != "")
    }
  }

  @Test func `wrapping keeps all visible characters`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let text = random.text(upTo: 40)
      let width = Int.random(in: 2...12, using: &random)
      let lines = wrapped(text, width: width, maximumLines: .max)
      #expect(visible(lines.joined()) == visible(truncated(text, width: .max)))
    }
  }

  @Test func `a limited number of lines shows the beginning of all lines`() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      let text = random.text(upTo: 40)
      let width = Int.random(in: 2...12, using: &random)
      let all = wrapped(text, width: width, maximumLines: .max)
      let cut = wrapped(text, width: width, maximumLines: 2)
      if all.count <= 2 {
        #expect(cut == all)
      } else {
        #expect(cut.count == 2 && cut[0] == all[0] && cut[1].hasSuffix("…"))
        #expect(visible(all.joined()).starts(with: visible(String(cut.joined().dropLast()))))
      }
    }
  }

  @Test func `words that fit are not broken`() {
    let text = "some words of a length that fits"
    for width in 6...40 {
      #expect(wrapped(text, width: width, maximumLines: 99).joined(separator: " ") == text)
    }
  }

  @Test(arguments: [
    ("plain", 5, "plain"), ("plain", 4, "pla…"), ("plain", 1, "…"), ("plain", 0, ""), ("plain", -3, ""),
    ("漢字漢", 6, "漢字漢"), ("漢字漢", 5, "漢字…"), ("漢字漢", 4, "漢…"), ("漢字漢", 1, "…"), ("ab cd", 4, "ab…"), ("", 3, ""),
    ("a\u{301}b\u{301}c", 2, "a\u{301}…"), ("e\u{200B}", 1, "e"),
  ])
  func `a text that is too long ends with an ellipsis`(text: String, width: Int, cut: String) {
    #expect(truncated(text, width: width) == cut)
  }

  private func visible(_ text: String) -> [Unicode.Scalar] { text.unicodeScalars.filter { $0 != " " } }
}
