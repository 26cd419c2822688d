/// Places items that span columns under each other.
struct SpanPacker: Sendable {
  /// An item's first column and its top.
  struct Place: Sendable {
    var column: Int
    var top: Int
  }

  /// The empty space between an item that spans columns and the item above it in one of them.
  private struct Hole: Sendable {
    var column: Int
    var top: Int
    var bottom: Int
  }

  private let lineSpacing: Int
  private let order: ItemOrder
  private let packing: SpanPacking
  /// The start of each column's next item.
  private var ends: ContiguousArray<Int>
  private var holes: [Hole] = []
  /// The columns of the last item.
  private var last: Range<Int>?

  /// The number of holes that are remembered, which bounds the time of a search.
  private static let maximumHoleCount = 128

  init(columnCount: Int, rules: PackingRules) {
    lineSpacing = rules.lineSpacing
    order = rules.order
    packing = rules.spanPacking
    ends = ContiguousArray(repeating: 0, count: columnCount)
  }

  /// The end of the lowest item.
  var height: Int { max(0, (ends.max() ?? 0) - lineSpacing) }

  /// Records an item that already has a place.
  mutating func addPlaced(_ columns: Range<Int>, bottom: Int) {
    for column in columns { ends[column] = max(ends[column], bottom + lineSpacing) }
    last = columns
  }

  /// Places an item under all others in its columns and returns its top.
  mutating func drop(_ columns: Range<Int>, height: Int) -> Int {
    let top = ends[columns].max() ?? 0
    for column in columns { ends[column] = top + height + lineSpacing }
    last = columns
    return top
  }

  /// The place of the next item. O(columns × span + holes).
  @inline(__always)
  mutating func place(height: Int, span: Int) -> Place {
    if span == 1 {
      if packing == .dense, let place = fillHole(height) { return place }
      if order == .shortest { return placeUnderShortest(height) }
    }
    let column = firstColumn(span: span)
    return Place(column: column, top: place(height: height, at: column..<column + span))
  }

  @inline(__always)
  private mutating func placeUnderShortest(_ height: Int) -> Place {
    let place = SpanPacker.lengthenShortest(&ends, by: height &+ lineSpacing)
    last = place.column..<place.column + 1
    return place
  }

  /// Without branches: the processor would mispredict too often which column is the shortest.
  @inline(__always)
  private static func lengthenShortest(_ allEnds: inout ContiguousArray<Int>, by length: Int) -> Place {
    var ends = allEnds.mutableSpan
    var shortest = 0
    var top = ends[0]
    for column in 1..<ends.count {
      let end = ends[unchecked: column]
      shortest = end < top ? column : shortest
      top = min(end, top)
    }
    ends[unchecked: shortest] = top &+ length
    return Place(column: shortest, top: top)
  }

  private mutating func place(height: Int, at columns: Range<Int>) -> Int {
    let oldEnds = packing == .dense && columns.count > 1 ? Array(ends[columns]) : []
    let top = drop(columns, height: height)
    for (column, end) in zip(columns, oldEnds) where top - end > lineSpacing {
      holes.append(Hole(column: column, top: end, bottom: top))
    }
    if holes.count > SpanPacker.maximumHoleCount { holes.removeFirst(holes.count - SpanPacker.maximumHoleCount) }
    return top
  }

  /// Places an item in the hole that leaves the least rest.
  private mutating func fillHole(_ height: Int) -> Place? {
    var best: Int?
    var leastRest = Int.max
    for (number, hole) in holes.enumerated() {
      let rest = hole.bottom - hole.top - height - lineSpacing
      guard rest >= 0, rest < leastRest else { continue }
      best = number
      leastRest = rest
    }
    guard let best else { return nil }
    let place = Place(column: holes[best].column, top: holes[best].top)
    if leastRest > lineSpacing {
      holes[best].top += height + lineSpacing
    } else {
      holes.remove(at: best)
    }
    return place
  }
}

extension SpanPacker {
  /// The first column of the next item that spans `span` columns.
  private func firstColumn(span: Int) -> Int {
    let lastStart = ends.count - span
    switch order {
    case .shortest: return lowest(span, from: 0, tolerance: 0)
    case .tolerance(let tolerance):
      let cursor = last?.upperBound ?? 0
      return lowest(span, from: cursor > lastStart ? 0 : cursor, tolerance: tolerance)
    case .leftToRight:
      let next = last?.upperBound ?? 0
      return next <= lastStart ? next : 0
    case .rightToLeft:
      let next = (last?.lowerBound ?? ends.count) - span
      return next >= 0 ? next : lastStart
    }
  }

  /// The first column, from the cursor on and around, at which the item lies at most the tolerance below its highest
  /// possible place.
  private func lowest(_ span: Int, from cursor: Int, tolerance: Int) -> Int {
    let count = ends.count - span + 1
    var least = Int.max
    for column in 0..<count { least = min(least, top(of: column, span)) }
    var column = cursor
    while top(of: column, span) > least + tolerance { column = column + 1 < count ? column + 1 : 0 }
    return column
  }

  private func top(of column: Int, _ span: Int) -> Int {
    var top = ends[column]
    for other in column + 1..<column + span where ends[other] > top { top = ends[other] }
    return top
  }
}

// MARK: - Reordering

extension SpanPacker {
  /// Places items, some of which may go first to fill the hole above one that spans columns: no item is placed more than
  /// `reach` places away from its turn. Returns the places by item.
  mutating func placeAll(_ items: [(height: Int, span: Int)]) -> [Place] {
    let reach = reach
    var places = [Place?](repeating: nil, count: items.count)
    var turn = 0
    for item in items.indices where places[item] == nil {
      if items[item].span > 1 {
        let candidates = (item + 1..<max(item + 1, min(turn + reach + 1, items.count))).filter {
          places[$0] == nil && items[$0].span == 1
        }
        // Items that go first delay this one, which must not come too late.
        let filling = HoleFilling(
          heights: candidates.map { items[$0].height + lineSpacing }, maximumCount: item + reach - turn)
        turn += fill(above: items[item].span, candidates, items, filling, &places)
      }
      if places[item] == nil { places[item] = place(height: items[item].height, span: items[item].span) }
      turn += 1
    }
    return places.compactMap(\.self)
  }

  /// The number of places by which items may precede their turn to fill a hole before it forms.
  var reach: Int {
    guard !order.isStrict else { return 0 }
    switch packing {
    case .inOrder: return 0
    case .reordering(let reach): return min(max(0, reach), HoleFilling.maximumCandidateCount)
    case .dense: return HoleFilling.maximumCandidateCount
    }
  }

  /// Returns the number of items that went first.
  private mutating func fill(
    above span: Int, _ candidates: [Int], _ items: [(height: Int, span: Int)], _ filling: HoleFilling,
    _ places: inout [Place?]
  ) -> Int {
    var best: (cost: Int, column: Int, sets: [Int])?
    let least = ends.min() ?? 0
    for column in 0...ends.count - span {
      let found = filling.leastWaste(Array(ends[column..<column + span]), mayGrow: span == ends.count)
      // A column far down gains little.
      let cost = found.waste * 4 + (top(of: column, span) - least)
      if best.map({ cost < $0.cost }) ?? true { best = (cost, column, found.sets) }
    }
    guard let best else { return 0 }
    var count = 0
    for (offset, set) in best.sets.enumerated() {
      for (number, candidate) in candidates.enumerated() where set & 1 << number != 0 {
        let column = best.column + offset
        let top = drop(column..<column + 1, height: items[candidate].height)
        places[candidate] = Place(column: column, top: top)
        count += 1
      }
    }
    return count
  }
}

/// The choice of the next items that fill the holes above one that spans columns.
private struct HoleFilling {
  static let maximumCandidateCount = 9

  /// The length of every set of candidates, by set; a set is a number with a bit for each candidate.
  private let sums: [Int]
  private let sizes: [Int]
  private let maximumCount: Int
  private let heights: [Int]

  /// O(2 to the power of candidates).
  init(heights: [Int], maximumCount: Int) {
    self.heights = heights
    self.maximumCount = maximumCount
    var sums = [0]
    var sizes = [0]
    if maximumCount > 0 {
      for height in heights {
        sums += sums.map { $0 + height }
        sizes += sizes.map { $0 + 1 }
      }
    }
    self.sums = sums
    self.sizes = sizes
  }

  /// The sets that leave the least empty space above an item under all of these columns.
  func leastWaste(_ ends: [Int], mayGrow: Bool) -> (waste: Int, sets: [Int]) {
    let highest = ends.max() ?? 0
    var best = filled(ends, to: highest)
    guard mayGrow, sums.count > 1 else { return best }
    for height in heights {
      let other = filled(ends, to: highest + height)
      if other.waste < best.waste { best = other }
    }
    return best
  }

  /// Fills the deepest hole first, each as well as the remaining candidates can.
  private func filled(_ ends: [Int], to bottom: Int) -> (waste: Int, sets: [Int]) {
    var sets = [Int](repeating: 0, count: ends.count)
    var used = 0
    var room = maximumCount
    var waste = 0
    for column in ends.indices.sorted(by: { ends[$0] < ends[$1] }) {
      let set = longest(in: bottom - ends[column], without: used, atMost: room)
      sets[column] = set
      used |= set
      room -= sizes[set]
      waste += bottom - ends[column] - sums[set]
    }
    return (waste, sets)
  }

  /// The longest set that fits; of equal ones the first, which holds the earliest items.
  private func longest(in length: Int, without used: Int, atMost room: Int) -> Int {
    var best = 0
    var longest = 0
    for set in sums.indices {
      let sum = sums[set]
      if sum <= length, sum > longest, set & used == 0, sizes[set] <= room {
        best = set
        longest = sum
      }
    }
    return best
  }
}
