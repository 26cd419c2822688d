import FeedfallText

/// The words of a search. A match has all of them, each as a word or the start of one. Words between quotation marks are a
/// phrase.
public struct SearchWords: Equatable, Sendable {
  let conditions: [Condition]

  /// Words that follow each other in a video.
  struct Condition: Equatable, Sendable {
    let words: [String]
    /// Whether the last word may be the start of a word.
    let isPrefix: Bool

    /// In the syntax of FTS5. Each word is quoted, so that no text is an operator or a fault.
    var query: String { "\"\(words.joined(separator: " "))\"" + (isPrefix ? "*" : "") }
  }

  private static let maximumCount = 20
  /// In characters.
  private static let maximumLength = 200
  /// A single letter is the start of too many words.
  private static let leastPrefixLength = 2

  /// Returns nil for a text without letters and digits.
  public init?(_ text: String) {
    let conditions = Self.parts(of: cleanedLine(text, limit: Self.maximumLength)).compactMap(Self.condition)
    guard !conditions.isEmpty else { return nil }
    self.conditions = Array(conditions.prefix(Self.maximumCount))
  }

  /// Words, and phrases between quotation marks.
  private static func parts(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false) { "\"“”„‟«»＂".contains($0) }.enumerated().flatMap { number, part in
      number % 2 == 0 ? part.split(separator: " ").map(String.init) : [String(part)]
    }
  }

  private static func condition(_ text: String) -> Condition? {
    let tokens = SearchTokens(text)
    // The last character of a run in the text may be followed by others in the video.
    let words = tokens.endsWithPairs ? tokens.words.dropLast() : tokens.words[...]
    guard let last = words.last else { return nil }
    let isPrefix = !tokens.endsWithPairs && (last.count >= leastPrefixLength || SearchTokens.isDense(last))
    return Condition(words: Array(words), isPrefix: isPrefix)
  }
}

/// The place of the words in a video, best first. Among equals, the video added last comes first.
enum SearchRank: Int, CaseIterable, Sendable {
  /// All words are in the title.
  case title
  /// All words are in the title, the channel or the author.
  case people
  case description

  /// The query for the videos with this rank, in the syntax of FTS5.
  /// - Parameter includesBetter: also returns those with better ranks, which is cheaper.
  func query(_ conditions: String, includesBetter: Bool) -> String {
    switch self {
    case .title: "{title} : (\(conditions))"
    case .people:
      "({title people} : (\(conditions)))" + (includesBetter ? "" : " NOT ({title} : (\(conditions)))")
    case .description: "(\(conditions))" + (includesBetter ? "" : " NOT ({title people} : (\(conditions)))")
    }
  }
}
