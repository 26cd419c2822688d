/// The language of filters in examples, for the help.
public enum FilterLanguage {
  /// A filter for each kind of condition, and the videos that it includes.
  public static let examples: [(text: String, meaning: String)] = [
    ("spring", "with this text"),
    ("\"open movie\"", "with this phrase"),
    ("title:spring", "in the title; also channel:, description:"),
    ("source:talks", "of sources with this text in their name"),
    ("/^part \\d+/i", "that match a regular expression"),
    ("lang:de", "with audio in this language"),
    (">10m <=1h30m", "longer than 10 min, at most 1 h 30 min"),
    ("length:20m..90m", "with a length in this range"),
    ("since:2w", "of the last two weeks; also h, d, m, y"),
    ("before:2024-05", "published before May 2024"),
    ("new", "added by the last refresh"),
    ("unwatched", "also watched, begun, starred, live, short"),
    ("hidden", "hidden videos, otherwise left out"),
    ("-trailer", "without this text, or this condition"),
    ("anna | bert", "with one or the other; (…) for groups"),
    ("sort:longest", "in this order; sort: lists all orders"),
  ]
}

extension FilterLanguage {
  /// The last word of a filter that is still being typed, if it may become a keyword.
  public struct UnfinishedKeyword: Equatable, Sendable {
    /// The text before the word.
    public let rest: String
    /// The possible completions of the word, such as `sort:` or `sort:newest`.
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
