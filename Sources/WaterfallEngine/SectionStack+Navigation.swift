extension SectionStack {
  /// `direction` is that of the picture that is not turned.
  func neighbor(of path: ElementPath, toward direction: Direction, goal: inout NavigationGoal?) -> ElementPath? {
    switch direction {
    case .left: item(beside: path, step: -1, goal: &goal)
    case .right: item(beside: path, step: 1, goal: &goal)
    case .up: item(above: path, goal: &goal)
    case .down: item(below: path, goal: &goal)
    }
  }

  private func item(beside path: ElementPath, step: Int, goal: inout NavigationGoal?) -> ElementPath? {
    var sideways = goal ?? NavigationGoal()
    sideways.lane = nil
    if sideways.row == nil {
      sideways.home = path
    } else if sideways.home?.section != path.section {
      sideways.home = nil
    }
    sideways.row = sideways.row?.asPosition
    let top = sections[path.section].itemsTop
    guard let found = sections[path.section].body.item(beside: path.item, step: step, top: top, goal: &sideways)
    else { return nil }
    sideways.column = found.column
    goal = sideways
    return ElementPath(section: path.section, item: found.item)
  }

  private func item(above path: ElementPath, goal: inout NavigationGoal?) -> ElementPath? {
    let lane = goal?.lane
    let next = sections[path.section].body.item(above: path.item, goal: &goal)
    if let lane { keep(lane, in: &goal) }
    if let next { return ElementPath(section: path.section, item: next) }
    guard let section = sections[..<path.section].lastIndex(where: { $0.body.itemCount > 0 }) else { return nil }
    return item(in: section, from: path, enteredAtEnd: true, lane: lane, goal: &goal)
  }

  private func item(below path: ElementPath, goal: inout NavigationGoal?) -> ElementPath? {
    let lane = goal?.lane
    let next = sections[path.section].body.item(below: path.item, goal: &goal)
    if let lane { keep(lane, in: &goal) }
    if let next { return ElementPath(section: path.section, item: next) }
    let below = sections[(path.section + 1)...]
    guard let section = below.firstIndex(where: { $0.body.itemCount > 0 }) else { return nil }
    return item(in: section, from: path, enteredAtEnd: false, lane: lane, goal: &goal)
  }

  private func keep(_ lane: Range<Int>, in goal: inout NavigationGoal?) {
    if goal == nil { goal = NavigationGoal(lane: lane) } else { goal?.lane = lane }
  }

  /// The outermost item of another section in the column nearest to the one that the moves set out from.
  private func item(
    in section: Int, from path: ElementPath, enteredAtEnd: Bool, lane: Range<Int>?, goal: inout NavigationGoal?
  ) -> ElementPath {
    let lane = lane ?? sections[path.section].body.lane(of: path.item, column: goal?.column)
    goal = NavigationGoal(column: sections[section].body.column(nearestTo: lane), lane: lane)
    let row = enteredAtEnd ? LayoutLimits.position : -LayoutLimits.position
    var item = sections[section].body.item(nearestTo: lane.lowerBound, lane.upperBound, row: row)
    // Items without height may lie in the same row.
    var along = goal
    while let next = enteredAtEnd
      ? sections[section].body.item(below: item, goal: &along) : sections[section].body.item(above: item, goal: &along)
    {
      item = next
    }
    return ElementPath(section: section, item: item)
  }

  func item(nearestTo point: Point) -> ElementPath? {
    let x = point.x.asPosition
    let y = point.y.asPosition
    let middle = sectionIndex(endingBelow: y)
    let below = sections[middle...].firstIndex { $0.body.itemCount > 0 }
    let above = sections[..<middle].lastIndex { $0.body.itemCount > 0 }
    guard let section = nearer(above, below, to: y) else { return nil }
    let row = y - sections[section].itemsTop
    return ElementPath(section: section, item: sections[section].body.item(nearestTo: x, x + 1, row: row))
  }

  private func nearer(_ above: Int?, _ below: Int?, to row: Int) -> Int? {
    guard let above, let below else { return above ?? below }
    return row - sections[above].bottom < sections[below].top - row ? above : below
  }
}
