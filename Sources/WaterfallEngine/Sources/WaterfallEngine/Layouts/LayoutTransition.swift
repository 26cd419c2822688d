/// The movements of the elements that a viewport shows before or after a change: where inserted ones come from, where
/// removed ones go, and where the others start.
///
/// An item that stays starts at its place on the screen before the change. An inserted one moves together with the next
/// item that stays, or else with the last, so that neighbors move as one; a removed one likewise, from its old place.
/// Both move along the scrolling only. An item from beyond the viewport comes from at most the viewport's size away,
/// and one that leaves goes as far. The other elements move by the same rules, each with its item or section.
public struct LayoutTransition: Hashable, Sendable {
  /// An element that a viewport shows before or after a change, with its place at the start and at the end of an
  /// animation.
  public struct Element: Hashable, Sendable {
    /// The element's path before the change; nil if it was inserted.
    public var oldPath: ElementPath?
    /// The element's path after the change; nil if it was removed.
    public var newPath: ElementPath?
    /// The place where the element starts, in the content after the change, and its look before it.
    public var initial: LayoutAttributes
    /// The place where the element ends, in the content after the change.
    public var final: LayoutAttributes
  }

  /// The items from back to front: removed ones, inserted ones and those that stay, each by their paths.
  public let items: [Element]
  /// The headers and footers, where they are pinned too, the backgrounds, separators and elements of the host's kinds:
  /// removed ones, inserted ones and those that stay. Draw them by their `zIndex`.
  public let otherElements: [Element]

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
  ///   - newSection: returns the number of an old section after the change, nil if it was removed.
  ///   - oldSection: returns the number of a new section before the change, nil if it was inserted.
  public init(
    from old: some CollectionLayout, in oldViewport: Rect, to new: some CollectionLayout, in newViewport: Rect,
    newPath: (ElementPath) -> ElementPath?, oldPath: (ElementPath) -> ElementPath?,
    newSection: (Int) -> Int? = { $0 }, oldSection: (Int) -> Int? = { $0 }
  ) {
    let (oldViewport, newViewport) = (oldViewport.bounded, newViewport.bounded)
    let (before, after) = (
      old.layoutAttributes(inViewport: oldViewport), new.layoutAttributes(inViewport: newViewport)
    )
    let shift = newViewport.origin - oldViewport.origin
    let room = Size(width: max(0, newViewport.width), height: max(0, newViewport.height))
    var pairs = ElementPairs()
    pairs.pair(
      before.filter { $0.kind == .item }, after.filter { $0.kind == .item }, shift, room,
      final: { element in newPath(element.path).map { new.attributes(.item, at: $0) } },
      initial: { element in oldPath(element.path).map { old.attributes(.item, at: $0) } })
    let axis = new.orientation.axis
    let (movements, newMovements) = (
      Movements(pairs.staying, axis, \.oldPath), Movements(pairs.staying, axis, \.newPath)
    )
    var others = ElementPairs()
    others.pair(
      before.filter { $0.kind != .item }, after.filter { $0.kind != .item }, shift, room,
      final: { new.counterpart(of: $0, in: old, newPath, newSection) },
      initial: { old.counterpart(of: $0, in: new, oldPath, oldSection) })
    items = pairs.joined(movements, newMovements)
    otherElements = others.joined(movements, newMovements)
  }

  /// The movements along the scrolling of the items that stay, by their paths before or after the change.
  private struct Movements {
    private let items: [(path: ElementPath, movement: Point)]

    init(_ staying: [Element], _ axis: Orientation.Axis, _ path: (Element) -> ElementPath?) {
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

  /// Elements before and after a change, in pairs where they stay.
  private struct ElementPairs {
    private(set) var staying: [Element] = []
    private var removed: [Element] = []
    private var inserted: [Element] = []

    /// `final` returns what an old element becomes, and `initial` what a new one was; nil if there is none. A pinned
    /// element is where the viewport shows it.
    mutating func pair(
      _ before: [LayoutAttributes], _ after: [LayoutAttributes], _ shift: Point, _ room: Size,
      final: (LayoutAttributes) -> LayoutAttributes?, initial: (LayoutAttributes) -> LayoutAttributes?
    ) {
      let shown = Dictionary(after.map { (ElementName($0), $0) }) { first, _ in first }
      var found: Set<ElementName> = []
      for element in before {
        let start = element.moved(by: shift)
        if let end = final(element) {
          found.insert(ElementName(end))
          let end = shown[ElementName(end)] ?? end.approached(from: start, room)
          staying.append(Element(oldPath: element.path, newPath: end.path, initial: start, final: end))
        } else {
          removed.append(Element(oldPath: element.path, initial: start, final: start))
        }
      }
      for end in after where !found.contains(ElementName(end)) {
        if let start = initial(end) {
          staying.append(
            Element(
              oldPath: start.path, newPath: end.path, initial: start.moved(by: shift).approached(from: end, room),
              final: end))
        } else {
          inserted.append(Element(newPath: end.path, initial: end, final: end))
        }
      }
    }

    /// The elements from back to front; those that come and go move with the items beside them.
    func joined(_ old: Movements, _ new: Movements) -> [Element] {
      let leaving = removed.map { item in
        var item = item
        item.final = item.final.moved(by: old.movement(beside: item.oldPath))
        return item
      }
      let coming = inserted.map { item in
        var item = item
        item.initial = item.initial.moved(by: .zero - new.movement(beside: item.newPath))
        return item
      }
      return leaving + coming + staying.sorted { $0.final.path < $1.final.path }
    }
  }

  private struct ElementName: Hashable {
    let kind: ElementKind
    let path: ElementPath

    init(_ element: LayoutAttributes) { (kind, path) = (element.kind, element.path) }
  }
}

extension CollectionLayout {
  fileprivate func attributes(_ kind: ElementKind, at path: ElementPath) -> LayoutAttributes {
    LayoutAttributes(kind: kind, path: path, frame: frame(ofItem: path))
  }

  /// Returns the element that another layout's element becomes or was; nil if there is none.
  fileprivate func counterpart(
    of element: LayoutAttributes, in other: some CollectionLayout, _ path: (ElementPath) -> ElementPath?,
    _ section: (Int) -> Int?
  ) -> LayoutAttributes? {
    guard element.kind != .globalHeader else { return layoutAttributes(of: .globalHeader, at: element.path) }
    let belongsToItem =
      element.kind == .separator
      || other.metrics(ofSection: element.path.section).elements.contains { $0.kind == element.kind && $0.isOverItems }
    if belongsToItem {
      return path(element.path).flatMap { contains($0) ? layoutAttributes(of: element.kind, at: $0) : nil }
    }
    guard let number = section(element.path.section), (0..<sectionCount).contains(number) else { return nil }
    let ownElements = metrics(ofSection: number).elements
    // In this layout, the kind may be one of elements over items.
    guard !ownElements.contains(where: { $0.kind == element.kind && $0.isOverItems }) else { return nil }
    return layoutAttributes(of: element.kind, at: ElementPath(section: number, item: 0))
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
