extension PlacedBody {
  func item(above item: Int, goal: inout NavigationGoal?) -> Int? {
    let column = goalColumn(of: item, goal)
    goal = NavigationGoal(column: column)
    let place = key(item)
    return search(column, from: tops[item], by: -1) { a, b in
      key(a) > key(b)
    } where: {
      key($0) < place
    }
  }

  func item(below item: Int, goal: inout NavigationGoal?) -> Int? {
    let column = goalColumn(of: item, goal)
    goal = NavigationGoal(column: column)
    let place = key(item)
    return search(column, from: tops[item], by: 1) { a, b in
      key(a) < key(b)
    } where: {
      key($0) > place
    }
  }

  private func goalColumn(of item: Int, _ goal: NavigationGoal?) -> Int {
    let columns = columns(of: item)
    return goal?.column.flatMap { columns.contains($0) ? $0 : nil } ?? columns.lowerBound
  }

  /// Says which of two items of a column lies higher.
  private func key(_ item: Int) -> (Int, Int, Int) { (tops[item], bottom(of: item), item) }

  /// The best of a column's items in a direction from a row, that are looked for in ever more rows.
  private func search(
    _ column: Int, from row: Int, by step: Int, isBetter: (Int, Int) -> Bool, where isWanted: (Int) -> Bool
  ) -> Int? {
    var reach = 64
    while true {
      let rows = step > 0 ? row...row + reach : row - reach...row
      // What begins in the rows lies nearer than what begins outside of them.
      if let found = best(of: column, in: rows, isBetter, where: { rows.contains(tops[$0]) && isWanted($0) }) {
        return found
      }
      guard step > 0 ? row + reach < height : row - reach > 0 else { return nil }
      reach *= 4
    }
  }

  private func best(
    of column: Int, in rows: ClosedRange<Int>, _ isBetter: (Int, Int) -> Bool, where isWanted: (Int) -> Bool
  ) -> Int? {
    var best: Int?
    extents.visitBlocks(from: rows.lowerBound, to: rows.upperBound) { block in
      for item in items(ofBlock: block) where columns(of: item).contains(column) && isWanted(item) {
        if best.map({ isBetter(item, $0) }) ?? true { best = item }
      }
    }
    return best
  }
}

extension PlacedBody {
  func item(beside item: Int, step: Int, top: Int, goal: inout NavigationGoal) -> (item: Int, column: Int)? {
    let row = goal.row(for: frame(of: item), top: top) - top
    let own = columns(of: item)
    var column = goal.column.flatMap { own.contains($0) ? $0 : nil } ?? own.lowerBound
    while true {
      column += step
      guard columnIndices.contains(column) else { return nil }
      guard usedColumns[column], let found = self.item(inColumn: column, nearestTo: row, home: goal.home?.item)
      else { continue }
      if found != item { return (found, column) }
    }
  }

  private var columnIndices: Range<Int> { 0..<columns.count }

  /// The item that the moves set out from is always found again, even where it has no height.
  private func item(inColumn column: Int, nearestTo row: Int, home: Int?) -> Int? {
    if let home, words.indices.contains(home), columns(of: home).contains(column),
      (tops[home]...bottom(of: home)).contains(row)
    {
      return home
    }
    return item(inColumn: column, nearestTo: row)
  }

  func lane(of item: Int, column: Int?) -> Range<Int> {
    let own = columns(of: item)
    let column = column.flatMap { own.contains($0) ? $0 : nil } ?? own.lowerBound
    return columns.x(of: column)..<columns.x(of: column) + columns.width(of: column)
  }

  func column(nearestTo lane: Range<Int>) -> Int? {
    columns.column(nearestTo: lane.lowerBound, lane.upperBound) { usedColumns[$0] }
  }

  func item(nearestTo minX: Int, _ maxX: Int, row: Int) -> Int {
    let column = columns.column(nearestTo: minX, maxX) { usedColumns[$0] } ?? 0
    return item(inColumn: column, nearestTo: row) ?? 0
  }

  /// The column's item nearest to a row, the upper of two as near; nil if it has none. O(log items) where items lie
  /// about in their order.
  private func item(inColumn column: Int, nearestTo row: Int) -> Int? {
    let row = min(max(row, 0), height)
    var reach = 32
    while true {
      let rows = row - reach...row + reach
      let found = best(of: column, in: rows) { a, b in
        (distance(of: a, row), tops[a], a) < (distance(of: b, row), tops[b], b)
      } where: {
        distance(of: $0, row) <= reach
      }
      if found != nil || reach > height { return found }
      reach *= 4
    }
  }

  /// 0 for an item that covers the row.
  private func distance(of item: Int, _ row: Int) -> Int { max(0, tops[item] - row, row - bottom(of: item) + 1) }
}
