import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct TextKindTests {
  @Test(arguments: [
    "The <template> tag", "<details>", "&nbsp; explained", "if a<b && c>d", "**not bold**", "# 1 hit", "5 * 3",
    "[a](b)", "__init__.py", "`code`", "R&D &amp Co",
  ])
  func `a plain text stays as it is written`(text: String) {
    #expect(cleanedLine(text) == text)
    #expect(cleanedText(text, as: .plain) == text)
  }

  @Test(arguments: [
    ("R&D &amp Co", "R&D & Co"), ("I'm &notit; I tell you", "I'm ¬it; I tell you"), ("I'm &notin; x", "I'm ∉ x"),
    ("&alpha;&Omega;&pi;&ne;&le;&ge;&tilde;&spades;&harr;", "αΩπ≠≤≥˜♠↔"), ("&ccaron;&zcaron;&check;&star;", "čž✓☆"),
    ("a&zwnj;b &lrm;x", "a\u{200C}b x"), ("&CounterClockwiseContourIntegral;&zopf;", "∳𝕫"), ("&AMP&LT&GTx", "&<>x"),
    ("&AElig&yuml&zwj", "Æÿ&zwj"), ("&notindot; &unknown; &; &x", "&notindot; &unknown; &; &x"),
    ("&Tab;a&NewLine;b", "a b"),
    ("__init__.py and **x**", "__init__.py and **x**"), ("[a](b) # 1 hit", "[a](b) # 1 hit"),
    ("see <https://h.example/a__b> now", "see <https://h.example/a__b> now"), ("<3 Deno", "<3 Deno"),
    ("?page=1&copy=2", "?page=1&copy=2"),
  ])
  func `only tags and entities are removed from HTML`(text: String, clean: String) {
    #expect(cleanedLine(text, as: .html) == clean)
  }

  @Test(arguments: [
    ("**bold** and *slanted*, 2 * 3", "bold and slanted, 2 * 3"),
    ("__bold__, _slanted_ ***both***", "bold, slanted both"),
    ("a **bold *and slanted* text**.", "a bold and slanted text."), ("# Head\ntext #tag", "Head\ntext #tag"),
    ("[site](https://x.example/) ![picture](https://y/)", "site (https://x.example/) picture"),
    ("[**site**](https://x.example/a__b__c)", "site (https://x.example/a__b__c)"),
    ("[https://x.example/__a__](https://x.example/__a__)", "https://x.example/__a__"),
    ("snake_case_name __init__.py 2*3*4 2**3**4", "snake_case_name __init__.py 2*3*4 2**3**4"),
    ("https://h.example/w/dQ__w9WgXcQ https://h.example/x__", "https://h.example/w/dQ__w9WgXcQ https://h.example/x__"),
    ("**https://h.example/a__b**, __https://h.example/c__", "https://h.example/a__b, https://h.example/c"),
    ("__a__ www.h.example/__b__/ h.example/_c_", "a www.h.example/__b__/ h.example/_c_"),
    ("<https://h.example/a*b*> <b>", "https://h.example/a*b* <b>"), ("[not a link] (x)", "[not a link] (x)"),
    ("`__init__` and ``*a*`` `*b*", "`__init__` and ``*a*`` `*b*"), ("[a `b](c) d` [e](f)", "a `b (c) d` e (f)"),
    ("*open\n\nclosed*", "*open\n\nclosed*"), ("*one\nparagraph*", "one\nparagraph"),
    ("* item\n* item", "* item\n* item"),
    ("if a<b && c>d then <video>", "if a<b && c>d then <video>"), ("Tom &amp; Jerry &amp Co", "Tom & Jerry &amp Co"),
    ("*a ** _ __", "*a ** _ __"), ("**단어**는 *日本語*の", "단어는 日本語の"), ("![", "!["), ("#", "#"), ("wow! *a*!", "wow! a!"),
  ])
  func `marks are removed from Markdown in pairs`(text: String, clean: String) {
    #expect(cleanedText(text, as: .markdown) == clean)
  }

  @Test func `only blanks and unsafe characters change in a plain text`() {
    var random = SeededGenerator(seed: 31)
    for _ in 0..<2_000 {
      let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in word(&random) }
      let text = words.joined(separator: " ")
      #expect(cleanedLine(text, as: .plain, limit: 10_000) == text)
      #expect(cleanedText(text, as: .plain) == text)
      let unsafe = words.joined(
        separator: [" \t", "\n", "\u{202E} ", "\u{1B} \u{200B}"].randomElement(using: &random) ?? " ")
      #expect(cleanedLine(unsafe, as: .plain, limit: 10_000) == text)
    }
  }

  @Test func `an address in a text is never changed`() {
    var random = SeededGenerator(seed: 32)
    for _ in 0..<3_000 {
      let address = self.address(&random)
      let before = (0..<Int.random(in: 0...4, using: &random)).map { _ in word(&random) }.joined(separator: " ")
      let after = (0..<Int.random(in: 0...4, using: &random)).map { _ in word(&random) }.joined(separator: " ")
      for kind in [TextKind.plain, .html, .markdown] {
        // An unclosed tag or link would contain the address.
        let isOpen = kind != .plain && (before.contains("<") || before.contains("[") || before.contains("`"))
        let text = (isOpen ? "" : before) + " " + address + " " + after
        #expect(cleanedText(text, as: kind).contains(address), "\(text)")
      }
    }
  }

  private func word(_ random: inout SeededGenerator) -> String {
    let parts = [
      "a", "B", "1", "<", ">", "&", ";", "amp", "copy", "*", "**", "_", "__", "#", "[", "](", ")", "!", "`", "é", "日",
      "<b>",
      "</b>", "<!--", ".", ":", "/",
    ]
    return (0..<Int.random(in: 1...6, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
  }

  private func address(_ random: inout SeededGenerator) -> String {
    let parts = [
      "a", "__", "_", "*", "**", "/", "?x=1", "&y=2", "&copy=3", "&amp", "&lt", "#", "(b)", "~", "é", ".", "-",
    ]
    let path = (0..<Int.random(in: 0...8, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
    return "https://h.example/" + path.joined() + "z"
  }

  @Test(arguments: [
    "<", "<a", "<!--", "&", "&amp", "&notit", "&https://x/", "[", "[](", "[a](b", "*", "**", "* a*", "_a", "**a ",
    "a**b ", "<script>",
    "![", "![a](", "&#", "#", "# ", "<p>", "`", "`a", "``a`", "```", "<a://", "a://", "a://x ", "https://*",
    "__https://", "\n",
    "\n\n*a", "&#9999999", "]", "](", ")", "[`](", "[https://](",
  ])
  func `repeated markup is converted to its end`(opening: String) {
    for kind in [TextKind.html, .markdown] {
      let text = Array(String(repeating: opening, count: 50_000 / opening.utf8.count).utf8)
      #expect(kind.plainText(text).count <= text.count + 16)
    }
  }

  @Test func `every entity of one character is known`() throws {
    let entries = HTMLEntity.table.description.split(separator: " ")
    for entry in entries {
      let end = try #require(entry.firstIndex { $0 == "=" || $0 == "!" })
      let name = Array(entry[..<end].utf8)[...]
      #expect(HTMLEntity.scalar(named: name)?.value == UInt32(entry[end...].dropFirst(), radix: 16), "\(entry)")
      #expect((HTMLEntity.scalar(named: name, isLegacy: true) != nil) == (entry[end] == "!"), "\(entry)")
    }
    #expect(entries.count == 2_034 && entries.count { $0.contains("!") } == 106)
    for name in ["", "a", "zzz", "ampx", "AM", "zwnjj"] {
      #expect(HTMLEntity.scalar(named: Array(name.utf8)[...]) == nil)
    }
  }

  @Test func `any letters after an ampersand are read`() {
    var random = SeededGenerator(seed: 33)
    for _ in 0..<2_000 {
      let name = (0..<Int.random(in: 1...8, using: &random)).map { _ in
        "abcglnotprqAEZ;1".randomElement(using: &random) ?? "a"
      }
      let bytes = Array(("&" + String(name)).utf8)
      #expect(HTMLEntity(in: bytes, at: 0).map { $0.end <= bytes.count } ?? true)
      #expect(HTMLEntity(bareIn: bytes, at: 0).map { $0.end <= bytes.count } ?? true)
    }
  }
}
