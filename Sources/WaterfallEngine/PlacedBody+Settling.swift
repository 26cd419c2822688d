/// In what order items can be dropped onto each other so that each column keeps its own.
extension PlacedBody {
  /// Those from a row on, and new ones. These have no place in their columns yet: they come after all items before them
  /// by number. O(items + those from the row on × log items), without the logarithm where items lie in their order.
  func settlingOrder(from row: Int, newItems: Range<Int> = 0..<0) -> [Int] {
    let items = (0..<itemCount).filter { tops[$0] >= row || newItems.contains($0) }
    guard mayLieOutOfOrder else { return items }
    let fromTop = sortedFromTop(items.filter { !newItems.contains($0) })
    return newItems.isEmpty ? fromTop : byNumber(items, fromTop)
  }

  private var mayLieOutOfOrder: Bool {
    switch rules.spanPacking {
    case .inOrder: false
    case .reordering: !rules.order.isStrict
    case .dense: true
    }
  }

  private func sortedFromTop(_ items: [Int]) -> [Int] {
    // What has no height lies above what begins in the same row.
    let keys = items.map { (tops[$0] << 1 | (words[$0].height > 0 ? 1 : 0), $0) }
    return keys.sorted { $0.0 != $1.0 ? $0.0 < $1.0 : $0.1 < $1.1 }.map(\.1)
  }

  /// By number, but for what lies below others in a column, which comes after them.
  private func byNumber(_ items: [Int], _ fromTop: [Int]) -> [Int] {
    let above = itemsAbove(fromTop)
    var order: [Int] = []
    var isTaken = [Bool](repeating: false, count: itemCount)
    var waiting: [Int] = []
    for item in items where !isTaken[item] {
      waiting.append(item)
      while let next = waiting.last {
        if let missing = above[next].first(where: { !isTaken[$0] }) {
          waiting.append(missing)
        } else {
          waiting.removeLast()
          isTaken[next] = true
          order.append(next)
        }
      }
    }
    return order
  }

  /// For each item those that lie right above it in its columns.
  private func itemsAbove(_ fromTop: [Int]) -> [[Int]] {
    var above = [[Int]](repeating: [], count: itemCount)
    var last = [Int?](repeating: nil, count: columns.count)
    for item in fromTop {
      for column in columns(of: item) {
        if let upper = last[column] { above[item].append(upper) }
        last[column] = item
      }
    }
    return above
  }
}
