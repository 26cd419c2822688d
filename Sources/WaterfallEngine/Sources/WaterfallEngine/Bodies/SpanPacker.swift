extension LaneBody {
  /// Places items that span columns under each other.
  struct SpanPacker: ColumnQueue, Sendable {
    struct Place: Sendable {
      var item: Int
      /// The first column.
      var column: Int
      var top: Int
      /// The item under the hole that the item fills.
      var under: Int?
    }

    /// The empty space between an item that spans columns and the item above it in one of them.
    struct Hole: Sendable {
      fileprivate var column: Int
      fileprivate var top: Int
      fileprivate var bottom: Int
      fileprivate var under: Int
    }

    private let rules: PackingRules
    private(set) var ends: ContiguousArray<Int>
    private(set) var holes: [Hole]
    /// The columns of the last item that fills no hole.
    private var last: Range<Int>?

    /// The number of holes that are remembered, which bounds the time of a search.
    private static let maximumHoleCount = 128

    init(ends: ContiguousArray<Int>, last: Range<Int>?, holes: [Hole], rules: PackingRules) {
      (self.ends, self.last, self.holes, self.rules) = (ends, last, holes, rules)
    }

    private var lineSpacing: Int { rules.lineSpacing }

    /// Places an item under all others in its columns and returns its top.
    private mutating func drop(_ columns: Range<Int>, height: Int) -> Int {
      last = columns
      let length = height + lineSpacing
      var ends = ends.mutableSpan
      return LaneStack.drop(length, columns, &ends)
    }

    /// The place of the next item. O(columns × span + holes).
    private mutating func place(_ number: Int, _ item: LaneItem) -> Place {
      let span = item.span(among: ends.count)
      if span == 1, rules.spanPacking == .dense, let place = fillHole(number, item.height) { return place }
      let column = firstColumn(span: span)
      let top = place(number, height: item.height, at: column..<column + span)
      return Place(item: number, column: column, top: top, under: nil)
    }

    private mutating func place(_ number: Int, height: Int, at columns: Range<Int>) -> Int {
      let oldEnds = rules.spanPacking == .dense && columns.count > 1 ? Array(ends[columns]) : []
      let top = drop(columns, height: height)
      for (column, end) in zip(columns, oldEnds) where top - end > lineSpacing {
        holes.append(Hole(column: column, top: end, bottom: top, under: number))
      }
      if holes.count > SpanPacker.maximumHoleCount { holes.removeFirst(holes.count - SpanPacker.maximumHoleCount) }
      return top
    }

    /// Places an item in the hole that leaves the least rest.
    private mutating func fillHole(_ number: Int, _ height: Int) -> Place? {
      var best: Int?
      var leastRest = Int.max
      for (number, hole) in holes.enumerated() {
        let rest = hole.bottom - hole.top - height - lineSpacing
        guard rest >= 0, rest < leastRest else { continue }
        best = number
        leastRest = rest
      }
      guard let best else { return nil }
      let place = Place(item: number, column: holes[best].column, top: holes[best].top, under: holes[best].under)
      if leastRest > lineSpacing {
        holes[best].top += height + lineSpacing
      } else {
        holes.remove(at: best)
      }
      return place
    }
  }
}

extension LaneBody.SpanPacker {
  private func firstColumn(span: Int) -> Int {
    let lastStart = ends.count - span
    switch rules.order {
    case .shortest: return Self.firstColumn(span, under: ends.span)
    case .tolerance(let tolerance):
      let cursor = last?.upperBound ?? 0
      return Self.firstColumn(span, under: ends.span, from: cursor > lastStart ? 0 : cursor, tolerance)
    case .leftToRight:
      let next = last?.upperBound ?? 0
      return next <= lastStart ? next : 0
    case .rightToLeft:
      let next = (last?.lowerBound ?? ends.count) - span
      return next >= 0 ? next : lastStart
    }
  }

  /// The first column, from the cursor on and around, at which the item lies at most the tolerance below its highest
  /// possible place. O(columns × span).
  @inline(__always)
  static func firstColumn(_ span: Int, under ends: Span<Int>, from cursor: Int = 0, _ tolerance: Int = 0) -> Int {
    let count = ends.count - span + 1
    var least = Int.max
    for column in 0..<count { least = min(least, top(of: column, span, ends)) }
    var column = cursor
    while top(of: column, span, ends) > least + tolerance { column = column + 1 < count ? column + 1 : 0 }
    return column
  }

  @inline(__always)
  private static func top(of column: Int, _ span: Int, _ ends: Span<Int>) -> Int {
    var top = ends[column]
    for other in column + 1..<column + span { top = max(top, ends[other]) }
    return top
  }

  var nextColumn: Int { firstColumn(span: 1) }

  mutating func lengthen(_ column: Int, by length: Int) { _ = drop(column..<column + 1, height: length - lineSpacing) }

  mutating func placeWide(_ length: Int, _ span: Int, _: inout ContiguousArray<Int>) -> Int {
    let column = firstColumn(span: span)
    _ = drop(column..<column + span, height: length - lineSpacing)
    return column
  }

  func visitEnds(_ body: (Int, Int) -> Void) { for column in ends.indices { body(column, ends[column]) } }

  /// Places items, some of which may go first to fill the hole above one that spans columns: no item is placed more
  /// than `reach` places away from its turn. Returns the places in the order in which the items were placed.
  mutating func placeAll(_ items: [LaneItem], from first: Int) -> [Place] {
    var places: [Place] = []
    places.reserveCapacity(items.count)
    let reach = rules.reach
    guard reach > 0 else {
      for (number, item) in items.enumerated() { places.append(place(first + number, item)) }
      return places
    }
    var wentFirst = [Bool](repeating: false, count: items.count)
    for item in items.indices where !wentFirst[item] {
      let turn = places.count
      let span = items[item].span(among: ends.count)
      if span > 1 {
        let candidates = (item + 1..<max(item + 1, min(turn + reach + 1, items.count))).filter {
          !wentFirst[$0] && items[$0].span(among: ends.count) == 1
        }
        // Items that go first delay this one, which must not come too late.
        let filling = HoleFilling(
          heights: candidates.map { items[$0].height + lineSpacing }, maximumCount: item + reach - turn)
        for (candidate, column) in fill(above: span, candidates, filling) {
          let top = drop(column..<column + 1, height: items[candidate].height)
          places.append(Place(item: first + candidate, column: column, top: top, under: nil))
          wentFirst[candidate] = true
        }
      }
      places.append(place(first + item, items[item]))
    }
    return places
  }

  private func fill(above span: Int, _ candidates: [Int], _ filling: HoleFilling) -> [(item: Int, column: Int)] {
    var best = (cost: Int.max, column: 0, sets: [Int]())
    let least = ends.min() ?? 0
    for column in 0...ends.count - span {
      let found = filling.leastWaste(ends[column..<column + span], mayGrow: span == ends.count)
      // A column far down gains little.
      let cost = found.waste * 4 + (Self.top(of: column, span, ends.span) - least)
      if cost < best.cost { best = (cost, column, found.sets) }
    }
    return best.sets.enumerated().flatMap { offset, set in
      candidates.indices.filter { set & 1 << $0 != 0 }.map { (candidates[$0], best.column + offset) }
    }
  }

  /// The choice of the next items that fill the holes above one that spans columns.
  fileprivate struct HoleFilling {
    static let maximumCandidateCount = 9

    private let heights: [Int]
    private let maximumCount: Int
    /// The least height that fills anything.
    private let leastHeight: Int

    init(heights: [Int], maximumCount: Int) {
      self.heights = maximumCount > 0 ? heights : []
      self.maximumCount = maximumCount
      leastHeight = self.heights.reduce(Int.max) { $1 > 0 ? min($0, $1) : $0 }
    }

    /// The sets that leave the least empty space above an item under all of these columns, none if they all are empty.
    /// A set is a number with a bit for each candidate. O(columns), O(2 to the power of candidates) where holes have
    /// room.
    func leastWaste(_ ends: ArraySlice<Int>, mayGrow: Bool) -> (waste: Int, sets: [Int]) {
      let highest = ends.max() ?? 0
      var best = filled(ends, to: highest)
      guard mayGrow else { return best }
      for height in heights {
        let other = filled(ends, to: highest + height)
        if other.waste < best.waste { best = other }
      }
      return best
    }

    /// Fills the deepest hole first, each as well as the remaining candidates can.
    private func filled(_ ends: ArraySlice<Int>, to bottom: Int) -> (waste: Int, sets: [Int]) {
      var waste = ends.reduce(0) { $0 + bottom - $1 }
      // Most holes are too small for any candidate.
      guard ends.contains(where: { bottom - $0 >= leastHeight }) else { return (waste, []) }
      var sets = [Int](repeating: 0, count: ends.count)
      var used = 0
      for column in ends.indices.sorted(by: { ends[$0] < ends[$1] }) {
        var best = Choice()
        let room = maximumCount - used.nonzeroBitCount
        extend(Choice(), before: heights.count, in: bottom - ends[column], without: used, atMost: room, &best)
        sets[column - ends.startIndex] = best.set
        used |= best.set
        waste -= best.sum
      }
      return (waste, sets)
    }

    private struct Choice { var (set, sum) = (0, 0) }

    /// Finds the longest set that fits; of equal ones the lowest, which holds the earliest items. Visits the sets that
    /// consist of a choice and of candidates before the given one, in ascending order.
    private func extend(
      _ choice: Choice, before end: Int, in length: Int, without used: Int, atMost room: Int, _ best: inout Choice
    ) {
      guard room > 0 else { return }
      for candidate in 0..<end where used & 1 << candidate == 0 {
        let longer = Choice(set: choice.set | 1 << candidate, sum: choice.sum + heights[candidate])
        guard best.sum < length else { return }
        guard longer.sum <= length else { continue }
        if longer.sum > best.sum { best = longer }
        extend(longer, before: candidate, in: length, without: used, atMost: room - 1, &best)
      }
    }
  }
}

extension PackingRules {
  var staysInOrder: Bool { reach == 0 && spanPacking != .dense }

  /// The number of places by which items may precede their turn to fill a hole before it forms.
  var reach: Int {
    guard !order.isStrict else { return 0 }
    switch spanPacking {
    case .inOrder: return 0
    case .reordering(let reach): return min(max(0, reach), LaneBody.SpanPacker.HoleFilling.maximumCandidateCount)
    case .dense: return LaneBody.SpanPacker.HoleFilling.maximumCandidateCount
    }
  }
}
