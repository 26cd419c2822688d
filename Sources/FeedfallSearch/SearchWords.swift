import FeedfallText

/// The words that a search looks for: a video has all of them, each as a word or the start of one.
public struct SearchWords: Equatable, Sendable {
  /// In the syntax of FTS5. Each word is quoted, so that no text is an operator or a fault.
  let query: String

  private static let maximumCount = 20
  /// In characters.
  private static let maximumLength = 200
  /// A single letter is the start of too many words.
  private static let leastPrefixLength = 2

  /// Returns nil for a text without letters and digits.
  public init?(_ text: String) {
    let words = cleanedLine(text, limit: Self.maximumLength).split(separator: " ").filter { word in
      word.contains { $0.isLetter || $0.isNumber }
    }
    guard !words.isEmpty else { return nil }
    query = words.prefix(Self.maximumCount).map(Self.quoted).joined(separator: " ")
  }

  private static func quoted(_ word: Substring) -> String {
    let isPrefix = word.count >= leastPrefixLength
    return "\"\(word.replacing("\"", with: "\"\""))\"" + (isPrefix ? "*" : "")
  }
}
