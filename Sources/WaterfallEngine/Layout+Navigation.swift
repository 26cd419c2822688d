extension Layout {
  /// The first item of all, nil when there is none. O(sections).
  public var firstItem: ElementPath? {
    for section in 0..<sectionCount where itemCount(inSection: section) > 0 {
      return ElementPath(section: section, item: 0)
    }
    return nil
  }

  /// The last item of all, nil when there is none. O(sections).
  public var lastItem: ElementPath? {
    for section in (0..<sectionCount).reversed() where itemCount(inSection: section) > 0 {
      return ElementPath(section: section, item: itemCount(inSection: section) - 1)
    }
    return nil
  }

  /// Whether the data has an item at `path`. O(1).
  public func contains(_ path: ElementPath) -> Bool {
    (0..<sectionCount).contains(path.section) && (0..<itemCount(inSection: path.section)).contains(path.item)
  }

  /// The item of the same column that lies about `distance` units further toward the content's end, or its start if
  /// negative: a page is the viewport's length, half a page half of it. At least one item further, at most the column's
  /// last; nil when the column ends here. O(log items).
  public func item(pageFrom path: ElementPath, by distance: Int) -> ElementPath? {
    let content = contentSize
    let frame = orientation.laidOut(layoutAttributesForItem(at: path).frame, in: content)
    let goal = Rect(x: frame.midX, y: frame.midY + distance.asPosition, width: 1, height: 1)
    if let target = item(nearestTo: orientation.turned(goal, in: content).origin), target != path { return target }
    var none: NavigationGoal?
    return neighbor(of: path, toward: orientation.turned(distance < 0 ? .up : .down), goal: &none)
  }
}
