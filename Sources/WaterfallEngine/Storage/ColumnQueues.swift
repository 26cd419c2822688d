/// A priority queue of keys whose smallest can be replaced. A key's low bits are its number, which is unique.
protocol SmallestKey {
  var smallest: Int { get }
  /// `key` has the same number.
  mutating func replaceSmallest(with key: Int)
  func visitKeys(_ body: (Int) -> Void)
}

extension SmallestKey {
  /// The key of a column by its end; a column that does not exist comes last.
  @inline(__always)
  fileprivate static func key(_ column: Int, _ ends: ContiguousArray<Int>) -> Int {
    column < ends.count ? ends[column] << Tournament.numberBits | column : .max
  }
}

/// Many keys in a tree in which every node is the smaller of its two children.
struct Tournament: SmallestKey, Sendable {
  static let numberBits = 12
  static let numberMask = 1 << numberBits - 1

  /// Node 1 is the root, node n has the children 2n and 2n + 1, and the leaves come last.
  private var nodes: ContiguousArray<Int>
  private let leafCount: Int

  /// O(columns).
  init(_ ends: ContiguousArray<Int>) {
    let count = ends.count
    var leafCount = 1
    while leafCount < count { leafCount *= 2 }
    self.leafCount = leafCount
    nodes = ContiguousArray(repeating: .max, count: 2 * leafCount)
    for number in 0..<count { nodes[leafCount + number] = Tournament.key(number, ends) }
    for node in (1..<leafCount).reversed() { nodes[node] = min(nodes[2 * node], nodes[2 * node + 1]) }
  }

  /// O(1).
  @inline(__always)
  var smallest: Int { nodes[1] }

  func visitKeys(_ body: (Int) -> Void) {
    for key in nodes[leafCount...] where key != .max { body(key) }
  }

  /// O(log count).
  @inline(__always)
  mutating func replaceSmallest(with key: Int) {
    var node = leafCount + smallest & Tournament.numberMask
    var nodes = nodes.mutableSpan
    var key = key
    nodes[node] = key
    while node > 1 {
      key = min(key, nodes[node ^ 1])
      node /= 2
      nodes[node] = key
    }
  }
}

/// A few sorted keys in registers: a replaced key sinks through a chain of comparisons without branches, and the next
/// one can follow before it has arrived.
struct SortedKeys<let count: Int>: SmallestKey {
  private var keys = InlineArray<count, Int>(repeating: .max)

  init(_ ends: ContiguousArray<Int>) {
    for number in keys.indices {
      var slot = number
      let key = SortedKeys.key(number, ends)
      while slot > 0, key < keys[slot - 1] {
        keys[slot] = keys[slot - 1]
        slot -= 1
      }
      keys[slot] = key
    }
  }

  @inline(__always)
  func visitKeys(_ body: (Int) -> Void) {
    for slot in keys.indices where keys[slot] != .max { body(keys[slot]) }
  }

  @inline(__always)
  var smallest: Int { keys[0] }

  @inline(__always)
  mutating func replaceSmallest(with key: Int) {
    var key = key
    var slot = 1
    while slot < count {
      let next = keys[slot]
      keys[slot &- 1] = min(key, next)
      key = max(key, next)
      slot &+= 1
    }
    keys[count - 1] = key
  }
}

/// The ends of a few columns, for the order by tolerance: the next column in reading order that is not much longer than
/// the shortest.
struct TolerantColumns<let count: Int> {
  /// Unused columns end far below all others.
  private(set) var ends = InlineArray<count, Int>(repeating: 1 << 61)
  private let used: Int
  private let tolerance: Int
  private var cursor: Int

  init(_ ends: ContiguousArray<Int>, _ tolerance: Int, after last: Range<Int>?) {
    for column in ends.indices { self.ends[column] = ends[column] }
    used = ends.count
    self.tolerance = tolerance
    cursor = last.map { $0.upperBound < ends.count ? $0.upperBound : 0 } ?? 0
  }

  /// Chooses the column for an item of a length, adds the length to it and returns it.
  @inline(__always)
  mutating func columnForItem(ofLength length: Int) -> Int {
    var shortest = ends[0]
    for column in 1..<count { shortest = min(shortest, ends[column]) }
    let limit = shortest &+ tolerance
    // Mostly it is the next column, so that the processor predicts this before the shortest is known.
    let column = ends[cursor] <= limit ? cursor : next(limit)
    ends[column] &+= length
    cursor = column &+ 1 == used ? 0 : column &+ 1
    return column
  }

  /// The first column behind the cursor, and around, that ends at or above the limit. Without branches: the processor
  /// would mispredict too often which one it is.
  private func next(_ limit: Int) -> Int {
    var allowed: UInt32 = 0
    for column in 0..<count { allowed |= (ends[column] <= limit ? 1 : 0) << UInt32(column) }
    let ahead = (allowed >> UInt32(cursor)) << UInt32(cursor)
    return (ahead == 0 ? allowed : ahead).trailingZeroBitCount
  }
}

/// The first column, in reading order from the cursor on and around, that is at most the tolerance longer than the
/// shortest.
@inline(__always)
func toleratedColumn(_ ends: Span<Int>, from cursor: Int, tolerance: Int) -> Int {
  var least = Int.max
  for column in ends.indices { least = min(least, ends[column]) }
  let limit = least + tolerance
  var column = cursor < ends.count ? cursor : 0
  while ends[column] > limit { column = column + 1 < ends.count ? column + 1 : 0 }
  return column
}
