import ArgumentParser
import CFeedfall
import FeedfallScreen
import FeedfallTerminal
import FeedfallText

struct HelpCommand: ExitingCommand {
  static let configuration = CommandConfiguration(
    commandName: "feedfall help", abstract: "Print a topic of the manual, or the options of a command.",
    discussion: "Without a topic, lists all topics. In a pipe, the output is Markdown.")

  @Argument(
    help: "A topic or a command.", completion: .list(Topic.all.map(\.name) + FeedfallCommand.words))
  var topic: String?

  func run() -> Int32 {
    guard let name = topic?.lowercased() else {
      print(Topic.list)
      return ExitStatus.success
    }
    if let word = FeedfallCommand.Word(rawValue: name) {
      print(word.command.helpMessage())
      return ExitStatus.success
    }
    guard let found = Topic.all.first(where: { $0.name == name }) else {
      let names = Topic.all.map(\.name)
      let similar = similarName(to: name, among: names + FeedfallCommand.words).map { " Did you mean \($0)?" } ?? ""
      printError(
        "Could not find “\(topic ?? "")” in the manual.\(similar) The topics are \(names.joined(separator: ", ")).")
      return ExitStatus.usage
    }
    printUnchanged(TerminalSurvey.outputStyle.map { Page(found.text, $0).text } ?? found.text)
    return ExitStatus.success
  }

  /// A topic of the manual. Its first line has its name and its summary: `# Keys: …`.
  struct Topic {
    let name: String
    let summary: String
    let text: String

    static let all = UnsafeRawBufferPointer(start: manual_bytes(), count: manual_byte_count()).split(separator: 0)
      .map { Topic(String(decoding: $0, as: UTF8.self)) }

    private init(_ text: String) {
      let heading = text.prefix { $0 != "\n" }.dropFirst(2)
      name = heading.prefix { $0 != ":" }.lowercased()
      summary = String(heading.drop { $0 != ":" }.dropFirst(2))
      self.text = text
    }

    static var list: String {
      let rows = all.map { "  \($0.name)\(String(repeating: " ", count: 17 - $0.name.utf8.count))\($0.summary)\n" }
      let commands = TextWidths().wrapped(FeedfallCommand.words.joined(separator: ", "), width: 80, maximumLines: 9)
      return "feedfall help TOPIC prints a topic of the manual:\n\n\(rows.joined())"
        + "\nfeedfall --help lists the options, feedfall help COMMAND those of a command:\n"
        + commands.joined(separator: "\n")
    }
  }

  /// A topic as text for a terminal. Its Markdown has headings, paragraphs, code and tables of two columns.
  struct Page {
    private(set) var text = ""
    private let style: TerminalSurvey.OutputStyle
    private let columns: Int
    private var paragraph = ""
    private var rows: [(term: String, meaning: String)] = []

    init(_ markdown: String, _ style: TerminalSurvey.OutputStyle) {
      self.style = style
      // Longer lines are hard to read.
      columns = min(style.columns, 120)
      var isCode = false
      for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
        if line.hasPrefix("```") {
          isCode.toggle()
        } else if isCode {
          text += "  \(line)\n"
        } else if line.hasPrefix("#") {
          text += style.bold + line.drop { "# ".contains($0) } + style.plain + "\n"
        } else if line.hasPrefix("|") {
          let cells = line.replacing("\\|", with: "\0").split(separator: "|")
          let texts = cells.map { $0.split(separator: " ").joined(separator: " ").replacing("\0", with: "|") }
          rows.append((texts[0], texts[1]))
        } else if line.isEmpty {
          endBlock()
          text += "\n"
        } else {
          paragraph += "\(line) "
        }
      }
      endBlock()
    }

    /// Writes the paragraph or the table, without the two rows of its head.
    private mutating func endBlock() {
      for line in lines(of: paragraph, indentation: 0) { text += "\(line)\n" }
      paragraph = ""
      let widths = rows.dropFirst(2).map { width(of: $0.term) }
      // A longer term has a line of its own.
      let indentation = 2 + (widths.filter { $0 <= min(24, columns / 3) }.max() ?? 2) + 2
      for (row, width) in zip(rows.dropFirst(2), widths) {
        let term = lines(of: row.term, indentation: 2).joined(separator: "\n")
        let meaning = lines(of: row.meaning, indentation: indentation).joined(separator: "\n")
        let fits = 2 + width + 2 <= indentation
        text += fits ? term + meaning.dropFirst(2 + width) : "\(term)\n\(meaning)"
        text += "\n"
      }
      rows = []
    }

    /// The width of a text without its marks of code, which bold text replaces.
    private func width(of text: String) -> Int {
      TextWidths().width(of: style.bold.isEmpty ? text : text.replacing("`", with: ""))
    }

    private func lines(of text: String, indentation: Int) -> [String] {
      let margin = String(repeating: " ", count: indentation)
      let lines = TextWidths().wrapped(text, width: max(20, columns - indentation), maximumLines: 1_000)
      guard !style.bold.isEmpty else { return lines.map { margin + $0 } }
      var isCode = false
      return lines.map { line in
        var result = margin + (isCode ? style.bold : "")
        for character in line {
          if character == "`" { isCode.toggle() }
          result += character != "`" ? String(character) : isCode ? style.bold : style.plain
        }
        return isCode ? result + style.plain : result
      }
    }
  }
}
