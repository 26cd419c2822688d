import FeedfallScreen
import WaterfallEngine

extension CardLayout {
  func card(at path: ElementPath) -> Int { sections.card(at: path) }

  func frame(of card: Int) -> Rect { engine.frame(ofItem: sections.path(ofCard: card)) }

  /// In cells of the viewport, in drawing order.
  func visibleElements(at offset: Int) -> [LayoutAttributes] {
    let seen = seen(at: offset)
    var elements = engine.layoutAttributes(inViewport: seen)
    for index in elements.indices {
      elements[index].frame = elements[index].frame.offsetBy(x: -seen.minX, y: -seen.minY)
    }
    return elements.contains { $0.zIndex != 0 } ? elements.sorted { $0.zIndex < $1.zIndex } : elements
  }

  func seen(at offset: Int) -> Rect { engine.viewport(at: offset, length: viewportLength) }

  func transition(
    from old: CardLayout, at oldOffset: Int, to offset: Int, newIndex: (Int) -> Int?, oldIndex: (Int) -> Int?
  ) -> LayoutTransition {
    LayoutTransition(
      from: old.engine, in: old.seen(at: oldOffset), to: engine, in: seen(at: offset),
      newPath: { newIndex(old.card(at: $0)).map(sections.path) },
      oldPath: { oldIndex(card(at: $0)).map(old.sections.path) })
  }

  func clamped(_ offset: Int) -> Int { engine.clampedContentOffset(offset, viewportLength: viewportLength) }

  func offset(toShow card: Int, from offset: Int, aligned alignment: ScrollAlignment) -> Int {
    engine.contentOffset(
      toShow: sections.path(ofCard: card), currentOffset: offset, viewportLength: viewportLength, aligned: alignment)
  }

  /// Also true if the card at least fills the viewport.
  func shows(_ card: Int, at offset: Int) -> Bool {
    self.offset(toShow: card, from: offset, aligned: .nearest) == offset
  }

  func headerLength(over card: Int) -> Int {
    engine.stickyHeaderLength(ofSection: sections.path(ofCard: card).section)
  }

  /// In the carousel the nearest card snaps into the middle.
  func offset(forProposed offset: Int, velocity: Int) -> Int {
    engine.targetContentOffset(forProposed: offset, velocity: velocity, viewportLength: viewportLength)
  }

  struct Place: Equatable, Sendable {
    var card: Int
    var row: Int
    var isAtTop = false

    func mapped(_ index: (Int) -> Int) -> Place { Place(card: index(card), row: row, isAtTop: isAtTop) }
  }

  func place(of card: Int, at offset: Int) -> Place {
    let anchor = engine.anchor(at: sections.path(ofCard: card), contentOffset: offset)
    return Place(card: card, row: anchor.screenRow, isAtTop: offset == 0)
  }

  func firstPlace(at offset: Int) -> Place? {
    engine.firstVisibleAnchor(contentOffset: offset, viewportLength: viewportLength)
      .map { Place(card: sections.card(at: $0.path), row: $0.screenRow, isAtTop: offset == 0) }
  }

  /// In reading order.
  func visiblePlaces(at offset: Int) -> [Place] {
    engine.visibleAnchors(contentOffset: offset, viewportLength: viewportLength)
      .map { Place(card: sections.card(at: $0.path), row: $0.screenRow, isAtTop: offset == 0) }
  }

  func offset(keeping place: Place) -> Int {
    // A header of another height must not scroll a view that begins with it.
    if place.card == 0, place.isAtTop, hasHeader { return 0 }
    let anchor = ScrollAnchor(path: sections.path(ofCard: place.card), screenRow: place.row)
    return engine.contentOffset(keeping: anchor, viewportLength: viewportLength)
  }

  /// `point` is a cell of the viewport.
  func card(nearestTo point: Point, at offset: Int) -> Int? {
    let seen = seen(at: offset)
    return engine.item(nearestTo: Point(x: seen.minX + point.x, y: seen.minY + point.y)).map(sections.card)
  }

  func neighbor(of card: Int, toward direction: Direction, goal: inout NavigationGoal?) -> Int? {
    engine.neighbor(of: sections.path(ofCard: card), toward: direction, goal: &goal).map(sections.card)
  }

  /// A card of the same column.
  func card(pageFrom card: Int, by length: Int) -> Int? {
    engine.item(pageFrom: sections.path(ofCard: card), by: length).map(sections.card)
  }
}
