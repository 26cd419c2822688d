import FeedfallText

/// A filter and an order as the user writes them: `blender -trailer >10m sort:newest`.
public struct FilterQuery: Equatable, Sendable {
  /// The text without blanks around it.
  public let text: String
  public let filter: Filter
  /// Nil if the text has no `sort:`.
  public let order: VideoOrder?
  /// An operator of other query languages, to explain why a filter includes nothing.
  public let foreignOperator: ForeignOperator?

  /// The longest text in bytes.
  public static let maximumLength = 10_000

  /// Excludes only hidden videos.
  public static let empty = FilterQuery(text: "", filter: .everything, order: nil)

  /// The queue in its order.
  public static let queue = FilterQuery(
    text: "queued sort:queue", filter: Filter([.test(.state(.queued))]), order: .queue)

  /// The played videos, the last one first.
  public static let history = FilterQuery(
    text: "played sort:played", filter: Filter([.test(.state(.played))]), order: .played)

  /// The downloads, complete or not, also those of hidden videos, the last one first.
  public static let downloads = FilterQuery(
    text: "downloads sort:downloaded",
    filter: Filter([
      .test(.state(.download)), .any([.test(.state(.hidden)), .not(.test(.state(.hidden)))]),
    ]), order: .downloaded)

  private init(text: String, filter: Filter, order: VideoOrder?, _ foreignOperator: ForeignOperator? = nil) {
    (self.text, self.filter, self.order, self.foreignOperator) = (text, filter, order, foreignOperator)
  }

  /// Parses a text; throws its first fault. O(n).
  public init(_ text: String) throws(FilterError) {
    guard text.utf8.count <= Self.maximumLength else {
      throw FilterError(
        at: 1, "the filter has more than \(Self.maximumLength) bytes", advice: "Write a shorter one.")
    }
    var parser = FilterParser(text)
    let conditions = try parser.parsed()
    self.init(text: parser.trimmedText, filter: Filter(conditions), order: parser.order, parser.foreignOperator)
  }

  /// Returns the query with another order in place of its own, also in the text; nil if it has none. O(n).
  public func ordered(by order: VideoOrder) -> FilterQuery? {
    var parser = FilterParser(text)
    guard (try? parser.parsed()) != nil else { return nil }
    return parser.text(orderedBy: order).flatMap { try? FilterQuery($0) }
  }

  /// The query for the videos that all queries include, in this order; nil if its text would be too long. O(n).
  public static func joining(_ queries: [FilterQuery], sortedBy order: VideoOrder? = nil) -> FilterQuery? {
    let texts = queries.map { query in
      var parser = FilterParser(query.text)
      _ = try? parser.parsed()
      return parser.textWithoutOrder
    }
    .filter { !$0.isEmpty }
    let parts =
      texts.map { texts.count > 1 && $0.contains(where: FilterParser.bars.contains) ? "(\($0))" : $0 }
      + (order.map { ["sort:\($0.rawValue)"] } ?? [])
    return try? FilterQuery(parts.joined(separator: " "))
  }

  /// The query for the videos of the sources with this tag; nil if the tag is too long for a filter.
  public static func sources(tagged tag: String) -> FilterQuery? {
    try? FilterQuery("tag:=" + FilterParser.phrase(tag))
  }

  /// The query for the videos of the sources with this name; nil if the name is too long for a filter.
  public static func source(named name: String) -> FilterQuery? {
    try? FilterQuery("source:=" + FilterParser.phrase(name))
  }

  /// A word of a filter that is an operator in other query languages, but not here.
  public struct ForeignOperator: Equatable, Sendable {
    /// The advice, as a sentence.
    public let text: String

    init?(_ word: String, isField: (String) -> Bool) {
      // Each key of a filter comes here, and characters cost much more than bytes.
      guard
        word.utf8.count <= 3 && word.utf8.first.map(Self.beginsWord) == true || word.utf8.contains(where: Self.isOfSign)
      else { return nil }
      let shown = cleanedLine(word, limit: 40)
      switch word.lowercased() {
      case "or": text = "“\(shown)” is a word here. Write “|” for or."
      case "and", "&&", "&":
        text = "“\(shown)” is a word here. Leave it out: conditions side by side must all hold."
      case let other where other == "not" || other.hasPrefix("!"):
        text = "“\(shown)” is a word here. Write “-” for not."
      case let other:
        let name = other.prefix { !"=!<>≤≥".contains($0) }
        guard name.count < other.count, name.isEmpty || isField(String(name)) else { return nil }
        text = "“\(shown)” is a word here. Write “title:text” to search a field."
      }
    }

    private static func beginsWord(_ byte: UInt8) -> Bool { "oanOAN".utf8.contains(byte) }

    /// Whether a byte may belong to a sign: `≤` and `≥` begin with 0xE2.
    private static func isOfSign(_ byte: UInt8) -> Bool { byte == 0xE2 || "=!<>&".utf8.contains(byte) }
  }
}

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
