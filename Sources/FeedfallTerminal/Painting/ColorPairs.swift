extension CursesPainter {
  /// Assigns numbers to pairs of colors, as curses needs them.
  struct ColorPairs {
    private var numbers: [UInt64: Int32] = [:]
    private let capacity: Int

    /// - Parameter capacity: the number of pairs of the terminal, including the constant pair 0.
    init(capacity: Int) { self.capacity = capacity }

    var count: Int { numbers.count }

    /// Returns the number of a pair (-1 is the default color) and whether it is new; nil if none is left.
    mutating func number(foreground: Int32, background: Int32) -> (pair: Int32, isNew: Bool)? {
      guard foreground >= 0 || background >= 0 else { return (0, false) }
      let key = UInt64(UInt32(bitPattern: foreground)) << 32 | UInt64(UInt32(bitPattern: background))
      if let known = numbers[key] { return (known, false) }
      guard numbers.count + 1 < capacity else { return nil }
      let new = Int32(numbers.count + 1)
      numbers[key] = new
      return (new, true)
    }

    /// Releases all numbers; cells that use them must be drawn again.
    mutating func removeAll() { numbers.removeAll(keepingCapacity: true) }
  }
}
