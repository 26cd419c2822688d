extension LaneBody {
  /// The new items go one after the other under the column that the order says at their place, and move down only
  /// what lies below in that column; a strict order deals all that follow anew. O(items behind + number added).
  mutating func insert(_ items: [ItemSize], at index: Int) {
    guard index < itemCount else { return appendSizes(items) }
    var inserted = LaneBody(goingOnFrom: self, before: index)
    inserted.appendSizes(items)
    words.insert(contentsOf: inserted.words, at: index)
    if items.contains(where: { $0.height == 0 }) { noteFlatItems() }
    restack(from: index)
    if order.isStrict { repack(from: index) }
  }

  private mutating func appendSizes(_ items: [ItemSize]) {
    let first = itemCount
    append(items.map(\.height))
    guard items.contains(where: \.isEstimate) else { return }
    for (number, item) in items.enumerated() { words[first + number].isEstimate = item.isEstimate }
  }

  /// What lies below in the same columns moves up; a strict order deals all that follow anew. O(items behind).
  mutating func remove(_ range: Range<Int>) {
    words.removeSubrange(range)
    restack(from: range.lowerBound)
    if order.isStrict { repack(from: range.lowerBound) }
  }

  /// O(changed × blocks behind) for a few, O(items behind) for many.
  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) {
    let isFew = heights.count <= 8
    for (number, height) in heights.enumerated() {
      let distance = height - words[index + number].height
      setWord(index + number, height: height, isEstimate: areEstimates)
      if isFew, distance != 0 { moveItems(below: index + number, by: distance) }
    }
    if !isFew { restack(from: index) }
  }

  /// O(columns + items of a block).
  func top(ofItemsFrom index: Int) -> Int { ends(before: index).min() ?? 0 }

  /// O(items from `index` on × log columns).
  mutating func repack(from index: Int) {
    let items = words[index...]
    truncate(to: index)
    append(items.map(\.height))
    for (number, item) in items.enumerated() where item.isEstimate { words[index + number].isEstimate = true }
  }
}
