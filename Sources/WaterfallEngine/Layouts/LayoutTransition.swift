/// An item that a viewport shows before or after a change, with its place at the start and at the end of an animation.
public struct ItemTransition: Hashable, Sendable {
  /// The item's path before the change; nil if it was inserted.
  public var oldPath: ElementPath?
  /// The item's path after the change; nil if it was removed.
  public var newPath: ElementPath?
  /// The place where the item starts, in the content after the change, and the item's look before it.
  public var initial: LayoutAttributes
  /// The place where the item ends, in the content after the change.
  public var final: LayoutAttributes
}

/// The movements of the items that a viewport shows before or after a change: where inserted items come from, where
/// removed ones go, and where the others start.
///
/// An item that stays starts at its place on the screen before the change. An inserted one moves together with the next
/// item that stays, or else with the last, so that neighbors move as one; a removed one likewise, from its old place. Both
/// move along the scrolling only. An item from beyond the viewport comes from at most the viewport's size away, and one
/// that leaves goes as far.
public struct LayoutTransition: Hashable, Sendable {
  /// The items from back to front: removed ones, inserted ones and those that stay, each by their paths.
  public let items: [ItemTransition]
  /// The places of the items in `items`, by their paths before and after the change.
  private let (oldPlaces, newPlaces): ([ElementPath: Int], [ElementPath: Int])

  /// The movements from one state of a layout, or one layout, to another. O(visible × log visible), and the cost of two
  /// queries.
  ///
  /// - Parameters:
  ///   - old: the layout before the change.
  ///   - oldViewport: the part of its content that was visible, in units.
  ///   - new: the layout after the change.
  ///   - newViewport: the part of its content that will be visible, in units.
  ///   - newPath: returns the path of an old item after the change, nil if it was removed.
  ///   - oldPath: returns the path of a new item before the change, nil if it was inserted.
  public init(
    from old: some CollectionLayout, in oldViewport: Rect, to new: some CollectionLayout, in newViewport: Rect,
    newPath: (ElementPath) -> ElementPath?, oldPath: (ElementPath) -> ElementPath?
  ) {
    let (oldViewport, newViewport) = (oldViewport.bounded, newViewport.bounded)
    let room = Size(width: max(0, newViewport.width), height: max(0, newViewport.height))
    let shift = newViewport.origin - oldViewport.origin
    let visible = new.visibleItems(in: newViewport)
    let ends = Dictionary(uniqueKeysWithValues: visible.map { ($0.path, $0) })
    var (removed, inserted, staying): ([ItemTransition], [ItemTransition], [ItemTransition]) = ([], [], [])
    for element in old.visibleItems(in: oldViewport) {
      let initial = element.moved(by: shift)
      if let path = newPath(element.path) {
        let final = ends[path] ?? new.layoutAttributesForItem(at: path).approached(from: initial, room)
        staying.append(ItemTransition(oldPath: element.path, newPath: path, initial: initial, final: final))
      } else {
        removed.append(ItemTransition(oldPath: element.path, initial: initial, final: initial))
      }
    }
    let visibleBefore = Set(staying.map(\.newPath))
    for final in visible where !visibleBefore.contains(final.path) {
      if let path = oldPath(final.path) {
        let start = old.layoutAttributesForItem(at: path).moved(by: shift).approached(from: final, room)
        staying.append(ItemTransition(oldPath: path, newPath: final.path, initial: start, final: final))
      } else {
        inserted.append(ItemTransition(newPath: final.path, initial: final, final: final))
      }
    }
    let axis = new.orientation.axis
    let (movements, newMovements) = (Movements(staying, axis, \.oldPath), Movements(staying, axis, \.newPath))
    for index in removed.indices {
      removed[index].final = removed[index].final.moved(by: movements.movement(beside: removed[index].oldPath))
    }
    for index in inserted.indices {
      let movement = newMovements.movement(beside: inserted[index].newPath)
      inserted[index].initial = inserted[index].initial.moved(by: .zero - movement)
    }
    let items = removed + inserted + staying.sorted { $0.final.path < $1.final.path }
    func places(_ path: (ItemTransition) -> ElementPath?) -> [ElementPath: Int] {
      Dictionary(items.indices.compactMap { place in path(items[place]).map { ($0, place) } }) { first, _ in first }
    }
    (self.items, oldPlaces, newPlaces) = (items, places(\.oldPath), places(\.newPath))
  }

  /// The movements from one state of a layout to another, in which a difference was applied to a section.
  /// O(visible × log visible + visible × log changes + changes), and the cost of two queries.
  ///
  /// - Parameters:
  ///   - old: the layout before the change.
  ///   - oldViewport: the part of its content that was visible, in units.
  ///   - new: the layout after the change.
  ///   - newViewport: the part of its content that will be visible, in units.
  ///   - difference: the change of the section's data. A moved item (`inferringMoves()`) keeps its identity.
  ///   - section: the section's number.
  public init<Item>(
    from old: some CollectionLayout, in oldViewport: Rect, to new: some CollectionLayout, in newViewport: Rect,
    applying difference: CollectionDifference<Item>, toSection section: Int
  ) {
    let mapping = ItemMapping(difference)
    func mapped(_ path: ElementPath, _ number: (Int) -> Int?) -> ElementPath? {
      path.section == section ? number(path.item).map { ElementPath(section: section, item: $0) } : path
    }
    self.init(
      from: old, in: oldViewport, to: new, in: newViewport,
      newPath: { mapped($0, mapping.newNumber) }, oldPath: { mapped($0, mapping.oldNumber) })
  }

  /// Returns where the item of a path after the change starts; nil if it is visible neither before nor after. O(1).
  public func initialLayoutAttributesForAppearingItem(at path: ElementPath) -> LayoutAttributes? {
    newPlaces[path].map { items[$0].initial }
  }

  /// Returns where the item of a path before the change ends; nil if it is visible neither before nor after. O(1).
  public func finalLayoutAttributesForDisappearingItem(at path: ElementPath) -> LayoutAttributes? {
    oldPlaces[path].map { items[$0].final }
  }
}

/// The movements along the scrolling of the items that stay, by their paths before or after the change.
private struct Movements {
  private let items: [(path: ElementPath, movement: Point)]

  init(_ staying: [ItemTransition], _ axis: Orientation.Axis, _ path: (ItemTransition) -> ElementPath?) {
    items = staying.compactMap { item in
      guard let path = path(item) else { return nil }
      let movement = item.final.frame.origin - item.initial.frame.origin
      return (path, axis == .vertical ? Point(x: 0, y: movement.y) : Point(x: movement.x, y: 0))
    }.sorted { $0.path < $1.path }
  }

  /// The movement of the next item, or else of the last. O(log items).
  func movement(beside path: ElementPath?) -> Point {
    guard let path, let last = items.last else { return .zero }
    let low = items.indices.partitioningIndex { items[$0].path >= path }
    return low < items.count ? items[low].movement : last.movement
  }
}

extension CollectionLayout {
  fileprivate func visibleItems(in viewport: Rect) -> [LayoutAttributes] {
    layoutAttributes(inViewport: viewport).filter { $0.kind == .item }
  }
}

extension LayoutAttributes {
  fileprivate func moved(by distance: Point) -> LayoutAttributes {
    var moved = self
    moved.frame = frame.offsetBy(x: distance.x, y: distance.y)
    return moved
  }

  /// The element on its way from the place of another, as far as a viewport is large.
  fileprivate func approached(from other: LayoutAttributes, _ viewport: Size) -> LayoutAttributes {
    let way = frame.origin - other.frame.origin
    var approached = self
    approached.frame.origin = Point(
      x: other.frame.minX + min(max(way.x, -viewport.width), viewport.width),
      y: other.frame.minY + min(max(way.y, -viewport.height), viewport.height))
    return approached
  }
}

extension Point {
  fileprivate static func - (left: Point, right: Point) -> Point { Point(x: left.x - right.x, y: left.y - right.y) }
}
