/// A few columns' ends, of which the next one in reading order is taken that is not much longer than the shortest.
/// Without branches: which one it is would be guessed wrong too often.
struct TolerantColumns<let count: Int> {
  /// Unused columns end far below all others.
  private(set) var ends = InlineArray<count, Int>(repeating: 1 << 61)
  private let tolerance: Int
  private var cursor: UInt32

  init(_ ends: ContiguousArray<Int>, _ tolerance: Int, after last: Int?) {
    for column in ends.indices { self.ends[column] = ends[column] }
    self.tolerance = tolerance
    cursor = UInt32(last.map { $0 + 1 } ?? 0)
  }

  /// Takes a column for an item of a length and answers it.
  @inline(__always)
  mutating func take(_ length: Int) -> Int {
    var shortest = ends[0]
    for column in 1..<count { shortest = min(shortest, ends[column]) }
    let limit = shortest &+ tolerance
    var allowed: UInt32 = 0
    for column in 0..<count { allowed |= (ends[column] <= limit ? 1 : 0) << UInt32(column) }
    let ahead = (allowed >> cursor) << cursor
    let column = (ahead == 0 ? allowed : ahead).trailingZeroBitCount
    ends[column] &+= length
    cursor = UInt32(truncatingIfNeeded: column &+ 1)
    return column
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
