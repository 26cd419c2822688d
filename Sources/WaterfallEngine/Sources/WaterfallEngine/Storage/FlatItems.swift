/// The ranks of the items that occupy no row, not even a gap, by column and in order. A search by rows cannot find them.
/// Without memory where there are none.
struct FlatItems: Sendable {
  private var ranks: ContiguousArray<ContiguousArray<UInt32>> = []

  var isEmpty: Bool { ranks.isEmpty }

  /// Replaces the items among these ranks. O(columns + items without height).
  mutating func replace(_ range: Range<Int>, with items: [(rank: Int, columns: Range<Int>)]) {
    var added: ContiguousArray<ContiguousArray<UInt32>> = []
    for item in items {
      while added.count < item.columns.upperBound { added.append([]) }
      for column in item.columns { added[column].append(UInt32(item.rank)) }
    }
    while ranks.count < added.count { ranks.append([]) }
    for column in ranks.indices {
      let old = place(of: range.lowerBound, column)..<place(of: range.upperBound, column)
      ranks[column].replaceSubrange(old, with: column < added.count ? added[column] : [])
    }
  }

  /// Removes the items of these ranks; those behind move up. O(columns × log items + items without height behind).
  mutating func remove(_ range: Range<Int>) {
    for column in ranks.indices {
      let first = place(of: range.lowerBound, column)
      ranks[column].removeSubrange(first..<place(of: range.upperBound, column))
      for place in first..<ranks[column].count { ranks[column][place] -= UInt32(range.count) }
    }
  }

  /// O(log items).
  func first(of column: Int, from rank: Int) -> Int? {
    guard column < ranks.count else { return nil }
    let place = place(of: rank, column)
    return place < ranks[column].count ? Int(ranks[column][place]) : nil
  }

  /// O(log items).
  func last(of column: Int, before rank: Int) -> Int? {
    guard column < ranks.count else { return nil }
    let place = place(of: rank, column)
    return place > 0 ? Int(ranks[column][place - 1]) : nil
  }

  /// The number of recorded items before a rank.
  private func place(of rank: Int, _ column: Int) -> Int {
    let ranks = ranks[column]
    return ranks.indices.partitioningIndex { ranks[$0] >= rank }
  }
}
