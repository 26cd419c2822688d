/// Items that lie in columns. An item's frame follows from the starts of its block and the items before it in the block.
///
/// Items are stored by rank, their order from top to bottom in the columns: dropped onto each other by rank, they come
/// to lie in their places. Only items that go first to fill a hole above one that spans columns have a rank that is not
/// their number.
struct LaneBody: SectionBody {
  let columns: ColumnGeometry
  private let rules: PackingRules
  private(set) var lanes: LaneStack
  private(set) var height = 0
  /// The ranks of the items that occupy no row, not even a gap.
  private(set) var flatItems = FlatItems()
  private(set) var ranking = Ranking()
  /// The holes that dense packing may still fill.
  private var holes: [SpanPacker.Hole] = []
  /// The columns of the last item when there are no items: those of the body that this one continues.
  private var inheritedColumns: Range<Int>?

  init(columns: ColumnGeometry, rules: PackingRules) {
    self.columns = columns
    self.rules = rules
    lanes = LaneStack(columnCount: columns.count, lineSpacing: rules.lineSpacing)
  }

  /// An empty body that continues another one before a rank.
  private init(continuing other: LaneBody, before rank: Int) {
    self.init(columns: other.columns, rules: other.rules)
    lanes = LaneStack(continuing: other.lanes, before: rank)
    inheritedColumns = rank > 0 ? other.lanes.columns(atRank: rank - 1) : nil
  }

  static func == (left: LaneBody, right: LaneBody) -> Bool {
    guard left.columns == right.columns, left.rules == right.rules, left.lanes.words == right.lanes.words
    else { return false }
    guard left.lanes.storesSpans || right.lanes.storesSpans else { return true }
    return (0..<left.itemCount).allSatisfy {
      left.size(of: $0) == right.size(of: $0) && left.ranking.rank(of: $0) == right.ranking.rank(of: $0)
    }
  }

  var itemCount: Int { lanes.itemCount }
  var lineSpacing: Int { rules.lineSpacing }
  private var lastColumns: Range<Int>? { itemCount == 0 ? inheritedColumns : lanes.columns(atRank: itemCount - 1) }

  var storedByteCount: Int { lanes.storedByteCount + ranking.storedByteCount + flatItems.storedByteCount }
}

// MARK: - Appending

extension LaneBody {
  /// O(number of heights × log columns + columns).
  mutating func append(_ heights: [Int]) -> Int {
    guard holes.isEmpty else { return append(heights.map { ItemSize(height: $0) }) }
    let row = lanes.ends.min() ?? 0
    deal(heights.span)
    return row
  }

  /// Places items of one column each, while there are no holes to fill.
  private mutating func deal(_ heights: Span<Int>) {
    let ends = lanes.ends
    switch (rules.order, columns.count) {
    case (.shortest, 1): lanes.append(heights, SortedKeys<1>(ends))
    case (.shortest, ...4): lanes.append(heights, SortedKeys<4>(ends))
    case (.shortest, ...8): lanes.append(heights, SortedKeys<8>(ends))
    case (.shortest, ...16): lanes.append(heights, SortedPairs<8>(ends))
    case (.shortest, _): lanes.append(heights, Tournament(ends))
    case (.leftToRight, _): lanes.append(heights, ColumnsInTurn(ends, after: lastColumns, step: 1))
    case (.rightToLeft, _): lanes.append(heights, ColumnsInTurn(ends, after: lastColumns, step: -1))
    case (.tolerance(let most), ...4): lanes.append(heights, TolerantColumns<4>(ends, most, after: lastColumns))
    case (.tolerance(let most), ...8): lanes.append(heights, TolerantColumns<8>(ends, most, after: lastColumns))
    case (.tolerance, _): lanes.append(heights, packer)
    }
    ranking.append(heights.count)
    resummarize(from: itemCount - heights.count)
  }

  private var packer: SpanPacker { SpanPacker(ends: lanes.ends, last: lastColumns, holes: holes, rules: rules) }
}

// MARK: - Appending items that span columns

extension LaneBody {
  /// Up to 1 µs an item among those that span columns; the cost of heights for long runs without.
  private mutating func append(_ items: [ItemSize]) -> Int {
    let row = lanes.ends.min() ?? 0
    guard !holes.isEmpty || items.contains(where: { $0.span != .columns(1) }) else {
      let heights = items.map(\.height)
      deal(heights.span)
      markEstimates(items)
      return row
    }
    lanes.storeSpans()
    let requested = items.map { LaneBody.requestedSpan($0.span) }
    let staysInOrder = rules.reach == 0 && rules.spanPacking != .dense
    guard staysInOrder, rules.order == .shortest, columns.count <= 16 else {
      let highest = appendRuns(items, requested)
      markEstimates(items)
      return min(row, highest)
    }
    if columns.count <= 4 {
      lanes.append(items, spans: requested, SortedKeys<4>.self)
    } else {
      lanes.append(items, spans: requested, SortedPairs<8>.self)
    }
    ranking.append(items.count)
    resummarize(from: itemCount - items.count)
    return row
  }

  /// Marks those of the last items whose heights are estimates.
  private mutating func markEstimates(_ items: [ItemSize]) {
    for (number, item) in items.enumerated() where item.isEstimate {
      lanes.markEstimate(atRank: ranking.rank(of: itemCount - items.count + number))
    }
  }

  private static let longRun = 64

  /// Returns the top of the highest item that fills a hole.
  private mutating func appendRuns(_ items: [ItemSize], _ requested: [UInt16]) -> Int {
    let wide = requested.indices.filter { min(Int(requested[$0]), columns.count) > 1 }
    var nextWide = 0
    var first = 0
    var row = Int.max
    while first < items.count {
      while nextWide < wide.count, wide[nextWide] < first { nextWide += 1 }
      let run = (nextWide < wide.count ? wide[nextWide] : items.count) - first
      if holes.isEmpty, run >= LaneBody.longRun || first + run == items.count {
        let heights = items[first..<first + run].map(\.height)
        deal(heights.span)
        // A request for columns of which there is only one.
        for number in 0..<run where requested[first + number] > 1 {
          lanes.setSpan(requested[first + number], atRank: itemCount - run + number)
        }
        first += run
      } else {
        let last = endOfMixedRun(from: first, wide[nextWide...], count: items.count)
        row = min(row, place(Array(items[first..<last]), Array(requested[first..<last])))
        first = last
      }
    }
    return row
  }

  /// The end of the items that are placed one by one: behind it a long run follows, and no item goes first.
  private func endOfMixedRun(from first: Int, _ wide: ArraySlice<Int>, count: Int) -> Int {
    guard rules.spanPacking != .dense else { return count }
    var end = first
    for item in wide {
      guard end == first || item < end + LaneBody.longRun else { break }
      end = item + 2 * rules.reach + 1
    }
    return min(end, count)
  }

  /// Returns the top of the highest item.
  private mutating func place(_ items: [ItemSize], _ requested: [UInt16]) -> Int {
    let first = itemCount
    var packer = packer
    let sizes = zip(items, requested).map { SpanPacker.Item(height: $0.height, span: min(Int($1), columns.count)) }
    let places = packer.placeAll(sizes, from: first)
    holes = packer.holes
    let added = places.map { place in
      let size = sizes[place.item - first]
      let word = ItemWord(items[place.item - first], column: place.column, isWide: size.span > 1)
      return LaneStack.Item(word: word, span: requested[place.item - first])
    }
    let lowest = store(added, places, from: first)
    resummarize(from: lowest)
    return places.reduce(Int.max) { min($0, $1.top) }
  }

  /// Stores the items in the order of `places`, and those that fill holes before the items under them. Returns the
  /// lowest rank that changed.
  private mutating func store(_ added: [LaneStack.Item], _ places: [SpanPacker.Place], from first: Int) -> Int {
    if places.indices.allSatisfy({ places[$0].item == first + $0 }) {
      ranking.append(places.count)
    } else {
      ranking.append(places.map(\.item))
    }
    let lowest = places.reduce(first) { lowest, place in min(lowest, place.under.map { ranking.rank(of: $0) } ?? lowest)
    }
    guard lowest < first || places.contains(where: { $0.under != nil }) else {
      lanes.replace(from: first, with: added)
      return first
    }
    var order = Array(lowest..<first)
    for (number, place) in places.enumerated() {
      let under = place.under.flatMap { order.lastIndex(of: ranking.rank(of: $0)) }
      order.insert(first + number, at: under ?? order.count)
    }
    lanes.replace(from: lowest, with: order.map { $0 < first ? lanes.item(atRank: $0) : added[$0 - first] })
    ranking.reorder(from: lowest, order)
    return lowest
  }

  static let fullSpan = UInt16.max

  private static func requestedSpan(_ span: ItemSize.Span) -> UInt16 {
    switch span {
    case .full: fullSpan
    case .columns(let count): UInt16(min(count, LayoutLimits.columnCount))
    }
  }
}

// MARK: - Editing

extension LaneBody {
  /// Each new item goes under the column that the order chooses at its place. Only the items below it in that column
  /// move down. In a strict order all following items are distributed again. O(items behind + number added).
  mutating func insert(_ items: [ItemSize], at index: Int) -> Int {
    guard index < itemCount else { return append(items) }
    let rank = ranking.rank(behindAllBefore: index)
    var inserted = LaneBody(continuing: self, before: rank)
    let row = inserted.append(items)
    ranking.insert(inserted.ranking, count: items.count, at: rank, number: index)
    lanes.insert(inserted.lanes, at: rank)
    holes = []
    resummarize(from: rank)
    return rules.order.isStrict ? repack(from: index) : row
  }

  /// The items below in the same columns move up. In a strict order all following items are distributed again.
  /// O(items behind), O(items) where items have ranks.
  mutating func remove(_ range: Range<Int>) -> Int {
    let row = cut(range)
    // A removed item may have filled a hole far above the following ones.
    return rules.order.isStrict ? min(row, repack(from: range.lowerBound)) : row
  }

  /// Removes items; those below move up in their columns.
  private mutating func cut(_ range: Range<Int>) -> Int {
    let rank = ranking.lowestRank(of: range)
    let row = row(before: rank)
    if ranking.isByNumber {
      lanes.remove(range)
    } else {
      let kept = (rank..<itemCount).filter { !range.contains(ranking.number(at: $0)) }
      lanes.replace(from: rank, with: kept.map(lanes.item))
    }
    ranking.remove(range)
    holes = []
    resummarize(from: rank)
    return row
  }

  /// Removes all but the first `count` items. O(columns + items of a block).
  mutating func truncate(to count: Int) { _ = cut(count..<itemCount) }

  /// O(items of the changed blocks + columns × blocks behind), and O(items of blocks with items that span columns).
  mutating func setHeights(_ heights: [Int], from index: Int, areEstimates: Bool) -> Int {
    guard let ranks = lanes.setHeights(heights, from: index, ranking, areEstimates: areEstimates) else { return height }
    holes = []
    updateHeight()
    if lineSpacing == 0 { updateFlatItems(ranks.lowerBound..<ranks.upperBound + 1) }
    return row(before: ranks.lowerBound)
  }

  /// O(items from `index` on × log columns).
  mutating func repack(from index: Int) -> Int {
    guard !lanes.storesSpans else {
      let items = (index..<itemCount).map(size)
      let row = cut(index..<itemCount)
      return min(row, append(items))
    }
    let items = lanes.words[index...]
    truncate(to: index)
    let row = append(items.map(\.height))
    markEstimates(items)
    return row
  }

  /// Needs no list of all sizes, unless items span columns.
  mutating func moveItems(to body: LaneBody) -> Int {
    guard !lanes.storesSpans else {
      let items = (0..<itemCount).map(size)
      self = body
      return append(items)
    }
    let items = lanes.words
    self = body
    lanes.reserveCapacity(items.count)
    for first in stride(from: 0, to: items.count, by: 4096) {
      _ = append(items[first..<min(first + 4096, items.count)].map(\.height))
    }
    markEstimates(items[...])
    return 0
  }

  private mutating func markEstimates(_ items: ContiguousArray<ItemWord>.SubSequence) {
    for (rank, item) in zip(items.indices, items) where item.isEstimate { lanes.markEstimate(atRank: rank) }
  }

  /// A row above which the items before a rank end. O(columns + items of a block).
  private func row(before rank: Int) -> Int { lanes.ends(before: rank).min() ?? 0 }
}

// MARK: - Encoding

extension LaneBody {
  var placement: LanePlacement? {
    guard columns.count > 1 else { return nil }
    let ranks = (0..<itemCount).map { ranking.rank(of: $0) }
    return LanePlacement(
      columns: ranks.map { lanes.words[$0].column },
      numbersByRank: ranking.isByNumber ? nil : (0..<itemCount).map { ranking.number(at: $0) })
  }

  mutating func restore(_ items: [ItemSize], _ placement: LanePlacement?) -> Bool {
    let placement = placement ?? LanePlacement(columns: items.map { _ in 0 }, numbersByRank: nil)
    let numbers = placement.numbersByRank ?? Array(items.indices)
    guard placement.columns.count == items.count, numbers.sorted().elementsEqual(items.indices) else { return false }
    // One column has no holes, so that its ranks are numbers. Where they are not, spans are always stored.
    guard columns.count > 1 || placement.numbersByRank == nil else { return false }
    if placement.numbersByRank != nil || items.contains(where: { $0.span != .columns(1) }) { lanes.storeSpans() }
    var restored: [LaneStack.Item] = []
    restored.reserveCapacity(items.count)
    for number in numbers {
      let (item, column) = (items[number], placement.columns[number])
      let requested = LaneBody.requestedSpan(item.span)
      let span = min(Int(requested), columns.count)
      guard column >= 0, column <= columns.count - span else { return false }
      let word = ItemWord(item, column: column, isWide: span > 1)
      restored.append(LaneStack.Item(word: word, span: requested))
    }
    lanes.replace(from: 0, with: restored)
    if placement.numbersByRank == nil { ranking.append(items.count) } else { ranking.append(numbers) }
    resummarize(from: 0)
    return true
  }
}

// MARK: - Summary

extension LaneBody {
  /// Updates the summary after the items from a rank on have changed. O(columns + items from there on if there are no
  /// gaps).
  private mutating func resummarize(from rank: Int) {
    if lineSpacing == 0 { updateFlatItems(rank..<Int.max) }
    updateHeight()
  }

  private mutating func updateFlatItems(_ ranks: Range<Int>) {
    let found = ranks.clamped(to: 0..<itemCount).filter { lanes.words[$0].height == 0 }
    flatItems.replace(ranks, with: found.map { ($0, lanes.columns(atRank: $0)) })
  }

  private mutating func updateHeight() { height = max(0, (lanes.ends.max() ?? 0) - lineSpacing) }

  /// Whether a column has items. O(1), O(log items) for a column whose items have no height.
  func isUsed(_ column: Int) -> Bool { lanes.ends[column] > 0 || flatItems.first(of: column, from: 0) != nil }
}
