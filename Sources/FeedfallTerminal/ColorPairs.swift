/// The numbers that curses needs for pairs of colours, given out as they are asked for.
struct ColorPairs {
  private var numbers: [UInt64: Int32] = [:]
  private let capacity: Int

  /// - Parameter capacity: how many pairs the terminal has, the unchangeable pair 0 included.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// How many numbers are in use.
  var count: Int { numbers.count }

  /// The number of a pair of colours (-1 is the terminal's own) and whether it is given out just now;
  /// nil when all are in use.
  mutating func number(foreground: Int32, background: Int32) -> (pair: Int32, isNew: Bool)? {
    guard foreground >= 0 || background >= 0 else { return (0, false) }
    let key = UInt64(UInt32(bitPattern: foreground)) << 32 | UInt64(UInt32(bitPattern: background))
    if let known = numbers[key] { return (known, false) }
    guard numbers.count + 1 < capacity else { return nil }
    let new = Int32(numbers.count + 1)
    numbers[key] = new
    return (new, true)
  }

  /// Makes all numbers free again; what was drawn with them is to be drawn anew.
  mutating func forgetAll() {
    numbers.removeAll(keepingCapacity: true)
  }
}
