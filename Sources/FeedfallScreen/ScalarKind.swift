/// How a Unicode scalar is shown in cells.
enum ScalarKind: UInt8 {
  /// One cell.
  case narrow
  /// Two cells: East Asian wide and fullwidth characters, emoji.
  case wide
  /// No cell of its own: a mark on the character before it.
  case mark
  /// Nothing at all: controls, format and bidi characters, variation selectors, skin tones, keycaps.
  case dropped
  /// U+FFFD, because curses does not know it, or because terminals disagree about its width.
  case replaced
  /// The end of a line.
  case lineBreak
  /// One blank: tab and the spaces of other widths.
  case blank
  /// The Latin letter that a regional indicator stands for, so that a flag is its country's two letters.
  case letter
}

/// Finds the kinds of scalars; quick for text that stays in one script, as it remembers the last answer's range.
struct ScalarKindLookup {
  private var lower: UInt32 = 0
  private var upper: UInt32 = 0
  private var kind: ScalarKind = .dropped

  /// The kind of the scalar with this value. Complexity: O(1) near the last one, else O(log of the table).
  mutating func callAsFunction(_ value: UInt32) -> ScalarKind {
    if value < lower || value >= upper { find(value) }
    return kind
  }

  private mutating func find(_ value: UInt32) {
    let boundaries = ScalarTable.boundaries
    var low = 0
    var high = boundaries.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if boundaries[middle] >> 4 <= value { low = middle } else { high = middle }
    }
    lower = boundaries[low] >> 4
    upper = high < boundaries.count ? boundaries[high] >> 4 : .max
    kind = ScalarKind(rawValue: UInt8(truncatingIfNeeded: boundaries[low] & 0xF)) ?? .replaced
  }
}
