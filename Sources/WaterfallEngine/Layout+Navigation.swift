import Geometry

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

  /// The item of the same column that lies about `rows` further down, or up if negative: a page is the viewport's
  /// height, half a page half of it. At least one item further, at most the column's last; nil when the column ends
  /// here. O(log items).
  public func item(pageFrom path: ElementPath, by rows: Int) -> ElementPath? {
    let frame = layoutAttributesForItem(at: path).frame
    let goal = Point(x: frame.midX, y: frame.midY + rows.asPosition)
    if let target = item(nearestTo: goal), target != path { return target }
    var goalRow: Int?
    return neighbor(of: path, toward: rows < 0 ? .up : .down, goalRow: &goalRow)
  }
}
