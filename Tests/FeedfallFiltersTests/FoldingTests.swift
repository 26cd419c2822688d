import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct FoldingTests {
  @Test(arguments: [
    ("Café CRÈME", "cafe creme"), ("Cafe\u{301}", "cafe"), ("Straße", "strasse"), ("Æther œuvre", "aether oeuvre"),
    ("Łódź Øst Đ", "lodz ost d"), ("İstanbul ışık", "istanbul isik"), ("ΆΛΦΑ λόγος", "αλφα λογοσ"),
    ("Ёлка Чай", "елка чаи"), ("“Don’t” – wait", "\"don't\" - wait"), ("Ｆｕｌｌ", "full"), ("日本語 🎬", "日本語 🎬"),
    ("Việt Nam", "viet nam"), ("one\ntwo\ttabs", "one two tabs"), ("", ""),
  ])
  func `folding removes case and diacritics`(text: String, expected: String) {
    #expect(String(decoding: folded(text), as: UTF8.self) == expected)
  }

  @Test func `the search agrees with a simple one at all lengths and places`() {
    let letters = Array("abcabdabcabcabdx".utf8)
    let text = (0..<150).map { letters[$0 * $0 % letters.count] }
    for length in [1, 2, 5, 31, 32, 33, 64] {
      for start in 0..<text.count - length {
        let needle = Array(text[start..<start + length])
        #expect(text.contains(needle, in: 0..<text.count))
        let range = 0..<start + length - 1
        let isInside = (0...max(0, range.count - length)).contains {
          $0 + length <= range.count && Array(text[$0..<$0 + length]) == needle
        }
        #expect(text.contains(needle, in: range) == isInside)
      }
    }
    #expect(!text.contains(Array("q".utf8), in: 0..<text.count))
    #expect(!text.contains(text + text, in: 0..<text.count))
  }
}
