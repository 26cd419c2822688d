/// The smallest of a fixed number of keys, kept in a tree whose every node is the smaller of its two children.
struct Tournament: Sendable {
  static let numberBits = 12
  static let numberMask = 1 << numberBits - 1

  /// Node 1 is the root, node n has the children 2n and 2n + 1, and the leaves come last.
  private(set) var nodes: ContiguousArray<Int>
  private let leafCount: Int

  /// All keys are `Int.max`. O(count).
  init(count: Int) {
    var leafCount = 8
    while leafCount < count { leafCount *= 2 }
    self.leafCount = leafCount
    nodes = ContiguousArray(repeating: .max, count: 2 * leafCount)
  }

  /// O(number of keys × log number of keys).
  init(_ keys: Range<Int>) {
    self.init(count: keys.count)
    for key in keys { replace(key, with: key) }
  }

  /// O(1).
  var smallest: Int { nodes[1] }

  subscript(leaf: Int) -> Int { nodes[leafCount + leaf] }

  /// O(log count).
  @inline(__always)
  mutating func replace(_ leaf: Int, with key: Int) {
    var node = leafCount + leaf
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

/// A few keys in registers, sorted: each raised key goes through a chain of compares without branches, and the next
/// can set out while the one before is still under way.
struct SortedKeys<let count: Int> {
  private var keys: InlineArray<count, Int>

  init(_ tournament: Tournament) {
    keys = InlineArray(repeating: .max)
    for leaf in keys.indices {
      keys[count - 1] = tournament[leaf]
      var slot = count - 1
      while slot > 0, keys[slot] < keys[slot - 1] {
        keys.swapAt(slot, slot - 1)
        slot -= 1
      }
    }
  }

  func write(to tournament: inout Tournament) {
    for slot in keys.indices where keys[slot] != .max {
      tournament.replace(keys[slot] & Tournament.numberMask, with: keys[slot])
    }
  }

  @inline(__always)
  var smallest: Int { keys[0] }

  /// 0 if there is none.
  var greatest: Int {
    var greatest = 0
    for slot in keys.indices where keys[slot] != .max { greatest = keys[slot] }
    return greatest
  }

  @inline(__always)
  mutating func raiseSmallest(to key: Int) {
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
