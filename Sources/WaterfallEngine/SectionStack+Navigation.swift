import Geometry

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
    var sideways = goal ?? NavigationGoal(row: nil, column: nil, home: nil)
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
    if let item = sections[path.section].body.item(above: path.item, goal: &goal) {
      return ElementPath(section: path.section, item: item)
    }
    guard let section = sections[..<path.section].lastIndex(where: { $0.body.itemCount > 0 }) else { return nil }
    goal = nil
    return item(in: section, over: path, row: LayoutLimits.position)
  }

  private func item(below path: ElementPath, goal: inout NavigationGoal?) -> ElementPath? {
    if let item = sections[path.section].body.item(below: path.item, goal: &goal) {
      return ElementPath(section: path.section, item: item)
    }
    let below = sections[(path.section + 1)...]
    guard let section = below.firstIndex(where: { $0.body.itemCount > 0 }) else { return nil }
    goal = nil
    return item(in: section, over: path, row: -LayoutLimits.position)
  }

  /// The item of another section in the column nearest to that of `path`.
  private func item(in section: Int, over path: ElementPath, row: Int) -> ElementPath {
    let frame = sections[path.section].body.frame(of: path.item)
    let item = sections[section].body.item(nearestTo: frame.minX, frame.maxX, row: row)
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
