/// Keys of which the smallest is known and can be replaced. A key's low bits are its number, which no other has.
protocol SmallestKey {
  var smallest: Int { get }
  /// `key` has the same number.
  mutating func replaceSmallest(with key: Int)
  func visitKeys(_ body: (Int) -> Void)
}

/// Many keys, kept in a tree whose every node is the smaller of its two children.
struct Tournament: SmallestKey, Sendable {
  static let numberBits = 12
  static let numberMask = 1 << numberBits - 1

  /// Node 1 is the root, node n has the children 2n and 2n + 1, and the leaves come last.
  private var nodes: ContiguousArray<Int>
  private let leafCount: Int

  /// O(count).
  init(count: Int, _ key: (Int) -> Int) {
    var leafCount = 1
    while leafCount < count { leafCount *= 2 }
    self.leafCount = leafCount
    nodes = ContiguousArray(repeating: .max, count: 2 * leafCount)
    for number in 0..<count { nodes[leafCount + number] = key(number) }
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
