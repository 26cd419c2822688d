import FeedfallFeeds
import FeedfallLoading
import FeedfallScreen
import WaterfallEngine

/// One tab: its cards, and the details if they are open.
struct Tab: Sendable {
  fileprivate(set) var query: CardQuery
  /// The order that is not chosen by the user.
  private let ownOrder: CardOrder
  var cards: CardsScreen
  /// The open details pane.
  var details: DetailsScreen?
  /// The number of videos that refreshes have added since the tab was shown.
  var newsCount = 0

  var content: TabContent { query.content }

  /// Whether the details or the search prompt are open, so that the selected card must stay selected.
  var isCardRead: Bool { details != nil || cards.prompt != nil }

  /// Whether the cards of a further page may go above others.
  var insertsAbove: Bool { cards.isGathered || query.order.column != nil }

  /// Whether the view is at its start, with the first card selected.
  var isAtStart: Bool { !isCardRead && cards.isAtTop && (cards.selection ?? 0) == 0 }

  init(_ content: TabContent, order: CardOrder, settings: AppSettings) {
    query = CardQuery(content, order: order)
    ownOrder = order
    cards = CardsScreen(kind: settings.layout, options: settings.layoutOptions)
  }

  fileprivate mutating func append(_ slots: [CardSlot], of source: SourceID, in library: Library) {
    query.append(slots, of: source, in: library.store)
    release(library)
  }

  /// Returns the number of cards inserted above the others.
  fileprivate mutating func insertFirstPage(
    _ slots: [CardSlot], added: [CardSlot], of source: SourceID, replacesList: Bool, _ store: CardStore
  ) -> Int {
    query.insertFirstPage(slots, added: added, of: source, replacesList: replacesList, in: store)
      .map { apply($0, store) } ?? 0
  }

  /// Collects the cards again. The view moves with a selected card that the user reads, and with one that the user has
  /// selected if new cards may be anywhere among the others. `isListNew`: whether a refresh has replaced the list.
  fileprivate mutating func collect(from library: Library, forNewList isListNew: Bool = false) {
    let isSelectionFollowed = isCardRead || (cards.isMoved && !query.order.isDelivered)
    _ = apply(query.collect(from: library), following: isSelectionFollowed, forNewList: isListNew, library.store)
  }

  /// Sorts by a column, in the opposite direction the second time and no more the third time.
  fileprivate mutating func sort(by column: CardColumn, _ library: Library) {
    let order = query.order.next(for: column) ?? ownOrder
    query = CardQuery(content, order: order)
    cards.setSorted(order.column != nil)
    _ = apply(query.collect(from: library), following: isCardRead || cards.isMoved, library.store)
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

/// The tabs: one for each source, preceded by the All tab if there are several sources.
///
/// The All tab is updated only while it is selected, and while its next video is awaited.
struct TabList: Sendable {
  private var tabs: [Tab]
  private(set) var selection = 0
  /// The layout of all tabs.
  private(set) var layout: LayoutKind
  /// Whether covers are shown as pictures.
  var hasPictures = false

  private static let all = 0
  private var hasAll: Bool { tabs.count > 1 }

  /// `order` is that of the All tab.
  init(settings: AppSettings, order: CardOrder = .newest) {
    layout = settings.layout
    let all = settings.sources.count > 1 ? [Tab(.all, order: order, settings: settings)] : []
    tabs = all + settings.sources.indices.map { Tab(.source(SourceID($0)), order: .feed, settings: settings) }
  }

  var count: Int { tabs.count }
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

  func index(of source: SourceID) -> Int { source.number + (hasAll ? 1 : 0) }

  /// Selects a tab; returns whether the selection has changed.
  mutating func select(_ index: Int) -> Bool {
    guard tabs.indices.contains(index), index != selection else { return false }
    selected.cards.cancelPull()
    selected.cards.endGlide()
    selected.newsCount = 0
    selection = index
    selected.newsCount = 0
    return true
  }

  mutating func changeLayout(by step: Int, _ store: CardStore) {
    let all = LayoutKind.allCases
    guard let index = all.firstIndex(of: layout) else { return }
    layout = all[(index + step + all.count) % all.count]
    selected.cards.switchLayout(to: layout, store)
  }

  mutating func sort(by column: CardColumn, _ library: Library) { selected.sort(by: column, library) }

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

  /// Collects the cards of each tab again before it is shown.
  mutating func invalidate() {
    for index in tabs.indices { tabs[index].query.invalidate() }
  }

  // MARK: - Pages

  /// The place that a refresh keeps in a source's tab.
  func place(in source: SourceID, _ store: CardStore) -> RefreshPlace {
    let tab = tabs[index(of: source)]
    return tab.isAtStart ? .start : .card(tab.cards.selectedCard(in: store)?.id)
  }

  /// Updates the tabs that show a source. Returns a message about new videos, if any.
  mutating func update(
    _ change: SourceChange, of source: SourceID, in library: Library, awaitsOtherRefreshes: Bool
  ) -> String? {
    let own = index(of: source)
    switch change {
    case .appended(let slots):
      tabs[own].append(slots, of: source, in: library)
      if hasAll { tabs[Self.all].query.append(slots, of: source, in: library.store) }
      return nil
    case .replaced(let slots, let added), .merged(let slots, added: let added as [CardSlot]?):
      let newCount = added.map { tabs[own].query.included($0, in: library.store).count }
      let message = newCount.flatMap { report($0, in: own) }
      tabs[own].collect(from: library, forNewList: change.replacesList)
      return updateAll(
        slots, added: added ?? slots, of: source, replacesList: change.replacesList, newCount: newCount, library,
        awaitsOtherRefreshes: awaitsOtherRefreshes) ?? message
    case .joined(let slots, let added):
      let newCount = tabs[own].query.included(added, in: library.store).count
      let message = report(newCount, in: own)
      _ = tabs[own].insertFirstPage(slots, added: added, of: source, replacesList: false, library.store)
      return updateAll(
        slots, added: added, of: source, replacesList: false, newCount: newCount, library,
        awaitsOtherRefreshes: awaitsOtherRefreshes) ?? message
    }
  }

  private mutating func report(_ newCount: Int, in index: Int) -> String? {
    if index == selection { return NewsWords.text(newCount) }
    tabs[index].newsCount += newCount
    return nil
  }

  /// Inserts a first page into the All tab. At its top, all cards are sorted again; if the user has scrolled down or
  /// reads a card, new cards are inserted above. `newCount` is nil if the source had no cards before.
  private mutating func updateAll(
    _ slots: [CardSlot], added: [CardSlot], of source: SourceID, replacesList: Bool, newCount: Int?,
    _ library: Library, awaitsOtherRefreshes: Bool
  ) -> String? {
    guard hasAll else { return nil }
    var newCount = newCount
    if tabs[Self.all].query.isStale || (tabs[Self.all].cards.isAtTop && !tabs[Self.all].isCardRead) {
      tabs[Self.all].query.invalidate()
    } else {
      tabs[Self.all].cards.updateCards(library.store)
      let count = tabs[Self.all].insertFirstPage(
        slots, added: added, of: source, replacesList: replacesList, library.store)
      if newCount == nil, count > 0 { newCount = count }
    }
    guard let newCount else { return nil }
    tabs[Self.all].newsCount += newCount
    let sum = tabs[Self.all].newsCount
    return selection == Self.all && (sum > 0 || !awaitsOtherRefreshes) ? NewsWords.text(sum) : nil
  }

  /// The cards that the tabs show or hold back. O(n).
  var usedSlots: Set<CardSlot> {
    tabs.reduce(into: []) { $0.formUnion($1.cards.cards.slots + $1.query.pending) }
  }

  /// Updates a tab: releases the cards that no longer need to be held back.
  mutating func update(_ index: Int, _ library: Library) {
    // Compared first, because this runs after every event.
    switch tabs[index].content {
    case .source(let source):
      let header = library[source].collectionHeader(withPicture: hasPictures)
      if tabs[index].cards.layout.header != header { tabs[index].cards.setHeader(header, library.store) }
    case .all:
      let names = library.sources.lazy.map(\.name)
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
    case .all:
      // A source whose first page is still waiting continues after it.
      (selected.query.holders(among: library.continuing) + library.failedContinuing)
        .filter { !library.waiting.contains($0) }
    }
  }

  /// Updates a card whose video has been completed.
  mutating func updateCard(_ id: CardID, _ store: CardStore) {
    guard let slot = store.slot(of: id) else { return }
    tabs[index(of: id.source)].cards.updateCard(slot)
    if hasAll { tabs[Self.all].cards.updateCard(slot) }
  }

  // MARK: - Tab bar

  func bar(_ library: Library, spinner: String) -> TabBar {
    let items = tabs.indices.map { index in
      let newsCount = index == selection ? 0 : tabs[index].newsCount
      switch tabs[index].content {
      case .all: return TabBar.Item(name: TabBar.allName, newsCount: newsCount)
      case .source(let source):
        let feed = library[source]
        return TabBar.Item(
          name: feed.name, newsCount: newsCount, hasFailed: feed.hasFailed, spinner: feed.isLoading ? spinner : nil)
      }
    }
    return TabBar(items: items, selection: selection)
  }
}
