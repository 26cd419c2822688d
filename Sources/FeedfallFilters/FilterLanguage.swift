/// The language of filters in examples, for the help.
public enum FilterLanguage {
  /// A filter with the videos that it includes.
  public struct Example: Equatable, Sendable {
    public let text: String
    public let meaning: String

    fileprivate init(_ text: String, _ meaning: String) { (self.text, self.meaning) = (text, meaning) }
  }

  /// One example of each kind of condition.
  public static let examples = [
    Example("spring", "with this text"),
    Example("\"open movie\"", "with this phrase"),
    Example("title:spring", "in the title; also channel:, description:"),
    Example("source:talks", "of sources with this text in their name"),
    Example("/^part \\d+/i", "that match a regular expression"),
    Example("lang:de", "with audio in this language"),
    Example(">10m <=1h30m", "longer than 10 min, at most 1 h 30 min"),
    Example("length:20m..90m", "with a length in this range"),
    Example("since:2w", "of the last two weeks; also h, d, m, y"),
    Example("before:2024-05", "published before May 2024"),
    Example("new", "added by the last refresh"),
    Example("unwatched", "also watched, begun, starred, live, short"),
    Example("hidden", "hidden videos, otherwise left out"),
    Example("-trailer", "without this text, or this condition"),
    Example("anna | bert", "with one or the other; (…) for groups"),
    Example("sort:longest", "in this order; sort: lists all orders"),
  ]
}

extension FilterLanguage {
  /// The last word of a filter that is still being typed, if it may become a keyword.
  public struct UnfinishedKeyword: Equatable, Sendable {
    /// The text before the word.
    public let rest: String
    /// What the word may become, such as `sort:` or `sort:newest`.
    public let completions: [String]

    /// Returns nil if the text ends with something else.
    ///
    /// - Complexity: O(n).
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
