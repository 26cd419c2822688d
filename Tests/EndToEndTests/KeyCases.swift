import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallApp
@testable import FeedfallTerminal

/// The input of a terminal, as the program decodes it.
enum KeyCases {
  static let answers = "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?0u\u{1B}[6;16;8t\u{1B}[?62;22c"

  static func keys(_ pieces: String...) -> [Key] {
    var decoder = InputDecoder()
    let items = pieces.flatMap { decoder.decode(Array($0.utf8)) + decoder.flush() }
    return items.compactMap { if case .event(.key(let key)) = $0 { key } else { nil } }
  }

  /// The text and the cursor of a prompt after what a terminal has sent.
  static func prompt(_ start: String, _ sent: String) -> String {
    var prompt = Prompt(needle: start)
    var decoder = InputDecoder()
    for item in decoder.decode(Array(sent.utf8)) + decoder.flush() {
      switch item {
      case .event(.key(let key)): _ = prompt.handle(Prompt.Input(key, .standard))
      case .event(.paste(let text)): prompt.paste(text)
      default: break
      }
    }
    return prompt.textBeforeCursor + "|" + prompt.textAfterCursor
  }

  static func paste(_ text: String) -> String { "\u{1B}[200~\(text)\u{1B}[201~" }

  /// Runs the program in a terminal that has answered, types, and returns the output up to a text.
  static func output(
    after typed: [String], upTo text: String, answers: String = answers, environment: [String: String] = [:]
  ) async throws -> String {
    try await onThread {
      let terminal = try ScriptedTerminal(Feedfall.path, environment: environment)
      try terminal.waitFor("\u{1B}[c")
      terminal.type(answers)
      try terminal.waitFor("Elephants Dream")
      for piece in typed { terminal.type(piece) }
      return try terminal.waitFor(text)
    }
  }

  /// Runs the program from a shell, quits it, then sends the answers in pieces; returns what the shell would read.
  static func unread(_ answers: String, environment: [String: String]) async throws -> String {
    try await onThread {
      let terminal = try ScriptedTerminal(
        "/bin/sh", "-c",
        """
        "\(Feedfall.path)"
        printf 'unread<%s>' "$(stty -icanon min 0 time 0; dd bs=4096 count=1 2>/dev/null | tr -cd '[:print:]')"
        """, environment: environment)
      try terminal.waitFor("Elephants Dream")
      terminal.type("q")
      for piece in [answers.prefix(9), answers.dropFirst(9).prefix(20), answers.dropFirst(29)] {
        terminal.type(String(piece))
      }
      try terminal.waitFor("unread<")
      return String(try terminal.waitFor(">").dropLast())
    }
  }
}
