extension SpanPacker {
  /// Places items, of which some may go first to fill the hole above one that spans columns: no item is placed more
  /// than `reach` places away from its turn. Answers the places by item.
  mutating func placeAll(_ items: [(height: Int, span: Int)]) -> [Place] {
    let reach = reach
    var places = [Place?](repeating: nil, count: items.count)
    var turn = 0
    for item in items.indices where places[item] == nil {
      if items[item].span > 1 {
        let candidates = (item + 1..<max(item + 1, min(turn + reach + 1, items.count))).filter {
          places[$0] == nil && items[$0].span == 1
        }
        // What goes first delays the item, which must not come too late.
        let filling = HoleFilling(
          heights: candidates.map { items[$0].height + lineSpacing }, most: item + reach - turn)
        turn += fill(above: items[item].span, candidates, items, filling, &places)
      }
      if places[item] == nil { places[item] = place(height: items[item].height, span: items[item].span) }
      turn += 1
    }
    return places.compactMap(\.self)
  }

  /// How far items may go from their turn to fill a hole before it is there.
  var reach: Int {
    guard !order.isStrict else { return 0 }
    switch packing {
    case .inOrder: return 0
    case .reordering(let reach): return min(max(0, reach), HoleFilling.mostCandidates)
    case .dense: return HoleFilling.mostCandidates
    }
  }

  /// Answers how many items went first.
  private mutating func fill(
    above span: Int, _ candidates: [Int], _ items: [(height: Int, span: Int)], _ filling: HoleFilling,
    _ places: inout [Place?]
  ) -> Int {
    var best: (cost: Int, column: Int, sets: [Int])?
    let least = ends.min() ?? 0
    for column in 0...ends.count - span {
      let found = filling.leastWaste(Array(ends[column..<column + span]), mayGrow: span == ends.count)
      // Little is won by a column far down.
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

/// Which of the next items fill the holes above one that spans columns.
struct HoleFilling {
  static let mostCandidates = 9

  /// The length of every set of candidates that may be used together, by set; a set is a number with a bit for each.
  private let sums: [Int]
  private let sizes: [Int]
  private let most: Int
  private let heights: [Int]

  /// O(2 to the power of candidates).
  init(heights: [Int], most: Int) {
    self.heights = heights
    self.most = most
    var sums = [0]
    var sizes = [0]
    if most > 0 {
      for height in heights {
        sums += sums.map { $0 + height }
        sizes += sizes.map { $0 + 1 }
      }
    }
    self.sums = sums
    self.sizes = sizes
  }

  /// The sets that leave the least empty above an item that lies under all of these columns.
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

  /// Fills the deepest hole first, each as well as what is left can.
  private func filled(_ ends: [Int], to bottom: Int) -> (waste: Int, sets: [Int]) {
    var sets = [Int](repeating: 0, count: ends.count)
    var used = 0
    var room = most
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
