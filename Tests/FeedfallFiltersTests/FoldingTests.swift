import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct FoldingTests {
  @Test(arguments: [
    ("Café CRÈME", "cafe creme"), ("Cafe\u{301}", "cafe"), ("Straße", "strasse"), ("Æther œuvre", "aether oeuvre"),
    ("Łódź Øst Đ", "lodz ost d"), ("İstanbul ışık", "istanbul isik"), ("ΆΛΦΑ λόγος", "αλφα λογοσ"),
    ("Ёлка Чай", "елка чаи"), ("“Don’t” – wait", "\"don't\" - wait"), ("Ｆｕｌｌ", "full"), ("日本語 🎬", "日本語 🎬"),
    // Hangul syllables, composed, decomposed and of half width; kana of all kinds.
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "한국"), ("한국어 ㅋㅋ", "한국어 ㅋㅋ"), ("ﾃﾚﾋﾞ", "てれび"),
    ("テレビ", "てれび"), ("カ\u{3099}ハ\u{309A}", "がぱ"), ("ﾊﾟﾝ", "ぱん"), ("ヴ", "ゔ"), ("う゛", "ゔ"), ("コーヒー", "こーひー"),
    // Arabic and Persian: vowel points, Tatweel, forms of Alef, Yeh and Kaf, presentation forms, and digits.
    ("مُحَمَّد", "محمد"), ("أحمد إسلام آية", "احمد اسلام ايه"), ("فيـلم", "فيلم"), ("کتاب یک", "كتاب يك"), ("ﻓﻴﻠﻢ", "فيلم"),
    ("می\u{200C}خواهم", "ميخواهم"), ("۱۴۰۳ ٢٠٢٤", "1403 2024"),
    // Hebrew points, presentation forms, and the sign of numbers.
    ("שָׁלוֹם", "שלום"), ("שׁלום", "שלום"), ("צה״ל", "צה\"ל"),
    ("ﬁlm ﬀ ĳs", "film ff ijs"), ("Soft\u{AD}ware zero\u{200B}width", "software zerowidth"),
    ("①² ½ ℃ ™", "12 1/2 °c tm"),
    ("𝗕𝗼𝗹𝗱 𝓢𝓬𝓻𝓲𝓹𝓽 ⓒⓘⓡ", "bold script cir"), ("神\u{FA19}", "神神"), ("葛\u{E0100}", "葛"), ("❤\u{FE0F}", "❤"),
    ("क़ फ़ हिन्दी", "क फ हिन्दी"), ("ไทย ๑๒", "ไทย 12"), ("ქართული ᲥᲐᲠᲗ", "ქართული ქართ"), ("Þór Ðað", "thor dad"),
    ("Ångström Å", "angstrom a"), ("ΆΈ ά", "αε α"), ("Ὀδύσσεια ᾳ", "οδυσσεια α"), ("10−5 1⁄2", "10-5 1/2"),
    ("Việt Nam", "viet nam"), ("one\ntwo\ttabs", "one two tabs"), ("", ""),
  ])
  func `folding removes case and diacritics`(text: String, expected: String) {
    #expect(String(decoding: folded(text), as: UTF8.self) == expected)
  }

  @Test func `folding a folded text does not change it`() {
    for value in UInt32(0x80)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = folded(String(scalar))
      let text = String(decoding: once, as: UTF8.self)
      if once != folded(text) { Issue.record("U+\(String(value, radix: 16)): \(text)") }
    }
  }

  @Test func `decomposed letters are folded like composed ones`() {
    var random = SeededGenerator(seed: 5)
    let pieces = [
      ("가", "\u{1100}\u{1161}"), ("각", "\u{1100}\u{1161}\u{11A8}"), ("が", "か\u{3099}"), ("パ", "ハ\u{309A}"),
      ("é", "e\u{301}"),
      ("ệ", "e\u{302}\u{323}"), ("שׁ", "ש\u{5C1}"), ("آ", "ا\u{653}"), ("क़", "क\u{93C}"), ("й", "и\u{306}"), ("っ", "っ"),
      ("ㅋ", "ㅋ"),
      ("a", "a"), (" ", " "),
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }
      #expect(folded(text.map(\.0).joined()) == folded(text.map(\.1).joined()), "\(text)")
    }
    for value in UInt32(0xAC00)...0xD7A3 {
      let index = value - 0xAC00
      let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28] + (index % 28 > 0 ? [0x11A7 + index % 28] : [])
      let decomposed = String(String.UnicodeScalarView(parts.compactMap(Unicode.Scalar.init)))
      let composed = Unicode.Scalar(value).map { String($0) } ?? ""
      if folded(decomposed) != Array(composed.utf8) { Issue.record("\(composed)") }
    }
  }

  @Test func `the search agrees with a simple one at all lengths and places`() {
    let letters = Array("abcabdabcabcabdx".utf8)
    let text = (0..<150).map { letters[$0 * $0 % letters.count] }
    for length in [1, 2, 33] {
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
