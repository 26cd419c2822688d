import FeedfallText

/// The words of a search. A match has all of them, each as a word or the start of one. Words between quotation marks are a
/// phrase.
public struct SearchWords: Equatable, Sendable {
  /// In the syntax of FTS5. Each word is quoted, so that no text is an operator or a fault.
  private let conditions: String

  private static let maximumCount = 20
  /// In characters.
  private static let maximumLength = 200
  /// A single letter is the start of too many words.
  private static let leastPrefixLength = 2

  /// Returns nil for a text without letters and digits.
  public init?(_ text: String) {
    let conditions = Self.parts(of: cleanedLine(text, limit: Self.maximumLength)).compactMap(Self.condition)
    guard !conditions.isEmpty else { return nil }
    self.conditions = conditions.prefix(Self.maximumCount).joined(separator: " AND ")
  }

  /// Words, and phrases between quotation marks.
  private static func parts(of text: String) -> [String] {
    text.split(omittingEmptySubsequences: false) { "\"“”„‟«»＂".contains($0) }.enumerated().flatMap { number, part in
      number % 2 == 0 ? part.split(separator: " ").map(String.init) : [String(part)]
    }
  }

  private static func condition(_ text: String) -> String? {
    let tokens = SearchTokens(text)
    // The last character of a run in the text may be followed by others in the video.
    let words = tokens.endsWithPairs ? tokens.words.dropLast() : tokens.words[...]
    guard let last = words.last else { return nil }
    let isPrefix = !tokens.endsWithPairs && (last.count >= leastPrefixLength || SearchTokens.isDense(last))
    return "\"\(words.joined(separator: " "))\"" + (isPrefix ? "*" : "")
  }

  /// The query for the videos with a rank.
  func query(_ rank: SearchRank) -> String {
    let all = "(\(conditions))"
    return switch rank {
    case .title: "{title} : \(all)"
    case .people: "({title people} : \(all)) NOT ({title} : \(all))"
    case .description: "\(all) NOT ({title people} : \(all))"
    }
  }
}

/// The place of the words in a video, best first. Among equals, the video added last comes first.
enum SearchRank: Int, CaseIterable, Sendable {
  /// All words are in the title.
  case title
  /// All words are in the title, the channel or the author.
  case people
  case description
}
