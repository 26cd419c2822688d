import TestSupport
import Testing

@testable import FeedfallFilters

@Suite(.hangLimit) struct PatternTests {
  private func matches(_ source: String, _ text: String, ignoresCase: Bool = false) throws -> Bool {
    var search = Pattern.Search(try Pattern(source, ignoresCase: ignoresCase))
    var budget = Filter.Budget()
    return (ignoresCase ? folded(text) : Array(text.utf8)).withUnsafeBufferPointer { search.matches($0, &budget) }
  }

  @Test(arguments: [
    ("abc", "xabcx", true), ("abc", "xabxc", false), ("", "", true), ("a.c", "aéc", true), ("a.c", "ac", false),
    ("^ab", "abc", true), ("^b", "abc", false), ("c$", "abc", true), ("b$", "abc", false), ("^$", "", true),
    ("ab*c", "ac", true), ("ab*c", "abbbc", true), ("ab+c", "ac", false), ("ab?c", "abbc", false),
    ("ab{2}c", "abbc", true), ("ab{2}c", "abc", false), ("ab{1,2}c", "abbbc", false), ("ab{2,}c", "abbbbc", true),
    ("a|bc|d", "xbcx", true), ("^(a|b)+$", "abba", true), ("^(?:a|b)+$", "abca", false),
    ("[a-c]x", "bx", true), ("[^a-c]x", "bx", false), ("[]x]", "]", true), ("[a\\-z]", "-", true), ("[x-]", "-", true),
    ("\\bcat\\b", "a cat.", true), ("\\bcat\\b", "concat", false), ("\\d{4}", "in 2024", true), ("\\D", "123", false),
    ("\\w+\\s\\w+", "été bon", true), ("^\\W$", "é", false), ("\\.", "a", false), ("\\/", "/", true),
    ("(a*)*b", "aaac", false), ("(a|a)*$", "aaaa", true), ("[[:x]", "[", true), ("日本", "の日本語", true),
  ])
  func `an expression matches anywhere in a text`(source: String, text: String, isMatch: Bool) throws {
    #expect(try matches(source, text) == isMatch)
  }

  @Test(arguments: [
    ("café", "CAFE", true), ("STRASSE", "Straße", true), ("[A-C]+x", "abcX", true), ("[é]", "E", true),
    ("ß", "ss", true),
  ])
  func `ignoring case also ignores diacritics`(source: String, text: String, isMatch: Bool) throws {
    #expect(try matches(source, text, ignoresCase: true) == isMatch)
  }

  @Test(arguments: [
    ("a(b", 1, "a parenthesis is not closed"), ("a)", 1, "a parenthesis is not opened"),
    ("*a", 0, "nothing to repeat before “*”"), ("[a", 0, "“[” is not closed"), ("a{", 2, "expected a number after “{”"),
    ("a{3,2}", 6, "expected “{m,n}” with m ≤ n ≤ 1000"), ("a{1001}", 7, "expected “{m,n}” with m ≤ n ≤ 1000"),
    ("\\", 1, "expected a character after “\\”"), ("\\k", 1, "“\\k” is not supported"),
    ("[z-a]", 4, "the range begins after its end"), ("^*", 0, "“^”, “$” and “\\b” cannot be repeated"),
    ("(?=a)", 2, "expected “(?:” or “(”"), ("a***", 4, "too many repetitions of one item"),
    ("(a{100}){100}", 0, "the expression is too large"),
  ])
  func `a fault names its place`(source: String, offset: Int, reason: String) {
    #expect { try Pattern(source, ignoresCase: false) } throws: {
      $0 as? Pattern.Fault == Pattern.Fault(offset: offset, reason: reason)
    }
  }

  @Test func `deep nesting is a fault`() {
    #expect(throws: Pattern.Fault.self) { try Pattern(String(repeating: "(", count: 2_000), ignoresCase: false) }
  }

  @Test func `repeating nothing many times ends`() throws {
    #expect(try matches("(((){1000}){1000}){1000}", "a"))
    #expect(try matches("((a?){30}){10}b", "b"))
  }

  @Test func `expressions that make backtracking matchers explode are bounded by a count of steps`() throws {
    let text = String(repeating: "a", count: 10_000)
    #expect(try !matches("(a+)+b", text))
    #expect(try !matches("(a?){250}a{250}b", text))
  }

  @Test func `a text that needs many steps leaves most of the budget to others`() throws {
    var search = Pattern.Search(try Pattern("a(a|b){200}c", ignoresCase: false))
    var (budget, random) = (Filter.Budget(), SeededGenerator(seed: 3))
    let text = (0..<40_000).map { _ in UInt8(ascii: Bool.random(using: &random) ? "a" : "b") }
    #expect(!text.withUnsafeBufferPointer { search.matches($0, &budget) })
    #expect(!budget.isExhausted)
  }

  @Test(arguments: ["\\w+heim\\b", "a.*heim", "(\\w+\\s){3}mannheim", "(?:worm|mann|bad)\\w+"])
  func `common expressions are compared with 10 MB of text to the end`(source: String) throws {
    let text = String(repeating: "two friends walk along an old river in 2024, ", count: 45)
    let texts = Array(repeating: Array(text.utf8), count: 49) + [Array((text + "and then on to mannheim").utf8)]
    var search = Pattern.Search(try Pattern(source, ignoresCase: true))
    var budget = Filter.Budget()
    // A hundredth of both, to save time.
    budget.stepCount /= 100
    #expect(texts.reduce(0) { $0 + $1.count } >= 10_000_000 / 100)
    let matches = texts.map { text in text.withUnsafeBufferPointer { search.matches($0, &budget) } }
    #expect(matches.last == true && !matches.dropLast().contains(true) && !budget.isExhausted)
  }

  @Test func `no text matches once the budget of steps is used up`() throws {
    var search = Pattern.Search(try Pattern("a+b", ignoresCase: false))
    var budget = Filter.Budget()
    budget.stepCount = 1_500
    func matches(_ text: String) -> Bool {
      Array(text.utf8).withUnsafeBufferPointer { search.matches($0, &budget) }
    }
    #expect(matches("ab") && !budget.isExhausted)
    #expect(!matches(String(repeating: "a", count: 2_000)) && budget.isExhausted)
    #expect(!matches("ab"))
  }

  @Test func `expressions match the same texts as those of Swift`() throws {
    var random = SeededGenerator(seed: 7)
    func expression(_ depth: Int) -> String {
      let atoms = ["a", "b", "é", ".", "[ab]", "[^a]", "\\b"]
      guard depth > 0 else { return atoms.randomElement(using: &random) ?? "" }
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        return "(é?\(expression(depth - 1)))" + (["*", "+", "?", "{2}", "{1,3}"].randomElement(using: &random) ?? "")
      case 1: return "(\(expression(depth - 1))|\(expression(depth - 1)))"
      default: return expression(depth - 1) + expression(depth - 1)
      }
    }
    for _ in 0..<300 {
      let source = ["", "^"].randomElement(using: &random).map { $0 + expression(4) } ?? ""
      let known = try Regex(source).wordBoundaryKind(.simple)
      var search = Pattern.Search(try Pattern(source, ignoresCase: false))
      for _ in 0..<10 {
        var budget = Filter.Budget()
        let text = (0..<Int.random(in: 0...8, using: &random)).compactMap { _ in "abé ".randomElement(using: &random) }
        let isMatch = Array(String(text).utf8).withUnsafeBufferPointer { search.matches($0, &budget) }
        #expect(isMatch == (String(text).firstMatch(of: known) != nil), "\(source) in “\(String(text))”")
      }
    }
  }

  @Test func `an ASCII scalar matches the same sets alone and within a text`() throws {
    let scalars = (0..<0x80).compactMap { Unicode.Scalar($0).map(String.init) }
    let sources: [(String, (Character) -> Bool)] = [
      ("[b-y]", { ("b"..."y").contains($0) }), ("[^b-y]", { !("b"..."y").contains($0) }), ("[aeiou]", "aeiou".contains),
      ("\\d", { ("0"..."9").contains($0) }), ("\\.", { $0 == "." }),
      ("[d-k]|[h-z]|5", { ("d"..."z").contains($0) || $0 == "5" }),
      ("\\b", { $0.isLetter || $0.isNumber || $0 == "_" }),
    ]
    for (source, isMember) in sources {
      for scalar in scalars where scalar != "\r" {
        #expect(try matches(source, scalar) == isMember(Character(scalar)), "\(source), \(scalar.debugDescription)")
      }
    }
  }

  @Test func `a scalar beyond ASCII is a member of its sets`() throws {
    let sources: [(String, (String) -> Bool)] = [
      ("[а-я]", { ("а"..."я").contains($0) }), ("[^а-я]", { !("а"..."я").contains($0) }), ("ж", { $0 == "ж" }),
      ("\\w", { !["\u{A0}", "\u{2028}", "«", "٣", "😀"].contains($0) }),
      ("\\s", { ["\u{A0}", "\u{2028}"].contains($0) }),
    ]
    for (source, isMember) in sources {
      for scalar in ["é", "я", "日", "\u{A0}", "\u{2028}", "«", "٣", "😀", "ß", "ж"] {
        #expect(
          try matches("^(?:(?:\(source))|x)*$", scalar) == isMember(scalar), "\(source), \(scalar.debugDescription)")
      }
    }
    for (text, expected) in [("éx", false), ("«x", true), ("日x", false), ("»x", true)] {
      #expect(try matches("\\bx", text) == expected, "\(text)")
    }
  }
}
