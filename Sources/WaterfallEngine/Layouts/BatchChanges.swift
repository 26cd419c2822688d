extension CollectionLayout {
  /// Applies the difference between two versions of a section's data, as `difference(from:)` returns it. A moved item
  /// (`inferringMoves()`) keeps its size; `size` gives the size of every other new item. An invalid size is thrown before
  /// anything has changed. Returns the part of the content outside of which nothing moved.
  /// O(runs of neighboring changes × (items behind + sections below)).
  @discardableResult
  public mutating func apply<Item>(
    _ difference: CollectionDifference<Item>, toSection section: Int, size: (Item) -> ItemSize
  ) throws(LayoutError) -> Rect {
    let inserted = difference.insertions.map { change in
      change.oldOffset.map { itemSize(at: ElementPath(section: section, item: $0)) } ?? size(change.item)
    }
    let kept = itemCount(inSection: section) - difference.removals.count
    try LayoutError.check(inserted, itemCount: kept)
    var changed = Rect.zero
    for run in runs(of: difference.removals.map(\.offset)).reversed() {
      changed = changed.union(remove(items: run, fromSection: section))
    }
    var first = 0
    for run in runs(of: difference.insertions.map(\.offset)) {
      let items = Array(inserted[first..<first + run.count])
      changed = changed.union(try insert(items, at: ElementPath(section: section, item: run.lowerBound)))
      first += run.count
    }
    return changed
  }
}

extension ElementPath {
  /// Returns the item's path after a difference was applied to its section, nil if the item was removed. A moved item
  /// (`inferringMoves()`) keeps its identity. O(changes).
  public func applying<Item>(_ difference: CollectionDifference<Item>) -> ElementPath? {
    ItemMapping(difference).newNumber(of: item).map { ElementPath(section: section, item: $0) }
  }
}

/// The numbers of a section's items before and after a difference. O(changes) to make.
struct ItemMapping {
  private let removed: [Int]
  private let inserted: [Int]
  private var newNumbers: [Int: Int] = [:]
  private var oldNumbers: [Int: Int] = [:]

  init<Item>(_ difference: CollectionDifference<Item>) {
    removed = difference.removals.map(\.offset)
    inserted = difference.insertions.map(\.offset)
    for insertion in difference.insertions {
      guard let oldNumber = insertion.oldOffset else { continue }
      newNumbers[oldNumber] = insertion.offset
      oldNumbers[insertion.offset] = oldNumber
    }
  }

  /// Nil if the item was removed. O(log changes).
  func newNumber(of item: Int) -> Int? { Self.number(of: item, removed, inserted) ?? newNumbers[item] }

  /// Nil if the item was inserted. O(log changes).
  func oldNumber(of item: Int) -> Int? { Self.number(of: item, inserted, removed) ?? oldNumbers[item] }

  private static func number(of item: Int, _ removed: [Int], _ inserted: [Int]) -> Int? {
    let removedBefore = count(removed) { removed[$0] < item }
    guard removedBefore == removed.count || removed[removedBefore] != item else { return nil }
    // An item of a decoded anchor may be any.
    let kept = min(item - removedBefore, .max - inserted.count)
    return kept + count(inserted) { inserted[$0] - $0 <= kept }
  }

  /// The length of the prefix whose indices satisfy a condition.
  private static func count(_ offsets: [Int], where isBefore: (Int) -> Bool) -> Int {
    var low = 0
    var high = offsets.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ScrollAnchor {
  /// Returns the anchor after a difference was applied to a section: of the same item on the same row, or, if it was
  /// removed, of the item that took its place, so that the offset that keeps it holds the view still.
  /// O(changes).
  public func applying<Item>(_ difference: CollectionDifference<Item>, inSection section: Int) -> ScrollAnchor {
    guard path.section == section else { return self }
    if let path = path.applying(difference) { return ScrollAnchor(path: path, screenRow: screenRow) }
    let removedBefore = difference.removals.count { $0.offset < path.item }
    var place = path.item - removedBefore
    for insertion in difference.insertions where insertion.offset < place { place += 1 }
    return ScrollAnchor(path: ElementPath(section: section, item: place), screenRow: screenRow)
  }
}

extension CollectionDifference.Change {
  fileprivate var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  fileprivate var item: ChangeElement {
    switch self {
    case .insert(_, let item, _), .remove(_, let item, _): item
    }
  }

  /// Where an insertion's item was before it moved.
  fileprivate var oldOffset: Int? {
    switch self {
    case .insert(_, _, let offset): offset
    case .remove: nil
    }
  }
}

/// The runs of ascending offsets that follow each other without a gap.
private func runs(of offsets: [Int]) -> [Range<Int>] {
  offsets.reduce(into: []) { runs, offset in
    if let last = runs.last, last.upperBound == offset {
      runs[runs.count - 1] = last.lowerBound..<offset + 1
    } else {
      runs.append(offset..<offset + 1)
    }
  }
}
