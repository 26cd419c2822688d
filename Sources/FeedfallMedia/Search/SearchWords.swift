import FeedfallFilters
import FeedfallText

/// The words of a search. A match has all of them, whole or as the start of a word; quotation marks enclose a phrase.
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

  /// The place of the words in a video, best first. Among equals, the video added last comes first.
  enum Rank: Int, CaseIterable, Sendable {
    case title
    /// All words are in the title, the channel or the author.
    case people
    case description

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
}

/// The words of a text as the index stores them: folded, and as pairs of characters in scripts without blanks.
/// `Die Brücke` becomes `die brucke`. `東京都` becomes `東京 京都 都`, so that any part of it begins with one of these, and
/// `C++` becomes `c c++`, so that both are found.
struct SearchTokens {
  private(set) var words: [String] = []
  /// Whether the last word is only the last character of the pair before it.
  private(set) var endsWithPairs = false

  init(_ text: String) {
    let scalars = Array(String(decoding: folded(text), as: UTF8.self).unicodeScalars)
    var place = 0
    while place < scalars.count {
      let kind = Kind(scalars[place])
      var end = place + 1
      while end < scalars.count, Kind(scalars[end]) == kind { end += 1 }
      let run = scalars[place..<end]
      place = end
      switch kind {
      case .separator: continue
      case .word: append(word: run, before: scalars[end...], &place)
      case .dense: append(dense: run)
      }
      endsWithPairs = kind == .dense && run.count > 1
    }
  }

  var text: String { words.joined(separator: " ") }

  /// Appends a word, and again with the signs of a name such as `C++`, `C#` or `Disney+`.
  private mutating func append(
    word: ArraySlice<Unicode.Scalar>, before rest: ArraySlice<Unicode.Scalar>, _ end: inout Int
  ) {
    words.append(Self.text(word))
    let signs = rest.prefix(2).prefix { $0 == rest.first && ($0 == "+" || $0 == "#") }
    guard !signs.isEmpty else { return }
    let following = rest.dropFirst(signs.count).first
    let joinsWords = signs.count == 1 && following.map { Kind($0) != .separator } ?? false
    guard !joinsWords, signs != ["#", "#"] else { return }
    words.append(Self.text(word + signs))
    end += signs.count
  }

  private mutating func append(dense run: ArraySlice<Unicode.Scalar>) {
    for place in run.indices.dropLast() { words.append(Self.text(run[place...place + 1])) }
    words.append(Self.text(run.suffix(1)))
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }

  static func isDense(_ word: String) -> Bool { word.unicodeScalars.first.map { Kind($0) == .dense } ?? false }

  private enum Kind {
    case separator, word, dense

    init(_ scalar: Unicode.Scalar) {
      switch scalar {
      case "a"..."z", "0"..."9": self = .word
      case "\0"..."\u{7F}": self = .separator
      default: self = !Self.isPartOfWord(scalar) ? .separator : Self.isDense(scalar) ? .dense : .word
      }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil { return true }
      return switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: true
      default: false
      }
    }

    /// Thai, Lao, Burmese, Khmer, Hangul, Kana and Han. Hangul has blanks, but its words also have endings.
    private static func isDense(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.value {
      case 0xE00...0xEFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF, 0x2E80...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7FF, 0xF900...0xFAFF, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
        true
      default: false
      }
    }
  }
}
