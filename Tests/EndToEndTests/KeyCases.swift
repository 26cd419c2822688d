import FeedfallScreen
import TestSupport
import Testing

@testable import FeedfallApp
@testable import FeedfallTerminal

/// The input of a terminal, as the program decodes it.
enum KeyCases {
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
}
