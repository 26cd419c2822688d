/// The smallest of a fixed number of keys, kept in a tree whose every node is the smaller of its two children.
struct Tournament: Sendable {
  /// Node 1 is the root, node n has the children 2n and 2n + 1, and the leaves come last.
  var nodes: ContiguousArray<Int>
  let leafCount: Int

  /// All keys are `Int.max`. O(count).
  init(count: Int) {
    var leafCount = 1
    while leafCount < count { leafCount *= 2 }
    self.leafCount = leafCount
    nodes = ContiguousArray(repeating: .max, count: 2 * leafCount)
  }

  /// O(1).
  var smallest: Int { nodes[1] }

  subscript(leaf: Int) -> Int { nodes[leafCount + leaf] }

  /// O(log count).
  mutating func replace(_ leaf: Int, with key: Int) {
    var node = leafCount + leaf
    var key = key
    nodes[node] = key
    while node > 1 {
      key = min(key, nodes[node ^ 1])
      node /= 2
      nodes[node] = key
    }
  }
}
