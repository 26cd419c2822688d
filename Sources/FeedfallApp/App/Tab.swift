import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import WaterfallEngine

enum TabContent: Equatable, Sendable {
  case all
  case source(SourceID)
  /// The videos of the sources of the group with this number, from 0.
  case group(Int)
  /// The videos of all sources that the view with this number includes, from 0.
  case view(Int)

  var source: SourceID? { if case .source(let source) = self { source } else { nil } }

  /// Whether it shows the sources of the All tab.
  var isOfJoined: Bool {
    switch self {
    case .all, .view: true
    case .source, .group: false
    }
  }
}

struct Tab: Equatable, Sendable {
  var query: CardQuery
  /// Not chosen by the user.
  private var ownFilter: Filter
  private var ownOrder: CardOrder
  /// Nil for that of the other tabs.
  var layout: LayoutKind?
  private var chosenOrder: CardOrder?
  private(set) var filter = TabFilter()
  var cards: CardsScreen
  /// Its card leaves a filter that excludes it only once the pane is closed.
  var details: DetailsScreen? {
    didSet { if details == nil { query.releaseKept() } }
  }
  /// The open prompt for a link of the selected card's description.
  var links: LinkPrompt?
  var newsCount = 0
  /// The place at which the tab was opened.
  var origin: Origin?
  private var fill = WindowFill()
  /// The number of lengths that have arrived since the cards were collected for them.
  private var newLengthCount = 0

  struct Origin: Equatable, Sendable {
    let tab: Int
    /// Nil if the tab had no cards.
    let card: CardID?
  }

  var content: TabContent { query.content }

  /// Whether the details or a prompt are open, so that the selected card must stay selected.
  var isCardRead: Bool { details != nil || hasPrompt }

  // Not inlined: they are read after every event, and inlined code would copy the tab.
  @inline(never) var openPrompt: OpenPrompt? {
    filter.hasPrompt ? .filter : cards.hasPrompt ? .search : links == nil ? nil : .links
  }

  var hasPrompt: Bool { openPrompt != nil }

  var prompt: Prompt? { filter.prompt ?? cards.prompt }

  /// The order, unless it is the feed's or the text of the filter names it.
  @inline(never) var orderName: String? {
    let isInText = chosenOrder == nil && filter.query.order != nil
    let isOfRecords = query.order == ownOrder && ownFilter.requiredField != nil
    return query.order.isDelivered || isInText || isOfRecords
      ? nil : query.order.name(isSource: !cards.sourceNames.isEmpty)
  }

  /// The groups of one source do not divide the videos of several, nor those in another order.
  private var hasFeedGroups: Bool { content.source != nil && query.order.isDelivered }

  @inline(never) func isFiltered(in library: Library) -> Bool {
    !query.filter.isEmpty || library.hidesWatched && library.requiredField(of: content) == nil
      || hasSource(in: library, where: \.hasFilter)
  }

  @inline(never) func dependsOnLengths(in library: Library) -> Bool {
    query.dependsOnLengths || hasSource(in: library, where: \.dependsOnLength)
  }

  /// No source filter applies in a tab of records.
  private func hasSource(in library: Library, where isMatch: (SourceStatus) -> Bool) -> Bool {
    library.requiredField(of: content) == nil && library.sources(of: content).contains(where: isMatch)
  }

  var insertsAbove: Bool { cards.isGathered || !query.order.isDelivered }

  /// Asks for more cards near the end of the shortest column, without the debounce if it ends within the window, until
  /// pages no longer extend that column.
  mutating func demand(readAheadCount: Int, afterInput isAfterInput: Bool, loadedCount: Int) -> FeedLoader.Event? {
    let length = cards.layout.filledLength
    fill.update(
      length: length, in: cards.viewport, shownCount: cards.cards.count, loadedCount: loadedCount,
      afterInput: isAfterInput)
    let remaining = length - (cards.offset + cards.layout.viewportLength)
    // The cards of a page may all go above the view: without input, page after page would follow.
    if insertsAbove, !isAfterInput, remaining >= 0 || !cards.isAtTop { return nil }
    if fill.vainPageCount < cards.layout.maximumRowCount {
      // While a filter is typed, its text may be unfinished.
      if remaining < 0, !fill.isSearching, !hasPrompt { return .windowNotFull }
      if remaining < cards.layout.viewportLength { return .endReached }
    }
    return readAheadCount > 0 && cards.remainingCount < readAheadCount ? .endReached : nil
  }

  var isAtStart: Bool { !isCardRead && cards.isAtTop && (cards.selection ?? 0) == 0 }

  init(_ content: TabContent, filter: Filter = .everything, order: CardOrder, settings: AppSettings) {
    query = CardQuery(content, filter: filter, order: order)
    (ownFilter, ownOrder) = (filter, order)
    cards = CardsScreen(kind: settings.layout, options: settings.layoutOptions)
    cards.setFeedGroups(hasFeedGroups)
    // No page needs to arrive for a tab of records.
    if !order.isDelivered { query.invalidate() }
  }

  init(_ view: ViewSettings, number: Int, settings: AppSettings) {
    self.init(.view(number), filter: view.query.filter, order: CardOrder(of: view.query), settings: settings)
    layout = view.layout
  }

  mutating func adopt(_ other: Tab) {
    (ownFilter, ownOrder, layout, chosenOrder) = (other.ownFilter, other.ownOrder, other.layout, nil)
    filter = TabFilter()
    query = other.query
  }

  /// Nil for that of views without a named one.
  var shownOrder: VideoOrder? { query.order == .newest ? nil : query.order.videoOrder }

  mutating func append(_ slots: [CardSlot], of source: SourceID, in library: Library) {
    query.append(slots, of: source, in: library)
    release(library)
  }

  mutating func insertFirstPage(
    _ slots: [CardSlot], added: [CardSlot], of source: SourceID, replacesList: Bool, _ library: Library
  ) {
    let first = cards.cards.isEmpty ? nil : cards.cards[0]
    let change = query.insertFirstPage(
      slots, added: added, of: source, replacesList: replacesList, above: first, in: library)
    if let change { apply(change, library.store) }
  }

  /// A late card waits for its place among the shown ones.
  mutating func collectLate(_ library: Library) { if query.lateCount > 0 { collect(from: library) } }

  /// Whether the cards must be collected from the sources before the tab is shown. Pages that have arrived wait for
  /// others only while the start of the tab is shown.
  func isDue(in library: Library) -> Bool {
    query.isDue(in: library) || (isOpenAbove ? query.lateCount > 0 : query.isStale)
  }

  var isOpenAbove: Bool { cards.isAtTop && !isCardRead }

  /// The view moves with a selected card that the user reads, and with one that the user has selected if new cards may
  /// be anywhere among the others. `isListNew`: whether a refresh has replaced the list.
  mutating func collect(from library: Library, forNewList isListNew: Bool = false) {
    if !isListNew, removeChanged(in: library) { return }
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
    // Another source may list the video now.
    var twin: CardSlot?
    if query.kept == nil, case .replace(let slots) = change { twin = twinOfSelection(in: slots, library) }
    apply(change, following: isSelectionFollowed, preferring: twin, forNewList: isListNew, library.store)
  }

  /// Removes the cards of a video if only its record has changed, so that the filter excludes them: collecting all
  /// cards would take longer than all the rest. Returns false if they must be collected. O(count).
  private mutating func removeChanged(in library: Library) -> Bool {
    guard let key = query.changedKey, query.order.isDelivered, details == nil, query.kept == nil,
      !library.store.hasTwins, library.requiredField(of: content) == nil
    else { return false }
    let changed = cards.cards.slots.filter { library.store[$0].key == key }
    guard !changed.isEmpty, query.included(changed, in: library).isEmpty else { return false }
    query.settle(without: changed)
    let slots = cards.cards.slots.filter { !changed.contains($0) }
    cards.replace(with: slots, following: isCardRead, forNewList: false, library.store)
    return true
  }

  /// The card with which a tab of several sources replaces the selected one, because it shows the same video. O(n).
  private func twinOfSelection(in slots: [CardSlot], _ library: Library) -> CardSlot? {
    guard let selected = cards.selection.map({ cards.cards[$0] }) else { return nil }
    guard library.requiredField(of: content) != nil else {
      let twins = library.store.listedTwins(of: selected)
      return twins.isEmpty || slots.contains(selected) ? nil : slots.first(where: twins.contains)
    }
    let key = library.store[selected].key
    return slots.first { library.store[$0].key == key }.flatMap { $0 == selected ? nil : $0 }
  }

  // MARK: - Lengths

  /// Counts a length, and collects the cards for a thousandth of all at once: for each one, n lengths would take O(n²).
  mutating func lengthArrived(ofCount loadedCount: Int) {
    newLengthCount += 1
    if newLengthCount * Self.maximumCollectionCount >= loadedCount { collectNewLengths() }
  }

  mutating func collectNewLengths() {
    guard newLengthCount > 0 else { return }
    newLengthCount = 0
    query.invalidate()
  }

  private static let maximumCollectionCount = 1_000

  // MARK: - Filter and order

  mutating func sort(by column: CardOrder.Column, _ library: Library) {
    choose(query.order.next(for: column), library)
  }

  /// Nil for the tab's own order. It replaces one in the text of the filter.
  private mutating func choose(_ order: CardOrder?, _ library: Library) {
    let isInText = filter.query.order != nil && (order == nil || order?.videoOrder != nil)
    chosenOrder = isInText ? nil : order
    if filter.query.order != nil { filter.setOrder(order?.videoOrder ?? .feed) }
    updateQuery(library)
  }

  mutating func chooseNextOrder(_ library: Library) -> String {
    let (order, name) = query.order.next(own: ownOrder)
    choose(order == ownOrder ? nil : order, library)
    return name
  }

  mutating func setFilter(_ new: TabFilter, _ library: Library) {
    let (before, origin) = (filter.query, filter.origin)
    filter = new
    guard filter.query != before else { return }
    filter.searchedPageCount = 0
    // An order in the text replaces a chosen one, until that is chosen again.
    if filter.query.order != before.order { chosenOrder = nil }
    updateQuery(library, preferring: origin)
  }

  mutating func beginFilter(_ history: Prompt.History) {
    filter.begin(at: cards.selection.map { cards.cards[$0] }, history)
  }

  mutating func searchOn() { filter.searchedPageCount = 0 }

  mutating func pageArrived(_ slots: [CardSlot], in library: Library) {
    guard isFiltered(in: library) else { return }
    filter.searchedPageCount = query.included(slots, in: library).isEmpty ? filter.searchedPageCount + 1 : 0
  }

  /// Selects the `preferred` card, or else the selected one, or the nearest one.
  private mutating func updateQuery(_ library: Library, preferring preferred: CardSlot? = nil) {
    let order = chosenOrder ?? CardOrder(filter.query.order) ?? ownOrder
    let wanted = ownFilter.and(filter.query.filter)
    var change: CardQuery.Change?
    if order == query.order {
      change = query.setFilter(wanted, shown: cards.cards.slots, in: library)
    } else {
      change = query.setOrder(order, wanted, in: library)
      cards.setFeedGroups(hasFeedGroups)
    }
    guard case .replace(let slots) = change else { return }
    let isOfRecords = library.requiredField(of: content) != nil
    let target = preferred ?? (isOfRecords ? nil : twinOfSelection(in: slots, library))
    cards.replace(
      with: slots, following: isCardRead || cards.isMoved, preferring: target, forNewList: false, library.store)
  }

  mutating func release(_ library: Library) {
    let content = content
    if let change = query.release(whileContinuing: library.continuing(content)) { apply(change, library.store) }
  }

  private mutating func apply(
    _ change: CardQuery.Change, following isSelectionFollowed: Bool = false, preferring preferred: CardSlot? = nil,
    forNewList isListNew: Bool = false, _ store: CardStore
  ) {
    switch change {
    case .append(let slots): cards.append(slots, store)
    case .prepend(let slots): cards.prepend(slots, store)
    case .replace(let slots):
      cards.replace(
        with: slots, following: isSelectionFollowed, preferring: preferred, forNewList: isListNew, store)
    }
  }
}

extension Tab {
  /// Counts the pages that a tab requests in vain to fill its window.
  /// A column may stay empty whatever is loaded, for example beside cards that span all others. So the requests end
  /// once as many pages as there are columns have added cards without extending the shortest column.
  struct WindowFill: Equatable, Sendable {
    private var viewport = Size.zero
    private var (shownCount, loadedCount) = (0, 0)
    /// The greatest length since the last input.
    private var length = 0
    /// The pages with cards since the last input or growth of `length`.
    private(set) var vainPageCount = 0
    /// Whether the last page had no card that the tab shows yet. The next page can wait for the debounce.
    private(set) var isSearching = false

    /// Call it after each event. `length` is the `filledLength` of the layout; `loadedCount` ignores filters.
    mutating func update(
      length: Int, in viewport: Size, shownCount: Int, loadedCount: Int, afterInput isAfterInput: Bool
    ) {
      let isAnew = isAfterInput || viewport != self.viewport || shownCount < self.shownCount
      let hasNewCards = shownCount > self.shownCount
      if isAnew || length > self.length {
        (vainPageCount, self.length) = (0, length)
      } else if hasNewCards {
        vainPageCount += 1
      }
      if isAnew || hasNewCards {
        isSearching = false
      } else if loadedCount > self.loadedCount {
        isSearching = true
      }
      (self.viewport, self.shownCount, self.loadedCount) = (viewport, shownCount, loadedCount)
    }
  }
}
