import FeedfallScreen
import FeedfallText
import WaterfallEngine

/// The cards of a tab: their order, layout, selection and offset, the pull and the search.
struct CardsScreen: Equatable, Sendable {
  private(set) var cards = CardList() {
    didSet {
      revision += 1
      adoptedRow = nil
    }
  }
  /// Increases with every change of the cards, except of their sizes alone.
  private(set) var revision = 0
  /// Increases whenever cards take the proportions of their covers.
  private(set) var sizeRevision = 0
  private(set) var navigator: CardNavigator
  private var faces = CardFace.Cache()
  private var states = CardStates()
  private var now: UnixTime?
  var pull = PullGesture()
  var picks = CardPicks()
  private var search = Search()
  /// Empty in a tab of one source.
  var sourceNames: [String] = [] {
    didSet { if sourceNames != oldValue { faces.removeAll() } }
  }
  var headerRows = 0
  /// The cards of tabs that are not selected do not slide.
  var isShown = false {
    didSet { if !isShown { endGlide() } }
  }
  private var awaited: Set<CardSlot> = []
  /// The selected card's highest row for which `adoptSizes` has run; nil if a size has arrived since.
  private var adoptedRow: Int?
  /// The state before the first change in place during an event.
  private var former: Former?

  /// On the heap, because few of thousands of tabs have it.
  private indirect enum Former: Equatable, Sendable { case state(CardNavigator, CardList) }

  init(kind: LayoutKind, options: LayoutOptions) {
    navigator = CardNavigator(
      CardLayout(kind, options: options, viewport: .zero, cellSize: Size(width: 8, height: 16)))
  }

  var prompt: Prompt? { search.prompt }
  var hasPrompt: Bool { search.prompt != nil }
  var searchOrigin: CardSlot? { search.origin }
  var needle: String { search.needle }
  var layout: CardLayout { _read { yield navigator.layout } }
  var selection: Int? { navigator.selection }
  var offset: Int { navigator.offset }
  var isMoved: Bool { navigator.isMoved }
  var searchResult: String? { search.result(at: selection) }
  var kind: LayoutKind { layout.kind }
  var isHorizontal: Bool { navigator.isHorizontal }
  var viewport: Size { layout.viewport }

  static let wheelRows = 3

  // MARK: - Commands

  mutating func move(_ move: CardMove, canPull: Bool, _ tickets: inout TicketOffice) -> [AppEffect] {
    if move != layout.traits.pullMove { pull.cancel() }
    switch move {
    case .left: return moveOrPull(.left, canPull: canPull, &tickets)
    case .right: _ = navigator.move(.right)
    case .up: return moveOrPull(.up, canPull: canPull, &tickets)
    case .down: _ = navigator.move(.down)
    case .halfPageDown: navigator.movePages(0.5)
    case .halfPageUp: navigator.movePages(-0.5)
    case .pageDown: navigator.movePages(1)
    case .pageUp: navigator.movePages(-1)
    case .first: navigator.selectFirst()
    case .last: selectLast()
    }
    return []
  }

  private mutating func moveOrPull(
    _ direction: Direction, canPull: Bool, _ tickets: inout TicketOffice
  ) -> [AppEffect] {
    let wasAtTop = isAtTop
    let hasMoved = navigator.move(direction) || !wasAtTop
    guard direction == layout.traits.backward, isAtTop, canPull else { return [] }
    return hasMoved ? pull.arriveByKey(tickets.next()) : pull.pull(tickets.next())
  }

  /// Scrolls by a step of the wheel.
  mutating func scroll(up isUp: Bool, canPull: Bool, _ tickets: inout TicketOffice) -> [AppEffect] {
    switch (isUp, isAtTop) {
    case (true, true): return canPull ? pull.pull(tickets.next()) : []
    case (true, false):
      navigator.scrollView(by: -Self.wheelRows)
      return isAtTop ? pull.arriveByWheel(tickets.next()) : []
    case (false, _) where pull.isPulling: pull.cancel()
    case (false, _): navigator.scrollView(by: Self.wheelRows)
    }
    return []
  }

  /// A part of the cards that a click means.
  enum Target: Equatable {
    case header, footer
    case card(Int)
  }

  func target(at point: Point) -> Target? {
    guard (0..<viewport.width).contains(point.x), (0..<viewport.height).contains(point.y) else { return nil }
    if point.y < (isHorizontal ? min(1, shift) : shift) { return .header }
    return isFooter(at: point) ? .footer : card(at: point).map(Target.card)
  }

  // MARK: - Layout

  /// Returning to a size after any others shows the same cards again.
  mutating func resize(to size: Size, cellSize: Size, _ store: CardStore) {
    guard size != viewport || cellSize != layout.cellSize else { return }
    prepareLayout(store)
    navigator.resize(to: size, cellSize: cellSize, cards, store)
  }

  mutating func setHeader(_ header: CollectionHeader?) { navigator.setHeader(header) }

  mutating func switchLayout(to kind: LayoutKind, _ store: CardStore) {
    prepareLayout(store)
    navigator.switchLayout(to: kind, cards, store)
  }

  /// Uses other options once the cards are replaced.
  mutating func setOptions(_ options: LayoutOptions) { navigator.setOptions(options) }

  mutating func setFeedGroups(_ areShown: Bool) { navigator.setFeedGroups(areShown) }

  private mutating func prepareLayout(_ store: CardStore) {
    regather(store)
    faces.removeAll()
    _ = cards.updateShapes(from: store)
    awaited = []
  }

  // MARK: - Cards

  /// Appends the cards that are new; gathered ones join their groups.
  mutating func append(_ slots: [CardSlot], _ store: CardStore) {
    guard isGathered else { return appendAtEnd(slots, store) }
    gather(cards.slots + slots.filter { !cards.contains($0) }, keepingPlace: isMoved, store)
  }

  private mutating func appendAtEnd(_ slots: [CardSlot], _ store: CardStore) {
    let (before, hadChannelColumn) = (cards.count, hasChannelColumn)
    _ = cards.append(slots, from: store)
    if hasChannelColumn != hadChannelColumn { faces.removeAll() }
    navigator.append(cards, before..<cards.count, store)
  }

  var isGathered: Bool { layout.grouping.isGathered }

  /// `slots` contain all cards that are shown. Only the end of the list is laid out if the others keep their order.
  /// Without `isPlaceKept`, the first card is shown and selected. O(n).
  private mutating func gather(_ slots: [CardSlot], keepingPlace isPlaceKept: Bool, _ store: CardStore) {
    let slots = CardList.gathered(slots, by: layout.grouping, in: store)
    if slots.starts(with: cards.slots) { return appendAtEnd(Array(slots[cards.count...]), store) }
    prepareSlide()
    let old = cards
    cards = CardList()
    _ = cards.append(slots, from: store)
    faces.removeAll()
    let index = index(ofCardIn: old)
    navigator.reorder(cards, store, keepingPlace: isPlaceKept, index: index)
  }

  /// A completed video may belong to another group.
  private mutating func regather(_ store: CardStore) {
    if isGathered { gather(cards.slots, keepingPlace: isMoved, store) }
  }

  private func index(ofCardIn old: CardList) -> (Int) -> Int {
    { [cards] card in old.slots.indices.contains(card) ? cards.index(of: old[card]) ?? 0 : 0 }
  }

  /// Replaces all cards. The `preferred` card is selected, or the selected one stays so; if it is gone, the nearest one
  /// is selected, but the first at the start. A view at the top stays at the top, unless `isSelectionFollowed`. Covers
  /// that share a height keep it, unless the list is new.
  mutating func replace(
    with slots: [CardSlot], following isSelectionFollowed: Bool, preferring preferred: CardSlot? = nil,
    forNewList isListNew: Bool, _ store: CardStore
  ) {
    prepareSlide()
    let (old, selected) = (cards, selection)
    let view = navigator.view
    faces.removeAll()
    let slots = isGathered ? CardList.gathered(slots, by: layout.grouping, in: store) : slots
    let difference = CardList.Difference(from: cards, to: slots)
    // Other layouts take the sizes of covers that have become known, and the grid another median.
    let mayStay = !isListNew || (layout.isSelfSizing && difference?.keepsCards(of: cards) == true)
    if isListNew { awaited = [] }
    if !isListNew, isLaidOut(slots, store) {
      navigator.deselect()
      revision += 1
    } else if mayStay, let difference, apply(difference, to: slots, store) {
      updateSizes(store)
    } else {
      awaited = []
      navigator.removeCards(forNewList: isListNew)
      if !isListNew, let difference {
        cards.apply(difference, to: slots, from: store)
        _ = cards.updateShapes(from: store)
        navigator.append(cards, cards.slots.indices, store)
      } else {
        cards = CardList()
        append(slots, store)
      }
    }
    let target =
      preferred.flatMap(cards.index(of:)) ?? selected.flatMap { index(ofCardNearest: $0, in: old, view.isAtTop) } ?? 0
    let mapped = view.mapped { old.slots.indices.contains($0) ? cards.index(of: old[$0]) : nil }
    navigator.restore(mapped, selecting: target, following: isSelectionFollowed)
  }

  private mutating func apply(_ difference: CardList.Difference, to slots: [CardSlot], _ store: CardStore) -> Bool {
    guard difference.isSmall else { return false }
    var new = cards
    new.apply(difference, to: slots, from: store)
    guard navigator.apply(difference, from: cards, to: new, store) else { return false }
    cards = new
    if !awaited.isEmpty { awaited = awaited.filter(cards.contains) }
    return true
  }

  /// Many a key in the filter's prompt changes no card. O(count).
  private func isLaidOut(_ slots: [CardSlot], _ store: CardStore) -> Bool {
    layout.isCurrent(store) && slots == cards.slots && cards.isCurrent(in: store)
  }

  /// The next neighbor wins over the previous one.
  private func index(ofCardNearest card: Int, in old: CardList, _ isAtTop: Bool) -> Int? {
    guard !cards.isEmpty else { return nil }
    for distance in 0..<(card == 0 && isAtTop ? 1 : old.count) {
      for neighbor in [card + distance, card - distance] where old.slots.indices.contains(neighbor) {
        if let index = cards.index(of: old[neighbor]) { return index }
      }
    }
    return nil
  }

  /// No visible card moves.
  mutating func prepend(_ slots: [CardSlot], _ store: CardStore) {
    if isGathered { return gather(slots.filter { !cards.contains($0) } + cards.slots, keepingPlace: true, store) }
    let count = cards.prepend(slots, from: store)
    guard count > 0 else { return }
    faces.removeAll()
    navigator.prepend(cards, count: count, store)
  }

  mutating func updateCard(_ slot: CardSlot) {
    revision += 1
    if let index = cards.index(of: slot) { faces.remove(index) }
  }

  mutating func updateCards(_ store: CardStore) {
    faces.removeAll()
    if updateSizes(store) { regather(store) }
  }

  /// Returns whether any card but those that wait for `adoptSizes` has another shape.
  @discardableResult
  private mutating func updateSizes(_ store: CardStore) -> Bool {
    let changed = cards.updateShapes(from: store, except: awaited)
    guard !changed.isEmpty else { return false }
    navigator.updateSizes(of: changed, cards, store)
    return true
  }

  // MARK: - Sizes of covers

  mutating func coverSizeArrived(_ slot: CardSlot) {
    guard cards.contains(slot) else { return }
    awaited.insert(slot)
    adoptedRow = nil
  }

  /// Gives cards the heights of their covers' known proportions, as long as neither the selected card nor any in its
  /// row or above it moves. The others follow once the selection is above them, or with the next layout. O(1) unless a
  /// size has arrived or the selection has moved up.
  mutating func adoptSizes(_ store: CardStore) {
    guard !awaited.isEmpty, layout.isSelfSizing, let selection else { return }
    let row = frame(of: selection).minY
    guard row < adoptedRow ?? .max else { return }
    // Behind the changes of the cards, which reset it.
    defer { adoptedRow = row }
    let former = former
    prepareSlide()
    var (isVisible, adopted) = (false, [(index: Int, shape: CardShape)]())
    for index in awaited.compactMap(cards.index(of:)).sorted() {
      let (slot, shape) = (cards[index], store.shape(of: cards[index]))
      guard let moves = navigator.adopt(shape, of: index) else { continue }
      adopted.append((index, shape))
      awaited.remove(slot)
      isVisible = isVisible || moves
    }
    if !isVisible { self.former = former }
    guard !adopted.isEmpty else { return }
    let listed = revision
    cards.setShapes(adopted)
    (revision, sizeRevision) = (listed, sizeRevision + 1)
  }

  mutating func evenOut() { navigator.evenOut() }

  // MARK: - Animation

  mutating func updateGlide(_ tickets: inout TicketOffice) -> [AppEffect] { navigator.updateGlide(&tickets) }

  var frameWait: Ticket? { navigator.frameWait }

  /// - Parameter now: in milliseconds, as for `beginSlide`.
  mutating func glideWaitElapsed(_ ticket: Ticket, at now: Int) { navigator.glideWaitElapsed(ticket, at: now) }

  mutating func endGlide() {
    navigator.endGlide()
    former = nil
  }

  var isSliding: Bool { navigator.isSliding }

  mutating func endSlide() { navigator.endSlide() }

  /// Call it before a change moves cards.
  private mutating func prepareSlide() {
    guard isShown, former == nil, layout.options.animates, !cards.isEmpty else { return }
    former = .state(navigator, cards)
  }

  mutating func beginSlide(isAllowed: Bool, at now: Int) {
    guard case .state(let before, let formerCards)? = former.take() else { return }
    navigator.endSlide()
    guard isAllowed else { return }
    navigator.slide(
      from: before, at: now, newIndex: { [cards] in cards.index(of: formerCards[$0]) },
      oldIndex: { [cards] in formerCards.index(of: cards[$0]) })
  }

  // MARK: - Faces

  mutating func prepareFaces(_ store: CardStore, at now: UnixTime?, _ facts: CardStates.Facts) {
    search.update(cards, revision: revision, store)
    picks.update(cards, revision: revision, store)
    if now != self.now { faces.removeAll() }
    self.now = now
    navigator.prepareElements()
    let metrics = metrics
    // Loops, because a closure would copy the screen.
    var places: [(card: Int, width: Int)] = []
    var slots: [CardSlot] = []
    for element in shownElements where element.kind == .item {
      let card = layout.card(at: element.path)
      places.append((card, element.frame.width))
      slots.append(cards[card])
    }
    states.prepare(slots, facts)
    var keys: [CardFace.Cache.Key] = []
    for place in places { keys.append(key(of: place.card, frameWidth: place.width, metrics)) }
    // Out of the screen while it is read, so that it is changed in place.
    var faces = CardFace.Cache()
    swap(&faces, &self.faces)
    faces.prepare(keys) { makeFace($0, metrics, store) }
    self.faces = faces
  }

  func state(of card: Int) -> CardStates.State { states[cards[card]] }

  private func key(of card: Int, frameWidth: Int, _ metrics: CardMetrics) -> CardFace.Cache.Key {
    let width = metrics.cover == .whole ? layout.stage.textWidth : metrics.contentWidth(ofFrame: frameWidth)
    let state = state(of: card)
    return CardFace.Cache.Key(
      card: card, width: width, isLabeled: layout.label(of: card) != nil, marks: state.marks, download: state.download)
  }

  private func makeFace(_ key: CardFace.Cache.Key, _ metrics: CardMetrics, _ store: CardStore) -> CardFace {
    let slot = cards[key.card]
    let name = sourceNames(of: slot, store)
    return layout.traits.isTable
      ? CardFace(
        rowOf: store[slot].shown, in: CardTable(width: key.width, hasChannel: hasChannelColumn), sourceName: name,
        marks: key.marks, download: key.download, at: now, in: store.zone, store.widths)
      : CardFace(
        store[slot].shown, cards.shapes[key.card], width: key.width, metrics, label: layout.label(of: key.card),
        sourceName: name, marks: key.marks, download: key.download, at: now, in: store.zone, store.widths)
  }

  func face(of card: Int, frameWidth: Int, _ metrics: CardMetrics, _ store: CardStore) -> CardFace {
    let key = key(of: card, frameWidth: frameWidth, metrics)
    return faces[key] ?? makeFace(key, metrics, store)
  }

  // MARK: - Selection

  mutating func select(_ card: Int) { navigator.select(card) }

  mutating func selectLast() { navigator.select(lastOf: cards.count) }

  mutating func beginDrag(at card: Int) { picks.beginDrag(at: cards[card]) }

  func isPicked(_ card: Int, _ store: CardStore) -> Bool { !picks.isEmpty && picks.contains(store[cards[card]].key) }

  // MARK: - Search

  mutating func clearSearch() { search.clear() }

  mutating func beginSearch(_ history: Prompt.History) { search.begin(at: selection.map { cards[$0] }, history) }

  /// Returns the reason why no card matches.
  mutating func handlePrompt(_ input: Prompt.Input, in store: CardStore) -> String? {
    show(search.handle(input, in: cards, revision: revision, store))
  }

  mutating func paste(_ text: String, in store: CardStore) {
    if let card = search.paste(text, in: cards, revision: revision, store) { select(card) }
  }

  /// Returns the reason why no card matches.
  mutating func selectMatch(forward: Bool, in store: CardStore) -> String? {
    show(search.match(beside: selection ?? 0, forward: forward, in: cards, store))
  }

  private mutating func show(_ result: Search.Result) -> String? {
    if let card = result.card { select(card) }
    return result.message
  }
}
