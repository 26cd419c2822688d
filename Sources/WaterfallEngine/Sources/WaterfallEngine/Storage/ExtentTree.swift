/// The rows that blocks of items cover, and blocks of blocks, and so on: a search skips the blocks outside of its rows.
struct ExtentTree: Sendable {
  struct Extent: Sendable {
    var top = Int.max
    var bottom = Int.min

    mutating func widen(by other: Extent) {
      top = min(top, other.top)
      bottom = max(bottom, other.bottom)
    }

    /// Whether the extent touches the rows from `first` to `last`, edges included.
    func touches(_ first: Int, _ last: Int) -> Bool { top <= last && bottom >= first }
  }

  private static let blockSize = 32
  private static let fanOut = 8

  @inline(__always)
  static func items(ofBlock block: Int, count: Int) -> Range<Int> {
    block * blockSize..<min((block + 1) * blockSize, count)
  }

  static func blocks(from first: Int, count: Int) -> Range<Int> {
    first / blockSize..<max(first / blockSize, (count + blockSize - 1) / blockSize)
  }

  /// The extents of the blocks, then on each level the common extent of eight of the level before.
  private var levels: ContiguousArray<ContiguousArray<Extent>> = [[]]

  /// The lowest bottom of all blocks; less than 0 if there are none. O(1).
  var bottom: Int { levels[levels.count - 1].reduce(Int.min) { max($0, $1.bottom) } }

  /// Sets the extent of a block, at most one more than there are. O(log blocks).
  mutating func set(_ extent: Extent, ofBlock block: Int) {
    var (extent, node, level) = (extent, block, 0)
    while true {
      if node < levels[level].count { levels[level][node] = extent } else { levels[level].append(extent) }
      guard levels[level].count > 1 else { return }
      node /= ExtentTree.fanOut
      let first = node * ExtentTree.fanOut
      let children = levels[level][first..<min(first + ExtentTree.fanOut, levels[level].count)]
      extent = children.reduce(into: Extent()) { $0.widen(by: $1) }
      level += 1
      // The root had a single child until now.
      if level == levels.count { levels.append([]) }
    }
  }

  /// Removes the blocks from `count` on. The extents above the last block that stays are stale until it is set.
  /// O(log blocks).
  mutating func truncate(to count: Int) {
    var (count, level) = (count, 0)
    while level < levels.count {
      levels[level].removeSubrange(min(count, levels[level].count)...)
      level += 1
      guard count > 1 else { break }
      count = (count + ExtentTree.fanOut - 1) / ExtentTree.fanOut
    }
    levels.removeSubrange(level...)
  }

  /// Calls `body` with every block that may hold items in the rows from `first` to `last`, in their order.
  /// O(log blocks + found) where items lie about in their order.
  func visitBlocks(from first: Int, to last: Int, _ body: (Int) -> Void) {
    guard !levels[0].isEmpty else { return }
    visit(levels.count - 1, levels[levels.count - 1].indices, first, last, body)
  }

  private func visit(_ level: Int, _ nodes: Range<Int>, _ first: Int, _ last: Int, _ body: (Int) -> Void) {
    for node in nodes where levels[level][node].touches(first, last) {
      guard level > 0 else {
        body(node)
        continue
      }
      let child = node * ExtentTree.fanOut
      visit(level - 1, child..<min(child + ExtentTree.fanOut, levels[level - 1].count), first, last, body)
    }
  }
}
