import FeedfallScreen

/// Measures how many cells a few characters take, by writing each and querying the column of the cursor (DSR 6). The
/// characters stay on the screen until it is cleared.
struct WidthProbe {
  enum Outcome: Equatable {
    case unknown
    /// It shows each byte as a character.
    case notUTF8
    case widths(TextWidths)
  }

  /// An ambiguous letter, a letter with a vowel sign, a sign of uncertain width, a line, and a dot.
  private static let samples = ["é", "का", "㊙", "─", "●"]
  static let query = Array((samples.map { "\r\($0)\u{1B}[6n" }.joined() + "\r").utf8)

  private(set) var outcome = Outcome.unknown
  private var widths: [Int] = []

  /// `column` counts from 1.
  mutating func add(column: Int) {
    if widths.count <= Self.samples.count { widths.append(column - 1) }
  }

  /// Call it when a later query is answered. Returns whether the widths of text have changed.
  mutating func finish() -> Bool {
    defer { widths = [] }
    guard widths.count == Self.samples.count, widths.allSatisfy({ (1...6).contains($0) }) else { return false }
    let before = outcome
    outcome = Self.outcome(of: widths)
    return outcome != before && (before != .unknown || outcome != .widths(TextWidths()))
  }

  private static func outcome(of widths: [Int]) -> Outcome {
    // Two bytes, and six, two of which may be controls.
    if widths[0] == 2, widths[1] >= 4 { return .notUTF8 }
    var found = TextWidths()
    found.marksTakeCells = widths[1] != 1
    found.ambiguousIsWide = [widths[0], widths[3], widths[4]].count { $0 == 2 } >= 2
    return .widths(found)
  }
}
