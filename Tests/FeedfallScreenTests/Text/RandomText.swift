import TestSupport

extension SeededGenerator {
  /// Returns text with characters whose width is hard to count.
  mutating func text(upTo length: Int) -> String {
    let pieces = [
      "a", "b", "word", " ", "  ", "\n", "\t", "\u{1B}", "\u{9B}", "é", "e\u{301}", "\u{301}", "漢", "字", "、",
      "가", "\u{1100}",
      "\u{1161}", "\u{11A8}", "\u{200D}", "👩‍👩‍👧‍👦", "👍🏽", "❤️", "1️⃣", "🇯🇵", "🇺", "\u{202E}", "\u{200B}", "שלום",
      "\u{1FAE9}", "…", "　",
      "\u{FE0F}", "🌧", "ж", "½", "★", "का", "\u{FFFD}",
    ]
    return (0..<Int.random(in: 0...length, using: &self)).map { _ in
      Int.random(in: 0..<8, using: &self) == 0 ? anyScalar() : pieces.randomElement(using: &self) ?? ""
    }.joined()
  }

  private mutating func anyScalar() -> String {
    Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &self)).map { String(Character($0)) } ?? ""
  }
}
