/// In what order items can be dropped onto each other so that each column keeps its own.
extension PlacedBody {
  /// New items have no place in their columns yet: they come after all items before them by number. O(items × log
  /// items), O(items) where items lie in their order.
  func settlingOrder(newItems: Range<Int> = 0..<0) -> [Int] {
    guard mayLieOutOfOrder else { return Array(0..<itemCount) }
    let fromTop = itemsFromTop(without: newItems)
    return newItems.isEmpty ? fromTop : byNumber(fromTop)
  }

  private var mayLieOutOfOrder: Bool {
    switch rules.spanPacking {
    case .inOrder: false
    case .reordering: !rules.order.isStrict
    case .dense: true
    }
  }

  private func itemsFromTop(without newItems: Range<Int>) -> [Int] {
    func key(_ item: Int) -> (Int, Int, Int) { (tops[item], words[item].height > 0 ? 1 : 0, item) }
    return (0..<itemCount).filter { !newItems.contains($0) }.sorted { key($0) < key($1) }
  }

  /// By number, but for what lies below others in a column, which comes after them.
  private func byNumber(_ fromTop: [Int]) -> [Int] {
    let above = itemsAbove(fromTop)
    var order: [Int] = []
    var isTaken = [Bool](repeating: false, count: itemCount)
    var waiting: [Int] = []
    for item in 0..<itemCount where !isTaken[item] {
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
