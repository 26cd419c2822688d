/// Random numbers that are the same in every run (SplitMix64).
struct Random: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns text with characters whose width is hard to count.
  mutating func text(upTo length: Int) -> String {
    let pieces = [
      "a", "b", "word", " ", "  ", "\n", "\t", "\u{1B}", "\u{9B}", "é", "e\u{301}", "\u{301}", "漢", "字", "、",
      "가", "\u{1100}",
      "\u{1161}", "\u{11A8}", "\u{200D}", "👩‍👩‍👧‍👦", "👍🏽", "❤️", "1️⃣", "🇯🇵", "🇺", "\u{202E}", "\u{200B}", "שלום",
      "\u{1FAE9}", "…", "　",
      "\u{FE0F}", "🌧",
    ]
    return (0..<Int.random(in: 0...length, using: &self)).map { _ in
      Int.random(in: 0..<8, using: &self) == 0 ? anyScalar() : pieces.randomElement(using: &self) ?? ""
    }.joined()
  }

  private mutating func anyScalar() -> String {
    Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &self)).map { String(Character($0)) } ?? ""
  }
}
