/// Items that lie in columns. An item's frame follows from the starts of its block and the items before it in the
/// block. Items are stored by rank, their order from top to bottom in the columns: dropped onto each other by rank,
/// they come to lie in their places. Only items that go first to fill a hole above one that spans columns have a rank
/// that is not their number.
struct LaneBody: SectionBody {
  let columns: ColumnGeometry
  private let rules: PackingRules
  private(set) var lanes: LaneStack
  private(set) var height = 0
  private(set) var flatItems = FlatItems()
  private(set) var ranking = Ranking()
  /// The holes that dense packing may still fill.
  private var holes: [SpanPacker.Hole] = []
  /// The columns of the last item when there are no items: those of the body that this one continues.
  private var inheritedColumns: Range<Int>?

  init(columns: ColumnGeometry, rules: PackingRules) {
    (self.columns, self.rules) = (columns, rules)
    lanes = LaneStack(columnCount: columns.count, lineSpacing: rules.lineSpacing)
  }

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

  /// O(number of heights × log columns + columns).
  mutating func append(_ heights: [Int]) -> Int {
    guard holes.isEmpty else { return append(heights.map { ItemSize(height: $0) }) }
    let row = lanes.ends.min() ?? 0
    deal(heights.span)
    return row
  }

  /// With spans up to 1 µs an item in at most 16 columns, O(columns × span) in more. If items stay in the order of
  /// the shortest column, long runs without spans cost as much as heights.
  private mutating func append(_ items: [ItemSize]) -> Int {
    let row = lanes.ends.min() ?? 0
    let hasSpans = items.contains { $0.span != .columns(1) }
    if hasSpans { lanes.storeSpans() }
    guard holes.isEmpty, rules.staysInOrder || !hasSpans else { return min(row, appendRuns(items)) }
    deal(items.span, mayBeWide: hasSpans && columns.count > 1)
    return row
  }

  /// Places items under the columns that the order chooses, while there are no holes to fill.
  private mutating func deal(_ items: Span<some LaneItem.Convertible>, mayBeWide: Bool = false) {
    switch (rules.order, columns.count) {
    case (_, 1): lanes.append(items, SortedKeys<1>(lanes.ends.span))
    case (.shortest, ...4): lanes.append(items, SortedKeys<4>(lanes.ends.span))
    case (.shortest, ...8) where !mayBeWide: lanes.append(items, SortedKeys<8>(lanes.ends.span))
    case (.shortest, ...16): lanes.append(items, SortedPairs<8>(lanes.ends.span))
    case (.shortest, _): lanes.append(items, Tournament(lanes.ends.span))
    case _ where mayBeWide: lanes.append(items, packer)
    case (.leftToRight, _): lanes.append(items, ColumnsInTurn(lanes.ends, after: lastColumns, step: 1))
    case (.rightToLeft, _): lanes.append(items, ColumnsInTurn(lanes.ends, after: lastColumns, step: -1))
    case (.tolerance, _): lanes.append(items, packer)
    }
    ranking.append(items.count)
    resummarize(from: itemCount - items.count)
  }

  private var packer: SpanPacker { SpanPacker(ends: lanes.ends, last: lastColumns, holes: holes, rules: rules) }

  private static let longRun = 64

  /// Returns the top of the highest item that fills a hole.
  private mutating func appendRuns(_ items: [ItemSize]) -> Int {
    let wide = items.indices.filter { items[$0].laneItem.span(among: columns.count) > 1 }
    var nextWide = 0
    var first = 0
    var row = Int.max
    while first < items.count {
      while nextWide < wide.count, wide[nextWide] < first { nextWide += 1 }
      let run = (nextWide < wide.count ? wide[nextWide] : items.count) - first
      if holes.isEmpty, run >= LaneBody.longRun || first + run == items.count {
        deal(items.span.extracting(first..<first + run))
        first += run
      } else {
        let last = endOfMixedRun(from: first, wide[nextWide...], count: items.count)
        row = min(row, place(Array(items[first..<last])))
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
  private mutating func place(_ items: [ItemSize]) -> Int {
    let first = itemCount
    var packer = packer
    let places = packer.placeAll(items.map(\.laneItem), from: first)
    holes = packer.holes
    let added = places.map { lanes.stored(items[$0.item - first].laneItem, column: $0.column) }
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

  /// The items below in the same columns move up. In a strict order all following items are distributed again. The cost
  /// of `LaneStack.remove`, O(items) where items have ranks.
  mutating func remove(_ range: Range<Int>) -> Int {
    let row = cut(range)
    // A removed item may have filled a hole far above the following ones.
    return rules.order.isStrict ? min(row, repack(from: range.lowerBound)) : row
  }

  private mutating func cut(_ range: Range<Int>) -> Int {
    let rank = ranking.lowestRank(of: range)
    let row = row(before: rank)
    holes = []
    guard !ranking.isByNumber else {
      lanes.remove(range)
      ranking.remove(range)
      flatItems.remove(range)
      updateHeight()
      return row
    }
    let kept = (rank..<itemCount).filter { !range.contains(ranking.number(at: $0)) }
    lanes.replace(from: rank, with: kept.map(lanes.item))
    ranking.remove(range)
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

  /// The item keeps its first column, as far as there is room for it, and the items below it in its columns move. In a
  /// strict order all following items are distributed again. O(items behind), the cost of a height if the span stays.
  mutating func setSize(_ size: ItemSize, of item: Int) -> Int {
    let (rank, new) = (ranking.rank(of: item), size.laneItem)
    guard new.span != lanes.item(atRank: rank).span else {
      return setHeights([size.height], from: item, areEstimates: size.isEstimate)
    }
    let row = row(before: rank)
    lanes.setItem(new, atRank: rank)
    holes = []
    resummarize(from: rank)
    return rules.order.isStrict ? min(row, repack(from: item)) : row
  }

  /// O(items from `index` on × log columns).
  mutating func repack(from index: Int) -> Int {
    let items = lanes.storesSpans ? sizes(from: index) : []
    // A slice would share the words, so that removing them would copy all.
    let words = ContiguousArray(lanes.words[index...])
    let row = cut(index..<itemCount)
    if lanes.storesSpans { return min(row, append(items)) }
    deal(words.span)
    return row
  }

  /// Needs no list of all sizes, unless items span columns.
  mutating func moveItems(to body: LaneBody) -> Int {
    let old = self
    self = body
    guard !old.lanes.storesSpans else { return append(old.sizes(from: 0)) }
    lanes.reserveCapacity(old.itemCount)
    deal(old.lanes.words.span)
    return 0
  }

  private func sizes(from index: Int) -> [ItemSize] { (index..<itemCount).map(size) }

  /// A row above which the items before a rank end. O(columns + items of a block).
  private func row(before rank: Int) -> Int { lanes.ends(before: rank).min() ?? 0 }

  /// Call it after the items from a rank on have changed. O(columns + items from there on if there are no gaps).
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

  /// The ranks of the items that occupy no row, not even a gap, by column and in order. A search by rows cannot find
  /// them. Without memory where there are none.
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

    func first(of column: Int, from rank: Int) -> Int? {
      guard column < ranks.count else { return nil }
      let place = place(of: rank, column)
      return place < ranks[column].count ? Int(ranks[column][place]) : nil
    }

    func last(of column: Int, before rank: Int) -> Int? {
      guard column < ranks.count else { return nil }
      let place = place(of: rank, column)
      return place > 0 ? Int(ranks[column][place - 1]) : nil
    }

    private func place(of rank: Int, _ column: Int) -> Int {
      let ranks = ranks[column]
      return ranks.indices.partitioningIndex { ranks[$0] >= rank }
    }
  }

  /// The ranks of items, their order from top to bottom in the columns. Without memory while each is the item's number.
  struct Ranking: Equatable, Sendable {
    private var numbersByRank: ContiguousArray<UInt32> = []
    private var ranksByNumber: ContiguousArray<UInt32> = []
    private var count = 0
    private(set) var isByNumber = true

    @inline(__always)
    func rank(of number: Int) -> Int { isByNumber ? number : Int(ranksByNumber[number]) }

    @inline(__always)
    func number(at rank: Int) -> Int { isByNumber ? rank : Int(numbersByRank[rank]) }

    func lowestRank(of numbers: Range<Int>) -> Int {
      isByNumber ? numbers.lowerBound : Int(ranksByNumber[numbers].min() ?? UInt32(count))
    }

    /// The first rank behind those of all lower numbers. O(number).
    func rank(behindAllBefore number: Int) -> Int {
      isByNumber ? number : ranksByNumber[..<number].max().map { Int($0) + 1 } ?? 0
    }

    /// Appends items whose ranks are their numbers. O(number added).
    mutating func append(_ added: Int) {
      if !isByNumber {
        numbersByRank.append(contentsOf: (count..<count + added).lazy.map { UInt32($0) })
        ranksByNumber.append(contentsOf: (count..<count + added).lazy.map { UInt32($0) })
      }
      count += added
    }

    /// Appends items by rank. O(number added), the first time O(items).
    mutating func append(_ numbers: [Int]) {
      storeAll()
      append(numbers.count)
      for (place, number) in numbers.enumerated() { setNumber(number, at: count - numbers.count + place) }
    }

    /// Moves the items from a rank on, given by their old ranks. O(items from there on).
    mutating func reorder(from rank: Int, _ oldRanks: [Int]) {
      storeAll()
      let numbers = oldRanks.map { number(at: $0) }
      for (place, number) in numbers.enumerated() { setNumber(number, at: rank + place) }
    }

    mutating func insert(_ other: Ranking, count added: Int, at rank: Int, number first: Int) {
      guard !isByNumber || !other.isByNumber else {
        count += added
        return
      }
      storeAll()
      for rank in numbersByRank.indices where numbersByRank[rank] >= first { numbersByRank[rank] += UInt32(added) }
      numbersByRank.insert(contentsOf: (0..<added).lazy.map { UInt32(first + other.number(at: $0)) }, at: rank)
      count += added
      storeRanks()
    }

    mutating func remove(_ range: Range<Int>) {
      count -= range.count
      guard !isByNumber else { return }
      numbersByRank.removeAll { range.contains(Int($0)) }
      for rank in numbersByRank.indices where numbersByRank[rank] >= range.upperBound {
        numbersByRank[rank] -= UInt32(range.count)
      }
      storeRanks()
    }

    private mutating func storeAll() {
      guard isByNumber else { return }
      isByNumber = false
      numbersByRank = ContiguousArray((0..<count).lazy.map { UInt32($0) })
      ranksByNumber = numbersByRank
    }

    private mutating func storeRanks() {
      ranksByNumber = ContiguousArray(repeating: 0, count: count)
      for rank in numbersByRank.indices { ranksByNumber[Int(numbersByRank[rank])] = UInt32(rank) }
    }

    private mutating func setNumber(_ number: Int, at rank: Int) {
      numbersByRank[rank] = UInt32(number)
      ranksByNumber[number] = UInt32(rank)
    }
  }
}

// MARK: - Appending

// MARK: - Appending items that fill holes

// MARK: - Editing

// MARK: - Summary

// MARK: - Bookkeeping
