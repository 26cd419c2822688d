import FeedfallFilters

/// A fuzzy match: the letters occur in the text in this order, possibly with others between them.
struct FuzzyMatch: Equatable, Sendable {
  /// Folded, without blanks.
  private let letters: [UInt8]

  /// In bytes; further letters are ignored.
  private static let maximumLength = 64
  /// Of places where a match may begin; later ones are ignored.
  private static let maximumStartCount = 16
  private static let (consecutive, wordStart, textStart) = (8, 6, 4)

  /// Nil for a text without letters.
  init?(_ needle: String) {
    letters = folded(needle).filter { $0 != UInt8(ascii: " ") }.prefix(Self.maximumLength).map(\.self)
    if letters.isEmpty { return nil }
  }

  /// Returns the score of the best match, which is higher for consecutive letters and for starts of words; nil if the
  /// letters do not occur. `text` is folded. O(n) in its length.
  func score(in text: [UInt8]) -> Int? {
    var (best, start) = (nil as Int?, 0)
    for _ in 0..<Self.maximumStartCount {
      guard let first = text[start...].firstIndex(of: letters[0]), let score = score(in: text, from: first) else {
        return best
      }
      best = max(best ?? score, score)
      start = first + 1
    }
    return best
  }

  private func score(in text: [UInt8], from first: Int) -> Int? {
    var (score, next) = (first == 0 ? Self.textStart : 0, first)
    for letter in letters {
      guard let place = text[next...].firstIndex(of: letter) else { return nil }
      if place == next, place > first { score += Self.consecutive }
      if place == 0 || !text[place - 1].isInWord { score += Self.wordStart }
      score -= min(place - next, 3)
      next = place + 1
    }
    return score
  }
}

extension UInt8 {
  fileprivate var isInWord: Bool {
    self >= 0x80 || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
