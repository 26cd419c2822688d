import WaterfallEngine

struct CardNavigator: Equatable, Sendable {
  private(set) var layout: CardLayout { didSet { (prepared, slide) = (nil, nil) } }
  /// The elements at an offset, for several readers after each event.
  private var prepared: Prepared?

  private struct Prepared: Equatable, Sendable {
    var offset: Int
    var elements: [LayoutAttributes]
  }
  private(set) var selection: Int?
  /// The length of the content before the viewport: rows, or columns in a horizontal layout.
  private(set) var offset = 0 {
    didSet { if offset != oldValue { slide = nil } }
  }
  private(set) var isMoved = false
  /// Opposite keys undo these moves.
  private var moves = MoveTrail()
  /// The anchor's place before the window began to change its size; nil once the user has moved.
  private var home: CardLayout.Place?
  private var glide = Glide()
  /// It refers to cards by their paths in the layout, and to their places at the offset.
  private var slide: CardSlide?

  init(_ layout: CardLayout) { self.layout = layout }

  /// A cell is about twice as high as wide.
  static let columnsPerRow = 2

  var isHorizontal: Bool { layout.traits.axis == .horizontal }
  var isAtTop: Bool { offset == 0 }

  /// In cells of the viewport, in drawing order.
  var visibleElements: [LayoutAttributes] { elements(at: offset) }
  var visibleCards: [Int] { visibleElements.filter { $0.kind == .item }.map { layout.card(at: $0.path) } }

  /// In cells of the viewport, also during an animation.
  var shownElements: [LayoutAttributes] { slide?.elements ?? elements(at: shownOffset) }

  private func elements(at offset: Int) -> [LayoutAttributes] {
    if let prepared, prepared.offset == offset { return prepared.elements }
    return layout.visibleElements(at: offset)
  }

  mutating func prepareElements() {
    if prepared?.offset != shownOffset {
      prepared = Prepared(offset: shownOffset, elements: layout.visibleElements(at: shownOffset))
    }
  }

  private var shownOffset: Int { offset - glide.remaining }

  private func isVisible(_ card: Int) -> Bool { layout.shows(card, at: offset) }

  private var place: CardLayout.Place? {
    if let selection { return layout.place(of: selection, at: offset) }
    return layout.firstPlace(at: offset)
  }

  private mutating func restore(_ place: CardLayout.Place?) {
    offset = place.map(layout.offset(keeping:)) ?? 0
    glide.end()
  }

  // MARK: - Layout

  /// The selected card, or the first visible one, keeps its place on the screen.
  private mutating func layOut(
    _ kind: LayoutKind, viewport: Size, cellSize: Size, _ cards: CardList, _ store: CardStore
  ) {
    let place = place
    var empty = layout.emptied(kind, viewport: viewport, cellSize: cellSize)
    empty.retakeMedian()
    fill(empty, cards, store)
    restore(place)
  }

  private mutating func fill(_ empty: CardLayout, _ cards: CardList, _ store: CardStore) {
    layout = empty
    layout.append(cards, 0..<cards.count, store)
    moves.goal = nil
  }

  private var emptied: CardLayout { layout.emptied(layout.kind, viewport: layout.viewport, cellSize: layout.cellSize) }

  /// The selected card keeps its place on the screen.
  mutating func updateSizes(of changed: [Int], _ cards: CardList, _ store: CardStore) {
    let place = place
    guard layout.setHeights(of: changed, cards) else {
      return layOut(layout.kind, viewport: layout.viewport, cellSize: layout.cellSize, cards, store)
    }
    moves.goal = nil
    restore(place)
  }

  /// Gives a card the height of its cover if neither the selected card nor any that begins in its row or above it
  /// moves. Returns nil if that is not possible, else whether anything visible may have moved.
  mutating func adopt(_ shape: CardShape, of card: Int) -> Bool? {
    guard let selection else { return nil }
    let kept = (prepared, slide)
    guard layout.adopt(shape, of: card, keeping: selection, offset: offset) else {
      (prepared, slide) = kept
      return nil
    }
    moves.goal = nil
    let isVisible = layout.frame(of: card).minY < offset + layout.viewportLength
    if !isVisible { (prepared, slide) = kept }
    return isVisible
  }

  mutating func evenOut() {
    guard layout.isUneven else { return }
    let kept = slide
    layout.evenOut(behind: offset)
    slide = kept
  }

  mutating func resize(to size: Size, cellSize: Size, _ cards: CardList, _ store: CardStore) {
    let home = home ?? place
    let isAtEnd = !isHorizontal && selection == cards.count - 1 && offset > 0 && offset == layout.maximumOffset
    layOut(layout.kind, viewport: size, cellSize: cellSize, cards, store)
    moves.forget()
    restore(home)
    // At the start, the header is visible rather than the whole first card.
    if let selection, !(selection == 0 && isAtTop && layout.hasHeader) { show(selection) }
    // The footer below the last card may say why there are no more.
    if isAtEnd { showFooter() }
    self.home = home
    glide.end()
  }

  mutating func setHeader(_ header: CollectionHeader?) {
    let (wasAtTop, place) = (isAtTop, place)
    layout.setHeader(header)
    restore(place)
    guard wasAtTop, !isHorizontal else { return }
    offset = 0
    if let selection, selection != 0, !isVisible(selection) { show(selection) }
  }

  mutating func setOptions(_ options: LayoutOptions) { layout.options = options }

  mutating func setFeedGroups(_ areShown: Bool) { layout.hasFeedGroups = areShown }

  mutating func switchLayout(to kind: LayoutKind, _ cards: CardList, _ store: CardStore) {
    let wasHorizontal = isHorizontal
    layOut(kind, viewport: layout.viewport, cellSize: layout.cellSize, cards, store)
    moves.forget()
    // A column has no corresponding row: the card in the middle stays there.
    if let selection { show(selection, aligned: wasHorizontal ? .center : nil) }
    glide.end()
  }

  // MARK: - Cards

  mutating func append(_ cards: CardList, _ range: Range<Int>, _ store: CardStore) {
    let place = layout.hasGroups(store) ? place : nil
    layout.append(cards, range, store)
    if selection == nil, !cards.isEmpty { selection = 0 }
    restoreSelection(at: place)
  }

  /// The last group may have grown and got a header.
  private mutating func restoreSelection(at place: CardLayout.Place?) {
    guard let selection, let place, place.card == selection, layout.place(of: selection, at: offset) != place
    else { return }
    if !isAtTop { restore(place) }
    if !isVisible(selection) { show(selection) }
  }

  /// Returns false if all cards must be laid out anew, before anything has changed. Otherwise `restore` must follow.
  mutating func apply(
    _ difference: CardList.Difference, from old: CardList, to cards: CardList, _ store: CardStore
  ) -> Bool {
    guard layout.apply(difference, from: old, to: cards, store) else { return false }
    deselect()
    if !difference.isEmpty { moves.forget() }
    return true
  }

  /// `index` maps the old indexes. Unless the place is kept, the first card is shown and selected.
  mutating func reorder(_ cards: CardList, _ store: CardStore, keepingPlace isPlaceKept: Bool, index: (Int) -> Int) {
    let place = place
    fill(emptied, cards, store)
    selection = isPlaceKept ? selection.map(index) ?? 0 : 0
    moves.renumber(index)
    home = home?.mapped(index)
    restore(isPlaceKept ? place?.mapped(index) : nil)
  }

  mutating func prepend(_ cards: CardList, count: Int, _ store: CardStore) {
    guard var place else { return }
    layout.prepend(cards, count: count, store)
    selection = selection.map { $0 + count }
    home?.card += count
    moves.renumber { $0 + count }
    place.card += count
    restore(place)
  }

  struct View: Sendable {
    /// The selected card's first, then those of the visible cards in reading order.
    fileprivate(set) var places: [CardLayout.Place]
    fileprivate(set) var isAtTop: Bool

    func mapped(_ index: (Int) -> Int?) -> View {
      View(
        places: places.compactMap { place in index(place.card).map { card in place.mapped { _ in card } } },
        isAtTop: isAtTop)
    }
  }

  var view: View {
    let selected = selection.map { [layout.place(of: $0, at: offset)] } ?? []
    return View(places: selected + layout.visiblePlaces(at: offset), isAtTop: isAtTop)
  }

  mutating func removeCards(forNewList isListNew: Bool) {
    layout = layout.emptied(layout.kind, viewport: layout.viewport, cellSize: layout.cellSize, forNewList: isListNew)
    (selection, home) = (nil, nil)
    moves.forget()
  }

  mutating func deselect() { (selection, home) = (layout.isEmpty ? nil : 0, nil) }

  /// The first card that is left keeps its row; `target` is the card to select. Before the first move, the selection
  /// marks the start and no video.
  mutating func restore(_ view: View, selecting target: Int, following isFollowed: Bool) {
    guard selection != nil else { return restore(nil) }
    let card = isMoved || isFollowed ? target : 0
    selection = card
    restore(view.isAtTop ? nil : view.places.first ?? layout.place(of: card, at: 0))
    guard isHorizontal || !isVisible(card) else { return }
    if !view.isAtTop || card != 0 || isFollowed { show(card) }
  }

  // MARK: - Animation

  /// In the carousel the drawing follows, by one screen at most.
  private mutating func glide(to newOffset: Int) {
    let (length, distance) = (layout.viewportLength, newOffset - shownOffset)
    offset = newOffset
    if isHorizontal, layout.options.animates { glide.begin(min(max(distance, -length), length)) }
  }

  var isSliding: Bool { slide != nil }

  /// Does not slide if these cards were sliding as well, the window has another size, or the layout is another one,
  /// whose covers have other sizes. `newIndex` and `oldIndex` return nil for cards that were not there or are gone.
  mutating func slide(from old: CardNavigator, at now: Int, newIndex: (Int) -> Int?, oldIndex: (Int) -> Int?) {
    let isComparable = old.layout.viewport == layout.viewport && old.layout.kind == layout.kind
    guard !old.isSliding, isComparable, !isHorizontal else { return }
    let transition = layout.transition(
      from: old.layout, at: old.offset, to: offset, newIndex: newIndex, oldIndex: oldIndex)
    slide = CardSlide(transition, in: layout.seen(at: offset), visibleElements, at: now)
  }

  mutating func endSlide() { slide = nil }

  var frameWait: Ticket? { glide.waiting ?? slide?.frameWait }

  mutating func updateGlide(_ tickets: inout TicketOffice) -> [AppEffect] {
    glide.update(&tickets) + (slide?.update(&tickets) ?? [])
  }

  mutating func glideWaitElapsed(_ ticket: Ticket, at now: Int) {
    glide.waitElapsed(ticket)
    slide?.waitElapsed(ticket, at: now)
    if slide?.hasEnded == true { endSlide() }
  }

  mutating func endGlide() {
    glide.end()
    endSlide()
  }

  // MARK: - Scrolling

  private mutating func scroll(to offset: Int) {
    home = nil
    let clamped = layout.clamped(offset)
    isMoved = isMoved || clamped != self.offset
    glide(to: clamped)
  }

  /// The selected card, in a short column, must not leave the screen.
  private mutating func scrollToEnd() {
    if isHorizontal { return }
    scroll(to: layout.maximumOffset)
    showSelection()
  }

  /// Unlike `scrollToEnd`, does not count as a move by the user.
  private mutating func showFooter() {
    glide(to: layout.maximumOffset)
    showSelection()
  }

  private mutating func showSelection() {
    guard let selection else { return }
    if layout.frame(of: selection).maxY <= offset + layout.headerLength(over: selection) { show(selection) }
  }

  /// The carousel centers the card; others scroll only as far as needed.
  private mutating func show(_ card: Int, aligned alignment: ScrollAlignment? = nil) {
    home = nil
    let usual = isHorizontal ? ScrollAlignment.center : .nearest
    let isFirst = !isHorizontal && !layout.hasHeader && layout.frame(of: card).minY == layout.frame(of: 0).minY
    glide(to: isFirst ? 0 : layout.offset(toShow: card, from: offset, aligned: alignment ?? usual))
  }

  /// If the selected card leaves the screen, the nearest visible card is selected.
  mutating func scrollView(by rows: Int) {
    if isHorizontal { return turn(by: rows) }
    scroll(to: offset + rows)
    guard let selection, !isVisible(selection) else { return }
    let edge = Point(x: layout.frame(of: selection).midX, y: rows > 0 ? 0 : layout.viewport.height - 1)
    guard let nearest = layout.card(nearestTo: edge, at: offset) else { return }
    var none: NavigationGoal?
    let inner = layout.neighbor(of: nearest, toward: rows > 0 ? .down : .up, goal: &none)
    let candidates = [nearest, inner].compactMap(\.self)
    let visible = visibleCards
    jump(to: candidates.first(where: isVisible) ?? candidates.first(where: visible.contains) ?? nearest)
  }

  private mutating func turn(by rows: Int) {
    let proposed = offset + rows * Self.columnsPerRow
    scroll(to: layout.offset(forProposed: proposed, velocity: rows))
    let middle = Point(x: layout.viewport.width / 2, y: layout.viewport.height / 2)
    if let card = layout.card(nearestTo: middle, at: offset) { jump(to: card) }
  }

  // MARK: - Selection

  private mutating func jump(to card: Int) {
    if card != selection { moves.forget() }
    selection = card
  }

  mutating func select(_ card: Int) {
    isMoved = true
    jump(to: card)
    show(card)
  }

  /// Returns false at the edge. The opposite moves of a walk lead back to its start.
  mutating func move(_ direction: Direction) -> Bool {
    guard let selection else { return false }
    if let known = moves.revisit(from: selection, direction) {
      (self.selection, isMoved) = (known, true)
      show(known)
      return true
    }
    guard let target = layout.neighbor(of: selection, toward: direction, goal: &moves.goal) else {
      if direction == .down { scrollToEnd() }
      if direction == .up, !isHorizontal { scroll(to: 0) }
      return false
    }
    moves.append(direction, from: selection, to: target)
    (self.selection, isMoved) = (target, true)
    show(target)
    return true
  }

  mutating func movePages(_ pages: Double) {
    guard let selection else { return }
    let length = max(1, Int(Double(max(1, layout.viewportLength - 2)) * pages.magnitude))
    if let target = layout.card(pageFrom: selection, by: pages < 0 ? -length : length) {
      select(target)
    } else {
      _ = move(pages < 0 ? layout.traits.backward : layout.traits.forward)
    }
  }

  mutating func selectFirst() {
    guard selection != nil else { return }
    select(0)
    scroll(to: 0)
  }

  mutating func select(lastOf count: Int) {
    guard count > 0 else { return }
    select(count - 1)
    scrollToEnd()
  }

  /// The moves from card to neighbor since the selection last changed in another way.
  ///
  /// A tree of stops: the stop before a move is the neighbor in the opposite direction of the stop behind it. A move
  /// leads to the same stop each time, so the opposite moves in the opposite order lead home from any walk, even one
  /// that began by going back.
  struct MoveTrail: Equatable, Sendable {
    private struct Stop: Equatable {
      var card: Int
      /// The indices of the stops in each direction.
      var neighbors: [Direction: Int] = [:]
    }

    var goal: NavigationGoal?
    private var stops: [Stop] = []
    private var current = 0

    static let maximumCount = 4_096

    mutating func forget() { self = MoveTrail() }

    /// Returns the card to which this move has led from this card before, or from which the opposite one led to it.
    mutating func revisit(from card: Int, _ direction: Direction) -> Int? {
      guard stops.indices.contains(current), stops[current].card == card,
        let next = stops[current].neighbors[direction]
      else { return nil }
      current = next
      // The columns of the way back are found anew.
      goal = nil
      return stops[next].card
    }

    /// Beyond `maximumCount`, earlier moves are forgotten.
    mutating func append(_ direction: Direction, from card: Int, to next: Int) {
      if !stops.indices.contains(current) || stops[current].card != card || stops.count == Self.maximumCount {
        (stops, current) = ([Stop(card: card)], 0)
      }
      var stop = Stop(card: next)
      stop.neighbors[direction.opposite] = current
      stops[current].neighbors[direction] = stops.count
      current = stops.count
      stops.append(stop)
    }

    /// The rows of the goal are no longer valid.
    mutating func renumber(_ number: (Int) -> Int) {
      for index in stops.indices { stops[index].card = number(stops[index].card) }
      goal = nil
    }
  }
}
