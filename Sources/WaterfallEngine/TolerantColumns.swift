/// A few columns' ends, of which the next one in reading order is taken that is not much longer than the shortest.
struct TolerantColumns<let count: Int> {
  /// Unused columns end far below all others.
  private(set) var ends = InlineArray<count, Int>(repeating: 1 << 61)
  private let used: Int
  private let tolerance: Int
  private var cursor: Int

  init(_ ends: ContiguousArray<Int>, _ tolerance: Int, after last: Int?) {
    for column in ends.indices { self.ends[column] = ends[column] }
    used = ends.count
    self.tolerance = tolerance
    cursor = last.map { $0 + 1 < ends.count ? $0 + 1 : 0 } ?? 0
  }

  /// Takes a column for an item of a length and answers it.
  @inline(__always)
  mutating func take(_ length: Int) -> Int {
    var shortest = ends[0]
    for column in 1..<count { shortest = min(shortest, ends[column]) }
    let limit = shortest &+ tolerance
    // Mostly it is the next one, so that this is guessed right before the shortest is known.
    let column = ends[cursor] <= limit ? cursor : next(limit)
    ends[column] &+= length
    cursor = column &+ 1 == used ? 0 : column &+ 1
    return column
  }

  /// The first column behind the cursor, and around, that ends at or above the limit. Without branches: which one it is
  /// would be guessed wrong too often.
  private func next(_ limit: Int) -> Int {
    var allowed: UInt32 = 0
    for column in 0..<count { allowed |= (ends[column] <= limit ? 1 : 0) << UInt32(column) }
    let ahead = (allowed >> UInt32(cursor)) << UInt32(cursor)
    return (ahead == 0 ? allowed : ahead).trailingZeroBitCount
  }
}

/// The first column, in reading order from the cursor on and around, that is not longer than the shortest and the
/// tolerance.
@inline(__always)
func toleratedColumn(_ ends: Span<Int>, from cursor: Int, tolerance: Int) -> Int {
  var least = Int.max
  for column in ends.indices { least = min(least, ends[column]) }
  let limit = least + tolerance
  var column = cursor < ends.count ? cursor : 0
  while ends[column] > limit { column = column + 1 < ends.count ? column + 1 : 0 }
  return column
}
