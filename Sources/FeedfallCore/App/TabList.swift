import FeedfallFeeds
import FeedfallFilters
import FeedfallLoading
import FeedfallScreen
import FeedfallUserData
import WaterfallEngine

/// One tab: its cards, and the details if they are open.
struct Tab: Sendable {
  fileprivate(set) var query: CardQuery
  /// The filter and the order that are not chosen by the user.
  private let ownFilter: Filter
  private let ownOrder: CardOrder
  /// The order that the user has chosen by a column or a key.
  private var chosenOrder: CardOrder?
  private(set) var filter = TabFilter()
  var cards: CardsScreen
  /// The open details pane. Its card leaves a filter that excludes it only once the pane is closed.
  var details: DetailsScreen? {
    didSet { if details == nil { query.releaseKept() } }
  }
  /// The number of videos that refreshes have added since the tab was shown.
  var newsCount = 0
  /// The number of lengths that have arrived since the cards were collected for them.
  private var newLengthCount = 0

  var content: TabContent { query.content }

  /// Whether the details or a prompt are open, so that the selected card must stay selected.
  var isCardRead: Bool { details != nil || hasPrompt }

  var hasPrompt: Bool { prompt != nil }

  var prompt: Prompt? { filter.prompt ?? cards.prompt }

  /// The order, unless it is the feed's or the text of the filter names it.
  var orderName: String? {
    let isInText = chosenOrder == nil && filter.query.order != nil
    let isOfRecords = query.order == ownOrder && ownFilter.requiredField != nil
    return query.order.isDelivered || isInText || isOfRecords
      ? nil : query.order.name(isSource: !cards.sourceNames.isEmpty)
  }

  /// The groups of one source do not divide the videos of several, nor those in another order.
  private var hasFeedGroups: Bool {
    if case .source = content { query.order.isDelivered } else { false }
  }

  /// Whether the tab's filter or one of its sources' own may exclude cards.
  func isFiltered(in library: Library) -> Bool {
    !query.filter.isEmpty || filtersOfSources(in: library).contains { !$0.isEmpty }
  }

  /// Whether the lengths of videos determine the cards or their order.
  func dependsOnLengths(in library: Library) -> Bool {
    query.dependsOnLengths || filtersOfSources(in: library).contains { $0.dependsOnLength }
  }

  /// The filters of the sources that apply: none in a tab of records.
  private func filtersOfSources(in library: Library) -> some Sequence<Filter> {
    let sources = library.requiredField(of: content) == nil ? library.sources(of: content) : []
    return sources.lazy.map(\.settings.query.filter)
  }

  /// Whether the cards of a further page may go above others.
  var insertsAbove: Bool { cards.isGathered || !query.order.isDelivered }

  /// Whether the view is at its start, with the first card selected.
  var isAtStart: Bool { !isCardRead && cards.isAtTop && (cards.selection ?? 0) == 0 }

  init(_ content: TabContent, filter: Filter = .everything, order: CardOrder, settings: AppSettings) {
    query = CardQuery(content, filter: filter, order: order)
    (ownFilter, ownOrder) = (filter, order)
    cards = CardsScreen(kind: settings.layout, options: settings.layoutOptions)
    cards.setFeedGroups(hasFeedGroups)
    // No page needs to arrive for a tab of records.
    if !order.isDelivered { query.invalidate() }
  }

  fileprivate mutating func append(_ slots: [CardSlot], of source: SourceID, in library: Library) {
    query.append(slots, of: source, in: library)
    release(library)
  }

  /// Returns the number of cards inserted above the others.
  fileprivate mutating func insertFirstPage(
    _ slots: [CardSlot], added: [CardSlot], of source: SourceID, replacesList: Bool, _ library: Library
  ) -> Int {
    query.insertFirstPage(slots, added: added, of: source, replacesList: replacesList, in: library)
      .map { apply($0, library.store) } ?? 0
  }

  /// Collects the cards again. The view moves with a selected card that the user reads, and with one that the user has
  /// selected if new cards may be anywhere among the others. `isListNew`: whether a refresh has replaced the list.
  fileprivate mutating func collect(from library: Library, forNewList isListNew: Bool = false) {
    query.keep(details == nil ? nil : cards.selection.map { cards.cards[$0] }, in: library)
    let isSelectionFollowed = isCardRead || (cards.isMoved && !query.order.isDelivered)
    var change = query.collect(from: library)
    // A kept card may have lost the value by which it was sorted.
    if case .replace(var slots) = change, !query.order.isDelivered, let kept = query.kept,
      let selection = cards.selection,
      let index = slots.firstIndex(of: kept)
    {
      slots.remove(at: index)
      let remaining = Set(slots)
      slots.insert(kept, at: cards.cards.slots[..<selection].count { remaining.contains($0) })
      change = .replace(slots)
    }
    // Another source may list the video of a restored card now.
    if query.kept == nil, case .replace(let slots) = change, let twin = twinOfSelection(in: slots, library) {
      _ = cards.replace(
        with: slots, following: isSelectionFollowed, preferring: twin, forNewList: isListNew, library.store)
      return
    }
    _ = apply(change, following: isSelectionFollowed, forNewList: isListNew, library.store)
  }

  /// The card with which a tab of records replaces the selected one, because it shows the same video. O(n).
  private func twinOfSelection(in slots: [CardSlot], _ library: Library) -> CardSlot? {
    guard library.requiredField(of: content) != nil, let selected = cards.selection.map({ cards.cards[$0] }) else {
      return nil
    }
    let key = library.store[selected].key
    return slots.first { library.store[$0].key == key }.flatMap { $0 == selected ? nil : $0 }
  }

  // MARK: - Lengths

  /// Counts a length, and collects the cards for a thousandth of all at once: for each one, n lengths would take O(n²).
  fileprivate mutating func lengthArrived(ofCount loadedCount: Int) {
    newLengthCount += 1
    if newLengthCount * Self.maximumCollectionCount >= loadedCount { collectNewLengths() }
  }

  /// Collects the cards before they are shown if lengths have arrived.
  mutating func collectNewLengths() {
    guard newLengthCount > 0 else { return }
    newLengthCount = 0
    query.invalidate()
  }

  private static let maximumCollectionCount = 1_000

  // MARK: - Filter and order

  /// Sorts by a column, in the opposite direction the second time and no more the third time.
  fileprivate mutating func sort(by column: CardColumn, _ library: Library) {
    choose(query.order.next(for: column), library)
  }

  /// Chooses an order, or nil for the tab's own. It replaces one in the text of the filter.
  private mutating func choose(_ order: CardOrder?, _ library: Library) {
    let isInText = filter.query.order != nil && (order == nil || order?.videoOrder != nil)
    chosenOrder = isInText ? nil : order
    if filter.query.order != nil { filter.setOrder(order?.videoOrder ?? .feed) }
    updateQuery(library)
  }

  /// Chooses the order after the current one and returns its name.
  fileprivate mutating func chooseNextOrder(_ library: Library) -> String {
    let choices = OrderChoice.all(own: ownOrder)
    let index = choices.firstIndex { $0.order == query.order } ?? choices.count - 1
    let choice = choices[(index + 1) % choices.count]
    choose(choice.order == ownOrder ? nil : choice.order, library)
    return choice.name
  }

  mutating func setFilter(_ new: TabFilter, _ library: Library) {
    let (before, origin) = (filter.query, filter.origin)
    filter = new
    defer { if filter.prompt == nil { cards.clearLayoutCache() } }
    guard filter.query != before else { return }
    filter.searchedPageCount = 0
    // An order in the text replaces a chosen one, until that is chosen again.
    if filter.query.order != before.order { chosenOrder = nil }
    updateQuery(library, preferring: origin)
  }

  mutating func beginFilter(_ history: PromptHistory) {
    filter.begin(at: cards.selection.map { cards.cards[$0] }, history)
  }

  mutating func searchOn() { filter.searchedPageCount = 0 }

  /// Counts the pages without a video that the filter includes.
  fileprivate mutating func pageArrived(_ slots: [CardSlot], in library: Library) {
    guard isFiltered(in: library) else { return }
    filter.searchedPageCount = query.included(slots, in: library).isEmpty ? filter.searchedPageCount + 1 : 0
  }

  /// Collects the cards by the chosen filter and order. The `preferred` card is selected, or else the selected one, or
  /// the nearest one.
  private mutating func updateQuery(_ library: Library, preferring preferred: CardSlot? = nil) {
    let order = chosenOrder ?? CardOrder(filter.query.order) ?? ownOrder
    let wanted = ownFilter.and(filter.query.filter)
    var change: CardChange?
    if order == query.order {
      change = query.setFilter(wanted, shown: cards.cards.slots, in: library)
    } else {
      change = query.setOrder(order, wanted, in: library)
      cards.setFeedGroups(hasFeedGroups)
    }
    guard case .replace(let slots) = change else { return }
    _ = cards.replace(
      with: slots, following: isCardRead || cards.isMoved, preferring: preferred, forNewList: false,
      caching: filter.prompt != nil, library.store)
  }

  fileprivate mutating func release(_ library: Library) {
    if let change = query.release(whileContinuing: library.continuing) { _ = apply(change, library.store) }
  }

  /// Returns the number of new cards.
  private mutating func apply(
    _ change: CardChange, following isSelectionFollowed: Bool = false, forNewList isListNew: Bool = false,
    _ store: CardStore
  ) -> Int {
    switch change {
    case .append(let slots): cards.append(slots, store)
    case .prepend(let slots): cards.prepend(slots, store)
    case .replace(let slots):
      cards.replace(with: slots, following: isSelectionFollowed, forNewList: isListNew, store)
    }
  }
}

/// The tabs: one for each source, preceded by the All tab if there are several sources, and followed by the views. The
/// tabs that the user has opened come last; closing one leaves the indices of the others unchanged.
///
/// The All tab and the views are updated only while they are selected, and while their next video is awaited.
struct TabList: Sendable {
  private var tabs: [Tab]
  private var places: TabIndices
  /// The layout of all tabs.
  private(set) var layout: LayoutKind
  /// Whether covers are shown as pictures.
  var hasPictures = false

  /// `order` is that of the All tab.
  init(settings: AppSettings, order: CardOrder = .newest) {
    layout = settings.layout
    let all = settings.sources.count > 1 ? [Tab(.all, order: order, settings: settings)] : []
    let sources = settings.sources.enumerated().map { number, source in
      Tab(.source(SourceID(number)), order: CardOrder(source.query.order) ?? .feed, settings: settings)
    }
    let views = settings.allViews.enumerated().map { number, view in
      Tab(
        .view(number), filter: view.query.filter, order: CardOrder(of: view.query), settings: settings)
    }
    tabs = all + sources + views
    places = TabIndices(settings: settings)
    selected.cards.isShown = true
  }

  var selection: Int { places.selection }
  /// The indices of the tabs in the bar.
  var visible: [Int] { places.visible }
  /// The number of tabs that the user has opened.
  var openedCount: Int { places.openedCount }
  /// Whether the user has opened the selected tab.
  var isSelectedOpened: Bool { places.isSelectedOpened }

  /// Shows the tabs of records while there are any. The selected one stays.
  mutating func updateVisibility(_ records: UserData) { places.updateVisibility(records) }

  var indices: Range<Int> { tabs.indices }

  /// The tab at an index. Yields it in place, because changing a copy would copy its cards.
  subscript(index: Int) -> Tab {
    _read { yield tabs[index] }
    _modify { yield &tabs[index] }
  }

  var selected: Tab {
    _read { yield tabs[selection] }
    _modify { yield &tabs[selection] }
  }

  /// The tab of a source; nil for the videos that have left their feeds.
  func index(of source: SourceID) -> Int? {
    places.index(of: source) ?? visible.last { tabs[$0].content == .source(source) }
  }

  /// Adds a tab of a source that the user has opened, and returns its index.
  mutating func open(_ source: SourceID, order: CardOrder?, settings: AppSettings) -> Int {
    tabs.append(Tab(.source(source), order: order ?? .feed, settings: settings))
    return places.open()
  }

  /// Closes the selected tab, which the user has opened, and selects its neighbor.
  mutating func closeSelected(settings: AppSettings) {
    let closed = selection
    _ = select(places.neighbor)
    places.hide(closed)
    tabs[closed] = Tab(tabs[closed].content, order: .feed, settings: settings)
  }

  /// Selects a tab; returns whether the selection has changed.
  mutating func select(_ index: Int) -> Bool {
    guard tabs.indices.contains(index), index != selection else { return false }
    selected.cards.cancelPull()
    selected.cards.isShown = false
    selected.collectNewLengths()
    selected.newsCount = 0
    places.select(index)
    selected.cards.isShown = true
    selected.newsCount = 0
    return true
  }

  mutating func changeLayout(by step: Int, _ store: CardStore) {
    let all = LayoutKind.allCases
    guard let index = all.firstIndex(of: layout) else { return }
    layout = all[(index + step + all.count) % all.count]
    selected.cards.switchLayout(to: layout, store)
  }

  /// Uses other layout options. Each tab lays out its cards again before it is shown.
  mutating func setLayout(_ kind: LayoutKind, _ options: LayoutOptions) {
    layout = kind
    for index in tabs.indices {
      tabs[index].cards.setOptions(options)
      tabs[index].query.invalidate(isRecordChange: true)
    }
  }

  mutating func sort(by column: CardColumn, _ library: Library) { selected.sort(by: column, library) }

  mutating func chooseNextOrder(_ library: Library) -> String { selected.chooseNextOrder(library) }

  /// Whether a tab has a filter of the user.
  var hasFilter: Bool { tabs.contains { $0.filter.isUsed } }

  /// Resizes the selected tab, and the empty ones; the others are resized when they are selected.
  mutating func resize(to size: Size, emptyTabs whole: Size, cellSize: Size, _ store: CardStore) {
    selected.cards.resize(to: size, cellSize: cellSize, store)
    for index in tabs.indices where index != selection && tabs[index].cards.cards.isEmpty {
      tabs[index].cards.resize(to: whole, cellSize: cellSize, store)
    }
  }

  mutating func updateLayout(_ store: CardStore) {
    if selected.cards.kind != layout { selected.cards.switchLayout(to: layout, store) }
  }

  /// Collects the cards of each tab that depends on these states again before it is shown.
  mutating func invalidate(_ states: VideoStates) {
    for index in tabs.indices where tabs[index].query.depends(on: states) {
      tabs[index].query.invalidate(isRecordChange: true)
    }
  }

  // MARK: - Pages

  /// The place that a refresh keeps in a source's tab.
  func place(in source: SourceID, _ store: CardStore) -> RefreshPlace {
    guard let index = index(of: source) else { return .start }
    let tab = tabs[index]
    return tab.isAtStart ? .start : .card(tab.cards.selectedCard(in: store)?.id)
  }

  /// Updates the tabs that show a source. Returns a message about new videos, if any.
  mutating func update(
    _ change: SourceChange, of source: SourceID, in library: Library, awaitsOtherRefreshes: Bool
  ) -> String? {
    guard let own = index(of: source) else { return nil }
    switch change {
    case .appended(let slots):
      tabs[own].append(slots, of: source, in: library)
      tabs[own].pageArrived(slots, in: library)
      for index in places.mixed(with: source) {
        tabs[index].query.append(slots, of: source, in: library)
        // Other tabs did not request the page.
        if index == selection { tabs[index].pageArrived(slots, in: library) }
      }
      return nil
    case .replaced(let slots, let added), .merged(let slots, added: let added as [CardSlot]?):
      let newCount = added.map { tabs[own].query.included($0, in: library).count }
      let message = newCount.flatMap { report($0, in: own) }
      // A hidden tab collects its cards when it is needed, because further pages may arrive first.
      if added == nil, own != selection {
        tabs[own].query.invalidate()
      } else {
        tabs[own].collect(from: library, forNewList: change.replacesList)
      }
      return updateMixed(
        slots, added: added ?? slots, of: source, replacesList: change.replacesList, isNew: added != nil, library,
        awaitsOtherRefreshes: awaitsOtherRefreshes) ?? message
    case .joined(let slots, let added):
      let newCount = tabs[own].query.included(added, in: library).count
      let message = report(newCount, in: own)
      _ = tabs[own].insertFirstPage(slots, added: added, of: source, replacesList: false, library)
      return updateMixed(
        slots, added: added, of: source, replacesList: false, isNew: true, library,
        awaitsOtherRefreshes: awaitsOtherRefreshes) ?? message
    }
  }

  private mutating func report(_ newCount: Int, in index: Int) -> String? {
    if index == selection { return NewsWords.text(newCount) }
    tabs[index].newsCount += newCount
    return nil
  }

  /// Inserts a first page into the tabs of several sources, and returns the message of the selected one. `isNew`: whether
  /// the source had cards before, so that the `added` ones are news.
  private mutating func updateMixed(
    _ slots: [CardSlot], added: [CardSlot], of source: SourceID, replacesList: Bool, isNew: Bool,
    _ library: Library, awaitsOtherRefreshes: Bool
  ) -> String? {
    var message: String?
    for index in places.mixed(with: source) {
      let newCount = insertFirstPage(
        slots, added: added, of: source, replacesList: replacesList, isNew: isNew, intoMixed: index, library)
      guard let newCount else { continue }
      tabs[index].newsCount += newCount
      let sum = tabs[index].newsCount
      if selection == index, sum > 0 || !awaitsOtherRefreshes { message = NewsWords.text(sum) }
    }
    return message
  }

  /// Inserts a first page into a tab of several sources. At its top, all cards are sorted again; if the user has scrolled
  /// down or reads a card, new cards are inserted above. Returns the number of new ones; nil if there is no news.
  private mutating func insertFirstPage(
    _ slots: [CardSlot], added: [CardSlot], of source: SourceID, replacesList: Bool, isNew: Bool,
    intoMixed index: Int, _ library: Library
  ) -> Int? {
    // Videos of records are no news.
    let isNews = isNew && library.requiredField(of: tabs[index].content) == nil
    let newCount = isNews ? tabs[index].query.included(added, in: library).count : nil
    if tabs[index].query.isStale || (tabs[index].cards.isAtTop && !tabs[index].isCardRead) {
      tabs[index].query.invalidate()
      return newCount
    }
    tabs[index].cards.updateCards(library.store)
    let count = tabs[index].insertFirstPage(
      slots, added: added, of: source, replacesList: replacesList, library)
    return newCount ?? (count > 0 ? count : nil)
  }

  /// The cards that the tabs show or hold back, or select again after a change of a filter. O(n).
  var usedSlots: Set<CardSlot> {
    tabs.reduce(into: []) { used, tab in
      used.formUnion(tab.cards.cards.slots + tab.query.pending)
      used.formUnion([tab.filter.origin, tab.cards.searchOrigin].compactMap(\.self))
    }
  }

  /// Updates a tab: releases the cards that no longer need to be held back.
  mutating func update(_ index: Int, _ library: Library) {
    // Compared first, because this runs after every event.
    switch tabs[index].content {
    case .source(let source):
      let header = library[source].collectionHeader(withPicture: hasPictures)
      if tabs[index].cards.layout.header != header { tabs[index].cards.setHeader(header, library.store) }
    case .all, .view:
      guard places.hasAll else { break }
      let names = library.sources(of: .all).lazy.map(\.name)
      if !tabs[index].cards.sourceNames.elementsEqual(names) { tabs[index].cards.sourceNames = Array(names) }
    }
    if tabs[index].query.isStale {
      tabs[index].collect(from: library)
    } else {
      tabs[index].release(library)
    }
  }

  /// The sources whose next pages the selected tab needs.
  func continuing(in library: Library) -> [SourceID] {
    switch selected.content {
    case .source(let source): [source]
    case .all, .view:
      // A source whose first page is still waiting continues after it.
      (selected.query.holders(among: library.continuing) + library.failedContinuing)
        .filter { !library.waiting.contains($0) }
    }
  }

  /// Updates a card whose video has been completed.
  mutating func updateCard(_ id: CardID, _ store: CardStore) {
    guard let slot = store.slot(of: id) else { return }
    for index in [index(of: id.source)].compactMap(\.self) + places.mixed(with: id.source) {
      tabs[index].cards.updateCard(slot)
    }
  }

  /// Updates a card whose length has become known.
  mutating func updateLength(of id: CardID, in library: Library) {
    updateCard(id, library.store)
    for index in [index(of: id.source)].compactMap(\.self) + places.mixed(with: id.source)
    where tabs[index].dependsOnLengths(in: library) {
      tabs[index].lengthArrived(ofCount: library.loadedCount(of: tabs[index].content))
      if index != selection { tabs[index].collectNewLengths() }
    }
  }
}
