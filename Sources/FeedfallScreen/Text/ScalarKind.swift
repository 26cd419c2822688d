/// How a Unicode scalar is shown in cells.
enum ScalarKind: UInt8 {
  /// One cell.
  case narrow
  /// Two cells: East Asian wide and fullwidth characters, emoji.
  case wide
  /// No cell: a combining mark on the character before it.
  case mark
  /// Not shown: controls, format and bidi characters, variation selectors, skin tones, keycaps.
  case dropped
  /// Shown as U+FFFD, because curses does not support it or terminals disagree about its width.
  case replaced
  /// A line break.
  case lineBreak
  /// One blank: tab and the spaces of other widths.
  case blank
  /// A regional indicator, shown as its Latin letter: a flag becomes the country's two letters.
  case letter
}

/// Finds the kinds of scalars. It caches the last range, which makes text in a single script fast.
struct ScalarKindLookup {
  private var lower: UInt32 = 0
  private var upper: UInt32 = 0
  private var kind: ScalarKind = .dropped

  /// Returns the kind of a scalar value. Complexity: O(1) near the last one, else O(log(table size)).
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
