/// A page in the macros of man(7), made of the Markdown of the manual.
struct Roff {
  private(set) var text: String
  /// Whether a paragraph needs no macro, as after a heading.
  private var isFresh = true

  /// The date is fixed, so that equal declarations make equal pages.
  init(_ title: String, _ section: Int, _ name: String, _ summary: String) {
    text = ".TH \(title) \(section) 2026-11-27 feedfall\n.ad l\n.SH NAME\n\(Self.escaped(name)) \\- \(summary)\n"
  }

  mutating func section(_ title: String, _ blocks: [Markdown.Block] = []) {
    text += ".SH \(title.uppercased())\n"
    add(blocks)
  }

  mutating func subsection(_ title: String, _ blocks: [Markdown.Block]) {
    text += ".SS \(title)\n"
    add(blocks)
  }

  private mutating func add(_ blocks: [Markdown.Block]) {
    isFresh = true
    for block in blocks { add(block) }
  }

  private mutating func add(_ block: Markdown.Block) {
    switch block {
    case .heading(let title): text += ".SS \(title)\n"
    case .paragraph(let paragraph):
      if !isFresh { text += ".PP\n" }
      text += Self.lines(paragraph)
    case .code(let lines):
      if !isFresh { text += ".PP\n" }
      text += ".RS 2\n.EX\n" + lines.map { Self.line(Self.code($0)) + "\n" }.joined() + ".EE\n.RE\n"
    case .table(let rows):
      for row in rows { text += ".TP\n\(Self.line(Self.inline(row.term)))\n\(Self.lines(row.meaning))" }
    }
    isFresh = if case .heading = block { true } else { false }
  }

  /// Each sentence on lines of its own, of at most 79 characters, as mandoc counts them: `\[u2026]` for `…`.
  private static func lines(_ paragraph: String) -> String {
    var (text, length, endsSentence) = ("", 0, false)
    for word in words(of: paragraph) {
      if length > 0, endsSentence || length + 1 + size(of: word) > 79 {
        text += "\n"
        length = 0
      }
      text += length == 0 ? line(word) : " " + word
      length += size(of: word) + (length == 0 ? 0 : 1)
      endsSentence = word.last.map { ".?!".contains($0) } == true || word.hasSuffix(".)")
    }
    return text + "\n"
  }

  private static func size(of word: String) -> Int { word.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 8) } }

  /// Blanks in code do not end a line, but may be as wide as the others.
  private static func words(of paragraph: String) -> [String] {
    inline(paragraph).split(separator: " ").map(String.init)
  }

  private static func inline(_ text: String) -> String {
    let plain = text.replacing(#/\[([^\]]+)\]\([^)]+\)/#) { $0.1 }
    return plain.split(separator: "`", omittingEmptySubsequences: false).enumerated().map { number, part in
      number % 2 == 1 ? "\\fB\(code(String(part)))\\fP" : escaped(String(part))
    }.joined()
  }

  /// A line that starts with a point or an apostrophe would be a macro.
  private static func line(_ text: String) -> String {
    [".", "'"].contains(where: text.hasPrefix) ? "\\&" + text : text
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("^", with: "\\(ha").replacing("~", with: "\\(ti")
  }

  private static func code(_ text: String) -> String {
    escaped(text).replacing("-", with: "\\-").replacing("'", with: "\\(aq").replacing("\"", with: "\\(dq")
  }
}
