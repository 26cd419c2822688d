import FeedfallFilters

/// The words of a text as the index stores them: folded, and as pairs of characters in scripts without blanks.
///
/// `Die Brücke` becomes `die brucke`. `東京都` becomes `東京 京都 都`, so that any part of it begins with one of these, and
/// `C++` becomes `c c++`, so that both are found.
struct SearchTokens {
  private(set) var words: [String] = []
  /// Whether the last word is only the last character of the pair before it.
  private(set) var endsWithPairs = false

  /// - Complexity: O(n).
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
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }

  /// Whether a word is of a script without blanks.
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
