extension ScalarTable {
  enum Kind: UInt8 {
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
    case lineBreak
    /// One blank: tab and the spaces of other widths.
    case blank
    /// A regional indicator, shown as its Latin letter: a flag becomes the country's two letters.
    case letter
  }

  /// Where a line may break beside a scalar, if it or its neighbor is wide (UAX #14, in five classes).
  enum BreakClass: UInt8 {
    case other
    /// Closing brackets, marks after a word, small kana: no line starts with it.
    case closing
    /// Opening brackets and signs before a number: no line ends with it.
    case opening
    /// Straight quotation marks: both.
    case joining
    /// Dashes, which stay together.
    case dash

    func allowsBreak(before next: BreakClass) -> Bool {
      switch (self, next) {
      case (.opening, _), (.joining, _), (_, .closing), (_, .joining), (.dash, .dash): false
      default: true
      }
    }
  }

  static func isAmbiguous(_ value: UInt32) -> Bool {
    guard value >= 0xA1 else { return false }
    var low = 0
    var high = ambiguous.count
    while low < high {
      let middle = (low + high) / 2
      if ambiguous[middle] <= value { low = middle + 1 } else { high = middle }
    }
    return low % 2 == 1
  }

  /// Caches the last range, which makes text in a single script fast.
  struct Lookup {
    private var lower: UInt32 = 0
    private var upper: UInt32 = 0
    private var entry: UInt32 = 0
    private var kind: Kind = .dropped

    mutating func callAsFunction(_ value: UInt32) -> Kind {
      if value < lower || value >= upper { find(value) }
      return kind
    }

    mutating func breakClass(of value: UInt32) -> BreakClass {
      if value < lower || value >= upper { find(value) }
      return BreakClass(rawValue: UInt8(truncatingIfNeeded: entry >> 3 & 7)) ?? .other
    }

    /// Whether terminals disagree about the width.
    mutating func isWidthUncertain(_ value: UInt32) -> Bool {
      if value < lower || value >= upper { find(value) }
      return entry & 1 << 6 != 0
    }

    private mutating func find(_ value: UInt32) {
      let boundaries = ScalarTable.boundaries
      var low = 0
      var high = boundaries.count
      while high - low > 1 {
        let middle = (low + high) / 2
        if boundaries[middle] >> 7 <= value { low = middle } else { high = middle }
      }
      lower = boundaries[low] >> 7
      upper = high < boundaries.count ? boundaries[high] >> 7 : .max
      entry = boundaries[low]
      kind = Kind(rawValue: UInt8(truncatingIfNeeded: entry & 7)) ?? .replaced
    }
  }
}
