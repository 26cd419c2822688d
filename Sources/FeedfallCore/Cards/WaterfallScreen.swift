import FeedfallFeeds
import FeedfallScreen
import WaterfallEngine

/// The cards: what is there, how it is laid out, which one is selected and what part of it is seen.
struct WaterfallScreen: Sendable {
  private(set) var cards = CardList() {
    didSet { revision += 1 }
  }
  /// Goes up with every change to the cards.
  private(set) var revision = 0
  private(set) var layout: CardLayout
  /// The selected card's number; there is one whenever there are cards.
  private(set) var selection: Int?
  /// How much of the content lies before what is seen: rows, in the carousel columns.
  private(set) var offset = 0
  /// Where moves to the neighbours mean to go.
  private var goal: NavigationGoal?
  /// Where the anchor was before the window began to change its size; nil again once the person has moved.
  private var home: CardLayout.Place?
  private var faces = CardFaces()
  /// What the sources are called, where cards of several lie together.
  var sourceNames: [String] = [] {
    didSet { if sourceNames != oldValue { faces.forgetAll() } }
  }
  var needle = ""
  /// Rows of the header that are shown above the first card.
  var headerRows = 0

  init(kind: LayoutKind, options: LayoutOptions) {
    layout = CardLayout(kind, options: options, viewport: .zero, cellSize: Size(width: 8, height: 16))
  }

  var kind: LayoutKind { layout.kind }
  /// The cells that the cards have to themselves.
  var viewport: Size { layout.viewport }
  var metrics: CardMetrics { layout.metrics }
  var selectedVideo: Video? { selection.map { cards[$0] } }
  var selectedCard: Card? { selection.map(cards.card) }
  var isAtTop: Bool { offset == 0 }
  var isLastCardSeen: Bool { visibleCards.contains(cards.count - 1) }
  /// How far the view is moved away from its start by the header.
  var shift: Int { isAtTop ? headerRows : 0 }
  /// How far the cards are moved by it on the screen: down, in the carousel to the right.
  var displacement: Point {
    kind.isSideways ? Point(x: shift * Self.columnsPerRow, y: 0) : Point(x: 0, y: shift)
  }

  /// A cell is about twice as high as wide.
  private static let columnsPerRow = 2

  // MARK: - Layout

  /// Lays everything out anew; the selected card, else the first one seen, keeps its place on the screen.
  private mutating func layOut(_ kind: LayoutKind, viewport: Size, cellSize: Size) {
    let place = place
    layout = CardLayout(kind, options: layout.options, viewport: viewport, cellSize: cellSize)
    layout.append(cards, 0..<cards.count)
    faces.forgetAll()
    goal = nil
    restore(place)
  }

  /// Takes another size. However many follow each other, coming back to one shows what it showed.
  mutating func resize(to size: Size, cellSize: Size) {
    guard size != viewport || cellSize != layout.cellSize else { return }
    let home = home ?? place
    layOut(kind, viewport: size, cellSize: cellSize)
    restore(home)
    if let selection { show(selection) }
    self.home = home
  }

  mutating func switchLayout(to kind: LayoutKind) {
    let wasSideways = self.kind.isSideways
    layOut(kind, viewport: viewport, cellSize: layout.cellSize)
    // A column of the screen says nothing about a row: what was in the middle stays there.
    if let selection { show(selection, aligned: wasSideways ? .center : nil) }
  }

  // MARK: - Cards

  /// Adds what is new at the end and returns how many cards that were.
  mutating func append(_ arrived: [Card]) -> Int {
    let before = cards.count
    let added = cards.append(arrived)
    layout.append(cards, before..<cards.count)
    if selection == nil, !cards.isEmpty { selection = 0 }
    return added
  }

  /// Puts new cards in the place of all others and returns how many there are. The selected video stays selected;
  /// who looked at the top goes on looking at the top, unless that video is to stay in sight.
  mutating func replace(with arrived: [Card], following isSelectionFollowed: Bool = false) -> Int {
    let selectedID = selectedCard?.id
    let oldPlace = place
    let wasAtTop = isAtTop
    cards = CardList()
    selection = nil
    faces.forgetAll()
    home = nil
    layout = CardLayout(kind, options: layout.options, viewport: viewport, cellSize: layout.cellSize)
    let count = append(arrived)
    guard count > 0 else {
      offset = 0
      return 0
    }
    selection = selectedID.flatMap(cards.index(of:)) ?? 0
    goal = nil
    guard let selection, let oldPlace else { return count }
    restore(wasAtTop ? nil : CardLayout.Place(card: selection, row: oldPlace.row))
    guard kind.isSideways || !isSeen(selection) else { return count }
    if wasAtTop, !isSelectionFollowed { self.selection = 0 } else { show(selection) }
    return count
  }

  /// Whether a first page that came anew says nothing of the selected card, but goes over into the cards that are
  /// there: who reads on far below is not to be taken away from there.
  func keepsPlace(with arrived: [Card]) -> Bool {
    guard let selectedID = selectedCard?.id, !arrived.contains(where: { $0.id == selectedID }) else { return false }
    return arrived.contains { cards.index(of: $0.id) != nil }
  }

  /// Adds what is new before all others and returns how many cards that were; nothing that is seen moves.
  mutating func prepend(_ arrived: [Card]) -> Int {
    let place = place
    let count = cards.prepend(arrived)
    guard count > 0, var place else { return 0 }
    layout.prepend(cards, count: count)
    faces.forgetAll()
    selection = selection.map { $0 + count }
    home?.card += count
    goal = nil
    place.card += count
    let home = home
    restore(place)
    self.home = home
    return count
  }

  mutating func complete(_ card: Card) {
    cards.complete(card)
    if let index = cards.index(of: card.id) { faces.forget(index) }
  }

  // MARK: - Faces

  /// Cuts the words of the cards that are seen, so that drawing them is copying.
  mutating func prepareFaces() {
    let metrics = metrics
    let keys = visibleElements.filter { $0.kind == .item }.map { element in
      CardFaces.Key(
        card: layout.card(at: element.path), width: metrics.contentWidth(ofFrame: element.frame.width))
    }
    faces.prepare(keys) { [cards, kind, sourceNames] key in
      CardFace(
        cards[key.card], width: key.width, kind: kind,
        sourceName: Self.name(of: cards.source(of: key.card), in: sourceNames))
    }
  }

  /// The words of a card that is so wide on the screen.
  func face(of card: Int, frameWidth: Int, _ metrics: CardMetrics) -> CardFace {
    let width = metrics.contentWidth(ofFrame: frameWidth)
    return faces[CardFaces.Key(card: card, width: width)]
      ?? CardFace(cards[card], width: width, kind: kind, sourceName: sourceName(of: card))
  }

  /// What a card's source is called, where cards of several lie together.
  func sourceName(of card: Int) -> String? { Self.name(of: cards.source(of: card), in: sourceNames) }

  private static func name(of source: SourceID, in names: [String]) -> String? {
    names.isEmpty ? nil : names[source.number]
  }
}

// MARK: - Where things are

extension WaterfallScreen {
  func frame(of card: Int) -> Rect { layout.frame(of: card) }

  var maximumOffset: Int { layout.maximumOffset }

  /// What is seen, in cells of the viewport, what lies beneath first.
  var visibleElements: [LayoutAttributes] { layout.visibleElements(at: offset) }

  /// The cards that are seen.
  var visibleCards: [Int] {
    visibleElements.filter { $0.kind == .item }.map { layout.card(at: $0.path) }
  }

  private func isSeen(_ card: Int) -> Bool { layout.shows(card, at: offset) }

  private var place: CardLayout.Place? {
    if let selection { return layout.place(of: selection, at: offset) }
    return layout.firstPlace(at: offset)
  }

  private mutating func restore(_ place: CardLayout.Place?) {
    offset = place.map(layout.offset(keeping:)) ?? 0
  }

  /// The card at a cell of the screen.
  func card(at point: Point) -> Int? {
    let inside = Point(x: point.x - displacement.x, y: point.y - displacement.y)
    let hit = visibleElements.last { $0.frame.contains(inside) && ($0.kind == .item || $0.isPinned) }
    return hit.flatMap { $0.kind == .item ? layout.card(at: $0.path) : nil }
  }

  /// Whether so little lies behind what is seen that more should be loaded.
  func isNearEnd(_ readAhead: ReadAhead) -> Bool {
    switch readAhead {
    case .screens(let screens):
      layout.engine.contentLength - (offset + layout.viewportLength) < screens * layout.viewportLength
    case .cards(let count):
      cards.count - (visibleCards.max() ?? selection ?? 0) < count
    }
  }
}

// MARK: - Scrolling

extension WaterfallScreen {
  private mutating func scroll(to offset: Int) {
    home = nil
    self.offset = layout.clamped(offset)
  }

  /// Shows the footer as well, unless the selected card, in a short column, would go out of sight for it.
  private mutating func scrollToEnd() {
    if kind.isSideways { return }
    scroll(to: maximumOffset)
    guard let selection else { return }
    if frame(of: selection).maxY <= offset + layout.headerLength(over: selection) { show(selection) }
  }

  /// Moves the view no further than it takes to see the card, its top first; the carousel turns it to the middle.
  mutating func show(_ card: Int) { show(card, aligned: nil) }

  private mutating func show(_ card: Int, aligned alignment: ScrollAlignment?) {
    home = nil
    let usual = kind.isSideways ? ScrollAlignment.center : .nearest
    offset = layout.offset(toShow: card, from: offset, aligned: alignment ?? usual)
  }

  /// Moves the view; a selected card that goes out of sight hands the selection to the nearest one seen.
  mutating func scrollView(by rows: Int) {
    if kind.isSideways { return turn(by: rows) }
    scroll(to: offset + rows)
    guard let selection, !isSeen(selection) else { return }
    let edge = Point(x: frame(of: selection).midX, y: rows > 0 ? 0 : viewport.height - 1)
    guard let nearest = layout.card(nearestTo: edge, at: offset) else { return }
    var none: NavigationGoal?
    let inner = layout.neighbor(of: nearest, toward: rows > 0 ? .down : .up, goal: &none)
    let candidates = [nearest, inner].compactMap(\.self)
    let visible = visibleCards
    self.selection = candidates.first(where: isSeen) ?? candidates.first(where: visible.contains) ?? nearest
    goal = nil
  }

  /// Turns the carousel until the next card has snapped into the middle, and selects it.
  private mutating func turn(by rows: Int) {
    let proposed = offset + rows * Self.columnsPerRow
    scroll(to: layout.offset(forProposed: proposed, velocity: rows))
    let middle = Point(x: viewport.width / 2, y: viewport.height / 2)
    guard let card = layout.card(nearestTo: middle, at: offset) else { return }
    selection = card
    goal = nil
  }
}

// MARK: - Selecting

extension WaterfallScreen {
  mutating func select(_ card: Int) {
    selection = card
    goal = nil
    show(card)
  }

  /// Moves the selection to the neighbour; false at the edge.
  mutating func move(_ direction: Direction) -> Bool {
    guard let selection else { return false }
    guard let target = layout.neighbor(of: selection, toward: direction, goal: &goal) else {
      if direction == .down { scrollToEnd() }
      if direction == .up, !kind.isSideways { scroll(to: 0) }
      return false
    }
    self.selection = target
    show(target)
    return true
  }

  /// Moves the selection about as many screens on, or back, in the direction of scrolling.
  mutating func movePages(_ pages: Double) {
    guard let selection else { return }
    let length = max(1, Int(Double(max(1, layout.viewportLength - 2)) * pages.magnitude))
    if let target = layout.card(pageFrom: selection, by: pages < 0 ? -length : length) {
      select(target)
    } else {
      _ = move(pages < 0 ? layout.kind.backward : layout.kind.forward)
    }
  }

  mutating func selectFirst() {
    guard !cards.isEmpty else { return }
    select(0)
    scroll(to: 0)
  }

  mutating func selectLast() {
    guard !cards.isEmpty else { return }
    select(cards.count - 1)
    scrollToEnd()
  }

  /// The next card whose title holds the needle, from `start` on and around the end.
  func match(from start: Int, forward: Bool) -> Int? {
    let count = cards.count
    guard count > 0, let search = TitleSearch(needle) else { return nil }
    for step in 0..<count {
      let card = ((start + (forward ? step : -step)) % count + count) % count
      if search.match(in: cards[card].title) != nil { return card }
    }
    return nil
  }
}
