import FeedfallFeeds
import FeedfallLoading
import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The cards of a tab: their order, layout, selection and offset, the pull and the search.
struct CardsScreen: Sendable {
  private(set) var cards = CardList() {
    didSet { revision += 1 }
  }
  /// Increases with every change of the cards.
  private(set) var revision = 0
  private(set) var layout: CardLayout
  /// The index of the selected card; there is one whenever there are cards.
  private(set) var selection: Int?
  /// The length of the content before the viewport: rows, or columns in a horizontal layout.
  private(set) var offset = 0
  /// Whether the user has moved the selection or the view.
  private(set) var isMoved = false
  /// The last moves to neighbors, which the opposite keys undo.
  private var moves = MoveTrail()
  /// The anchor's place before the window began to change its size; nil once the user has moved.
  private var home: CardLayout.Place?
  private var faces = CardFaces()
  /// The states of the visible cards, and the time for which the faces show ages.
  private(set) var (states, now): ([Int: CardState], UnixTime?) = ([:], nil)
  private(set) var pull = PullGesture()
  private var search = CardSearch()
  /// The names of the sources in a tab of several; empty in others.
  var sourceNames: [String] = [] {
    didSet { if sourceNames != oldValue { faces.removeAll() } }
  }
  /// The rows of the header above the first card.
  var headerRows = 0

  init(kind: LayoutKind, options: LayoutOptions) {
    layout = CardLayout(kind, options: options, viewport: .zero, cellSize: Size(width: 8, height: 16))
  }

  /// The search that is being typed.
  var prompt: Prompt? { search.prompt }
  /// The text that matches are marked for.
  var needle: String { search.needle }
  var kind: LayoutKind { layout.kind }
  var isHorizontal: Bool { layout.traits.axis == .horizontal }
  /// The size of the cards' part of the screen in cells.
  var viewport: Size { layout.viewport }
  var metrics: CardMetrics { layout.metrics }
  var isAtTop: Bool { offset == 0 }
  var isLastCardVisible: Bool { visibleCards.contains(cards.count - 1) }
  /// The rows by which the header moves the view.
  var shift: Int { isAtTop ? headerRows : 0 }
  /// The distance by which the header moves the cards on the screen.
  var displacement: Point {
    isHorizontal ? Point(x: shift * Self.columnsPerRow, y: 0) : Point(x: 0, y: shift)
  }

  /// A cell is about twice as high as wide.
  private static let columnsPerRow = 2
  /// The rows that one step of the wheel scrolls, here and in the details.
  static let wheelRows = 3

  func selectedCard(in store: CardStore) -> Card? { selection.map { store[cards[$0]] } }

  // MARK: - Commands

  /// Performs a command. `canPull`: whether the header can be pulled now.
  mutating func perform(
    _ command: CardsCommand, canPull: Bool, in store: CardStore, _ tickets: inout TicketOffice
  ) -> [Intent] {
    if command != layout.traits.pullCommand { pull.cancel() }
    switch command {
    case .moveLeft: return moveOrPull(.left, canPull: canPull, &tickets)
    case .moveRight: _ = move(.right)
    case .moveUp: return moveOrPull(.up, canPull: canPull, &tickets)
    case .moveDown: _ = move(.down)
    case .halfPageDown: movePages(0.5)
    case .halfPageUp: movePages(-0.5)
    case .pageDown: movePages(1)
    case .pageUp: movePages(-1)
    case .selectFirst: selectFirst()
    case .selectLast: selectLast()
    case .search: search.begin(at: selection ?? 0)
    case .nextMatch: return selectMatch(forward: true, in: store)
    case .previousMatch: return selectMatch(forward: false, in: store)
    case .clearSearch: search.clear()
    case .openDetails: return [.openDetails]
    case .togglePictureInPicture: return [.togglePictureInPicture]
    case .loadMore: return [.loadMore]
    case .nextLayout: return [.changeLayout(by: 1)]
    case .previousLayout: return [.changeLayout(by: -1)]
    case .nextTab: return [.changeTab(by: 1)]
    case .previousTab: return [.changeTab(by: -1)]
    case .selectTab(let number): return [.selectTab(number - 1)]
    }
    return []
  }

  /// Moves to the neighbor; at the start, pulls the header instead.
  private mutating func moveOrPull(
    _ direction: Direction, canPull: Bool, _ tickets: inout TicketOffice
  ) -> [Intent] {
    let wasAtTop = isAtTop
    let hasMoved = move(direction) || !wasAtTop
    guard direction == layout.traits.backward, isAtTop, canPull else { return [] }
    return (hasMoved ? pull.arrive(tickets.next()) : pull.pull(tickets.next())).map(Intent.effect)
  }

  /// Cancels the pull, for a command other than the one that pulls.
  mutating func cancelPull() { pull.cancel() }

  /// Returns whether the pull refreshes; nil for an old ticket.
  mutating func releasePull(_ ticket: Ticket) -> Bool? { pull.release(ticket) }

  /// Handles the mouse over the cards, at a point of the viewport.
  mutating func handle(
    _ kind: MouseEvent.Kind, at point: Point, canPull: Bool, _ tickets: inout TicketOffice
  ) -> [Intent] {
    switch kind {
    case .wheelUp where isAtTop: return canPull ? pull.pull(tickets.next()).map(Intent.effect) : []
    case .wheelUp:
      scrollView(by: -Self.wheelRows)
      return [.completeDetails] + (isAtTop ? pull.arrive(tickets.next()).map(Intent.effect) : [])
    case .wheelDown where pull.isPulling: pull.cancel()
    case .wheelDown: scrollView(by: Self.wheelRows)
    case .press: return press(at: point, canPull: canPull)
    case .drag, .release: return []
    }
    return [.completeDetails]
  }

  /// A click selects a card or opens the selected one; on the header or the footer it loads.
  private mutating func press(at point: Point, canPull: Bool) -> [Intent] {
    guard (0..<viewport.width).contains(point.x), (0..<viewport.height).contains(point.y) else { return [] }
    if point.y < (isHorizontal ? min(1, shift) : shift) {
      pull.cancel()
      return canPull ? [.refreshOrRetry] : []
    }
    if isFooter(at: point) { return [.loadMore] }
    guard let card = card(at: point) else { return [] }
    if selection == card { return [.openDetails] }
    select(card)
    return [.showSelectedVideo]
  }

  private func isFooter(at point: Point) -> Bool {
    guard !cards.isEmpty else { return false }
    if isHorizontal { return isLastCardVisible && point.y == viewport.height - 1 }
    let inside = Point(x: point.x - displacement.x, y: point.y - displacement.y)
    return visibleElements.last { $0.frame.contains(inside) && $0.kind != .background }?.kind == .footer
  }

  // MARK: - Layout

  /// Lays out all cards again; the selected card, or the first visible one, keeps its place on the screen.
  private mutating func layOut(_ kind: LayoutKind, viewport: Size, cellSize: Size, _ store: CardStore) {
    regather(store)
    let place = place
    layout = layout.emptied(kind, viewport: viewport, cellSize: cellSize)
    layout.append(cards, 0..<cards.count, store)
    faces.removeAll()
    moves.forget()
    restore(place)
  }

  /// Resizes the viewport. Returning to a size after any others shows the same cards again.
  mutating func resize(to size: Size, cellSize: Size, _ store: CardStore) {
    guard size != viewport || cellSize != layout.cellSize else { return }
    regather(store)
    let home = home ?? place
    layOut(kind, viewport: size, cellSize: cellSize, store)
    restore(home)
    // At the start, the header is visible rather than the whole first card.
    if let selection, !(selection == 0 && isAtTop && layout.hasHeader) { show(selection) }
    self.home = home
  }

  /// Shows a header above the cards; a view at the top shows it at once.
  mutating func setHeader(_ header: CollectionHeader?, _ store: CardStore) {
    let wasAtTop = isAtTop
    layout.header = header
    layOut(kind, viewport: viewport, cellSize: layout.cellSize, store)
    guard wasAtTop, !isHorizontal else { return }
    offset = 0
    if let selection, selection != 0, !isVisible(selection) { show(selection) }
  }

  mutating func switchLayout(to kind: LayoutKind, _ store: CardStore) {
    let wasHorizontal = isHorizontal
    layOut(kind, viewport: viewport, cellSize: layout.cellSize, store)
    // A column has no corresponding row: the card in the middle stays there.
    if let selection { show(selection, aligned: wasHorizontal ? .center : nil) }
  }

  // MARK: - Cards

  /// Appends the cards that are new and returns their number; gathered ones join their groups.
  mutating func append(_ slots: [CardSlot], _ store: CardStore) -> Int {
    guard isGathered else { return appendAtEnd(slots, store) }
    return gather(cards.slots + slots.filter { !cards.contains($0) }, keepingPlace: isMoved, store)
  }

  private mutating func appendAtEnd(_ slots: [CardSlot], _ store: CardStore) -> Int {
    let before = cards.count
    let added = cards.append(slots, from: store)
    layout.append(cards, before..<cards.count, store)
    if selection == nil, !cards.isEmpty { selection = 0 }
    return added
  }

  var isGathered: Bool { layout.options.grouping.isGathered }

  /// Shows these cards, among them all that are shown, in the order of their groups, and returns the number of new ones.
  /// Only the end of the list is laid out if the others keep their order. Without `isPlaceKept`, the first card is shown
  /// and selected. O(n).
  private mutating func gather(_ slots: [CardSlot], keepingPlace isPlaceKept: Bool, _ store: CardStore) -> Int {
    let slots = CardList.gathered(slots, by: layout.options.grouping, in: store)
    if slots.starts(with: cards.slots) { return appendAtEnd(Array(slots[cards.count...]), store) }
    let (old, place) = (cards, place)
    cards = CardList()
    _ = cards.append(slots, from: store)
    layout = layout.emptied(kind, viewport: viewport, cellSize: layout.cellSize)
    layout.append(cards, 0..<cards.count, store)
    faces.removeAll()
    moves.forget()
    let index = index(ofCardIn: old)
    selection = isPlaceKept ? selection.map(index) ?? 0 : 0
    home = home?.mapped(index)
    search.mapOrigin(index)
    restore(isPlaceKept ? place?.mapped(index) : nil)
    return cards.count - old.count
  }

  /// A completed video may belong to another group.
  private mutating func regather(_ store: CardStore) {
    if isGathered { _ = gather(cards.slots, keepingPlace: isMoved, store) }
  }

  /// Maps an index of another list to the index of the same card, or else to the first one.
  private func index(ofCardIn old: CardList) -> (Int) -> Int {
    { [cards] card in old.slots.indices.contains(card) ? cards.index(of: old[card]) ?? 0 : 0 }
  }

  /// Replaces all cards and returns their number. The selected video stays selected; a view at the top stays at the
  /// top, unless `isSelectionFollowed`.
  mutating func replace(
    with slots: [CardSlot], following isSelectionFollowed: Bool = false, _ store: CardStore
  ) -> Int {
    let (old, oldPlace, selected) = (cards, place, selection.map { cards[$0] })
    let wasAtTop = isAtTop
    cards = CardList()
    selection = nil
    faces.removeAll()
    home = nil
    layout = layout.emptied(kind, viewport: viewport, cellSize: layout.cellSize, forNewList: true)
    let count = append(slots, store)
    search.mapOrigin(index(ofCardIn: old))
    moves.forget()
    guard count > 0 else {
      offset = 0
      return 0
    }
    // Before the first move, the selection marks the start and no video.
    let isSelectionKept = isMoved || isSelectionFollowed
    selection = isSelectionKept ? selected.flatMap(cards.index(of:)) ?? 0 : 0
    guard let selection, let oldPlace else { return count }
    restore(wasAtTop ? nil : CardLayout.Place(card: selection, row: oldPlace.row))
    guard isHorizontal || !isVisible(selection) else { return count }
    if wasAtTop, !isSelectionFollowed { self.selection = 0 } else { show(selection) }
    return count
  }

  /// Puts the cards that are new before all others and returns their number; no visible card moves.
  mutating func prepend(_ slots: [CardSlot], _ store: CardStore) -> Int {
    if isGathered { return gather(slots.filter { !cards.contains($0) } + cards.slots, keepingPlace: true, store) }
    let place = place
    let count = cards.prepend(slots, from: store)
    search.mapOrigin { $0 + count }
    guard count > 0, var place else { return 0 }
    layout.prepend(cards, count: count, store)
    faces.removeAll()
    selection = selection.map { $0 + count }
    home?.card += count
    moves.forget()
    place.card += count
    restore(place)
    return count
  }

  /// Updates the text of a card whose video has changed.
  mutating func updateCard(_ slot: CardSlot) {
    revision += 1
    if let index = cards.index(of: slot) { faces.remove(index) }
  }

  /// Updates the texts of all cards, and their sizes if a title or a cover has changed.
  mutating func updateCards(_ store: CardStore) {
    faces.removeAll()
    guard cards.updateShapes(from: store) else { return }
    regather(store)
    let home = home
    layOut(kind, viewport: viewport, cellSize: layout.cellSize, store)
    self.home = home
  }

  // MARK: - Faces

  /// Makes the faces of the visible cards, with their ages at a time.
  mutating func prepareFaces(_ store: CardStore, at now: UnixTime?, states state: (CardSlot) -> CardState) {
    if now != self.now { faces.removeAll() }
    self.now = now
    let (metrics, visible) = (metrics, visibleElements.filter { $0.kind == .item })
    let places = visible.map { (card: layout.card(at: $0.path), width: $0.frame.width) }
    states = Dictionary(places.map { ($0.card, state(cards[$0.card])) }) { first, _ in first }
    // Out of the screen while it is read, so that it is changed in place.
    var faces = CardFaces()
    swap(&faces, &self.faces)
    faces.prepare(places.map { key(of: $0.card, frameWidth: $0.width, metrics) }) { makeFace($0, metrics, store) }
    self.faces = faces
  }

  private func key(of card: Int, frameWidth: Int, _ metrics: CardMetrics) -> CardFaces.Key {
    CardFaces.Key(card: card, width: metrics.contentWidth(ofFrame: frameWidth), marks: states[card]?.marks ?? [])
  }

  private func makeFace(_ key: CardFaces.Key, _ metrics: CardMetrics, _ store: CardStore) -> CardFace {
    let slot = cards[key.card]
    return CardFace(
      store[slot].video, cards.shapes[key.card], width: key.width, metrics,
      sourceName: sourceName(of: store[slot].source), marks: key.marks, at: now)
  }

  /// The face of a card with a frame of this width.
  func face(of card: Int, frameWidth: Int, _ metrics: CardMetrics, _ store: CardStore) -> CardFace {
    let key = key(of: card, frameWidth: frameWidth, metrics)
    return faces[key] ?? makeFace(key, metrics, store)
  }

  /// The name of a source in a tab of several.
  func sourceName(of source: SourceID) -> String? { sourceNames.isEmpty ? nil : sourceNames[source.number] }

  // MARK: - Geometry

  func frame(of card: Int) -> Rect { layout.frame(of: card) }
  var maximumOffset: Int { layout.maximumOffset }

  /// The visible elements in cells of the viewport, in drawing order.
  var visibleElements: [LayoutAttributes] { layout.visibleElements(at: offset) }

  var visibleCards: [Int] { visibleElements.filter { $0.kind == .item }.map { layout.card(at: $0.path) } }

  private func isVisible(_ card: Int) -> Bool { layout.shows(card, at: offset) }

  private var place: CardLayout.Place? {
    if let selection { return layout.place(of: selection, at: offset) }
    return layout.firstPlace(at: offset)
  }

  private mutating func restore(_ place: CardLayout.Place?) {
    offset = place.map(layout.offset(keeping:)) ?? 0
  }

  /// The card at a point of the viewport.
  func card(at point: Point) -> Int? {
    let inside = Point(x: point.x - displacement.x, y: point.y - displacement.y)
    let hit = visibleElements.last { $0.frame.contains(inside) && ($0.kind == .item || $0.isPinned) }
    return hit.flatMap { $0.kind == .item ? layout.card(at: $0.path) : nil }
  }

  /// Whether more cards should be loaded.
  func isNearEnd(_ readAhead: ReadAhead) -> Bool {
    switch readAhead {
    case .screens(let screens):
      layout.engine.contentLength - (offset + layout.viewportLength) < screens * layout.viewportLength
    case .cards(let count):
      cards.count - (visibleCards.max() ?? selection ?? 0) < count
    }
  }

  // MARK: - Scrolling

  private mutating func scroll(to offset: Int) {
    home = nil
    let clamped = layout.clamped(offset)
    isMoved = isMoved || clamped != self.offset
    self.offset = clamped
  }

  /// Shows the footer, unless the selected card, in a short column, would leave the screen.
  private mutating func scrollToEnd() {
    if isHorizontal { return }
    scroll(to: maximumOffset)
    guard let selection else { return }
    if frame(of: selection).maxY <= offset + layout.headerLength(over: selection) { show(selection) }
  }

  /// Scrolls only as far as needed to show the card; the carousel centers it.
  private mutating func show(_ card: Int, aligned alignment: ScrollAlignment? = nil) {
    home = nil
    let usual = isHorizontal ? ScrollAlignment.center : .nearest
    let isFirst = !isHorizontal && frame(of: card).minY == layout.topMargin
    offset = isFirst ? 0 : layout.offset(toShow: card, from: offset, aligned: alignment ?? usual)
  }

  /// Scrolls by rows; if the selected card leaves the screen, the nearest visible card is selected.
  private mutating func scrollView(by rows: Int) {
    if isHorizontal { return turn(by: rows) }
    scroll(to: offset + rows)
    guard let selection, !isVisible(selection) else { return }
    let edge = Point(x: frame(of: selection).midX, y: rows > 0 ? 0 : viewport.height - 1)
    guard let nearest = layout.card(nearestTo: edge, at: offset) else { return }
    var none: NavigationGoal?
    let inner = layout.neighbor(of: nearest, toward: rows > 0 ? .down : .up, goal: &none)
    let candidates = [nearest, inner].compactMap(\.self)
    let visible = visibleCards
    self.selection = candidates.first(where: isVisible) ?? candidates.first(where: visible.contains) ?? nearest
    moves.forget()
  }

  /// Turns the carousel until the next card is centered, and selects it.
  private mutating func turn(by rows: Int) {
    let proposed = offset + rows * Self.columnsPerRow
    scroll(to: layout.offset(forProposed: proposed, velocity: rows))
    let middle = Point(x: viewport.width / 2, y: viewport.height / 2)
    guard let card = layout.card(nearestTo: middle, at: offset) else { return }
    selection = card
    moves.forget()
  }

  // MARK: - Selection

  mutating func select(_ card: Int) {
    isMoved = true
    selection = card
    moves.forget()
    show(card)
  }

  /// Selects the neighbor; returns false at the edge. The key opposite to the last one returns to the card before.
  private mutating func move(_ direction: Direction) -> Bool {
    guard let selection else { return false }
    if let last = moves.dequeue(oppositeTo: direction) {
      (self.selection, isMoved) = (last, true)
      show(last)
      return true
    }
    guard let target = layout.neighbor(of: selection, toward: direction, goal: &moves.goal) else {
      if direction == .down { scrollToEnd() }
      if direction == .up, !isHorizontal { scroll(to: 0) }
      return false
    }
    moves.append(selection, direction)
    (self.selection, isMoved) = (target, true)
    show(target)
    return true
  }

  /// Moves the selection by about a number of screens in the direction of scrolling.
  private mutating func movePages(_ pages: Double) {
    guard let selection else { return }
    let length = max(1, Int(Double(max(1, layout.viewportLength - 2)) * pages.magnitude))
    if let target = layout.card(pageFrom: selection, by: pages < 0 ? -length : length) {
      select(target)
    } else {
      _ = move(pages < 0 ? layout.traits.backward : layout.traits.forward)
    }
  }

  private mutating func selectFirst() {
    guard !cards.isEmpty else { return }
    select(0)
    scroll(to: 0)
  }

  private mutating func selectLast() {
    guard !cards.isEmpty else { return }
    select(cards.count - 1)
    scrollToEnd()
  }

  // MARK: - Search

  mutating func handlePrompt(_ key: Key, in store: CardStore) -> [Intent] {
    show(search.handle(key, in: cards, store))
  }

  mutating func paste(_ text: String, in store: CardStore) {
    if let card = search.paste(text, in: cards, store) { select(card) }
  }

  private mutating func selectMatch(forward: Bool, in store: CardStore) -> [Intent] {
    show(search.match(beside: selection ?? 0, forward: forward, in: cards, store))
  }

  private mutating func show(_ result: CardSearch.Result) -> [Intent] {
    if let card = result.card { select(card) }
    return result.message.map { [.showMessage($0)] } ?? []
  }
}
