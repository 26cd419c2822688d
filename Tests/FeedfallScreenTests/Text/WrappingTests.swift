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
    #expect(TextWidths().wrapped(text, width: width, maximumLines: 9) == lines)
  }

  @Test(arguments: [
    ("東京の夜景、朝", 10, ["東京の夜", "景、朝"]),
    ("夜「後編」！", 7, ["夜「後", "編」！"]),
    ("東京。」と", 6, ["東", "京。」", "と"]),
    ("中文“引号”也", 5, ["中文", "“引", "号”也"]),
    ("お（あ）い", 4, ["お", "（あ", "）い"]),
    ("ニュース", 4, ["ニュ", "ース"]),
    ("価格は￥100", 7, ["価格は", "￥100"]),
    ("成長率100％だ", 10, ["成長率", "100％だ"]),
    ("人々の", 4, ["人々", "の"]),
    ("待て——行", 5, ["待て", "——行"]),
    ("字, word", 3, ["字,", "wor", "d"]),
    ("漢(字)", 3, ["漢", "(字", ")"]),
    ("！！！！！", 4, ["！！", "！！", "！"]),
    ("「「「「", 4, ["「「", "「「"]),
    ("東 京", 2, ["東", "京"]), ("東京 。朝", 4, ["東", "京。", "朝"]), ("東京 。朝", 6, ["東", "京 。", "朝"]),
    ("（ 京都", 4, ["（", "京都"]),
    ("한국어, 영화", 6, ["한국", "어, 영", "화"]),
  ])
  func `no line of wide text starts with a closing sign or ends with an opening one, if there is room`(
    text: String, width: Int, lines: [String]
  ) {
    #expect(TextWidths().wrapped(text, width: width, maximumLines: 9) == lines)
  }

  @Test func `Latin text breaks at blanks only, whatever its signs are`() {
    let text = "He said (twice): \u{201C}no!\u{201D} — 100 % «sure» … and/or well-known; end ?"
    for width in 11...40 {
      let lines = TextWidths().wrapped(text, width: width, maximumLines: .max)
      #expect(lines.joined(separator: " ") == text)
    }
  }

  @Test func `a line with an allowed break keeps closing signs from its start and opening ones from its end`() {
    var random = SeededGenerator(seed: 11)
    let (closing, opening, letters) = (Array("，。、！？：；」）ー々"), Array("「（【《￥"), Array("東京映画の"))
    for _ in 0..<3000 {
      let text = String(
        (0..<30).map { _ in
          switch Int.random(in: 0..<8, using: &random) {
          case 0: closing.randomElement(using: &random) ?? "。"
          case 1: opening.randomElement(using: &random) ?? "「"
          default: letters.randomElement(using: &random) ?? "東"
          }
        })
      let width = Int.random(in: 20...40, using: &random)
      let lines = TextWidths().wrapped(text, width: width, maximumLines: .max)
      for (line, next) in zip(lines, lines.dropFirst()) where line.contains(where: { "東京映画の".contains($0) }) {
        let unit = line.reversed().prefix { closing.contains($0) || opening.contains($0) || "abc".contains($0) }
        guard TextWidths().width(of: String(unit.reversed())) + 4 < width else { continue }
        #expect(next.first.map(closing.contains) != true, "\(text): \(lines)")
        #expect(line.last.map(opening.contains) != true, "\(text): \(lines)")
      }
    }
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
    #expect(TextWidths().wrapped(text, width: width, maximumLines: maximum) == lines)
  }

  @Test func `wrapping keeps all visible characters`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let text = random.text(upTo: 40)
      let width = Int.random(in: 2...12, using: &random)
      let lines = TextWidths().wrapped(text, width: width, maximumLines: .max)
      #expect(visible(lines.joined()) == visible(TextWidths().truncated(text, width: .max)))
    }
  }

  @Test func `a limited number of lines shows the beginning of all lines`() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<2000 {
      let text = random.text(upTo: 40)
      let width = Int.random(in: 2...12, using: &random)
      let all = TextWidths().wrapped(text, width: width, maximumLines: .max)
      #expect(all.last != "" && all.first != "")
      let cut = TextWidths().wrapped(text, width: width, maximumLines: 2)
      if all.count <= 2 {
        #expect(cut == all)
      } else {
        #expect(cut.count == 2 && cut[0] == all[0] && cut[1].hasSuffix("…"))
        #expect(visible(all.joined()).starts(with: visible(String(cut.joined().dropLast()))))
      }
    }
  }

  @Test(arguments: [
    ("plain", 5, "plain"), ("plain", 4, "pla…"), ("plain", 1, "…"), ("plain", 0, ""), ("plain", -3, ""),
    ("漢字漢", 6, "漢字漢"), ("漢字漢", 5, "漢字…"), ("漢字漢", 4, "漢…"), ("漢字漢", 1, "…"), ("ab cd", 4, "ab…"), ("", 3, ""),
    ("a\u{301}b\u{301}c", 2, "a\u{301}…"), ("e\u{200B}", 1, "e"),
  ])
  func `a text that is too long ends with an ellipsis`(text: String, width: Int, cut: String) {
    #expect(TextWidths().truncated(text, width: width) == cut)
  }

  private func visible(_ text: String) -> [Unicode.Scalar] { text.unicodeScalars.filter { $0 != " " } }
}
