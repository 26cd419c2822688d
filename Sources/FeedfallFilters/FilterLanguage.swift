/// The language of filters in examples, for the help.
public enum FilterLanguage {
  /// A filter for each condition, and the videos that it includes.
  public static let examples: [(text: String, meaning: String)] =
    [
      ("spring", "with this text"), ("\"open movie\"", "with this phrase"),
      ("/^part \\d+/i", "that match a regular expression"),
      (">10m <=1h30m", "longer than 10 min, at most 1 h 30 min"),
    ] + FilterParser.fields.map { ($0.text, $0.meaning) } + FilterParser.words.map { ($0.word, $0.meaning) } + [
      ("-trailer", "without this text, or this condition"), ("anna | bert", "with one or the other; (…) for groups"),
    ]

  /// The last word of a filter that is still being typed, if it may become a keyword.
  public struct UnfinishedKeyword: Equatable, Sendable {
    /// The text before the word.
    public let rest: String
    /// The possible completions of the word, such as `sort:` or `sort:newest`.
    public let completions: [String]

    /// Returns nil if the text ends with something else. O(n).
    public init?(endOf text: String) {
      let word = text.reversed().prefix { !$0.isWhitespace && !"|()".contains($0) }
      let term = String(word.reversed().drop { $0 == "-" })
      guard !term.isEmpty else { return nil }
      completions = FilterParser.completions(of: term)
      rest = String(text.dropLast(word.count))
      if completions.isEmpty { return nil }
    }
  }
}
