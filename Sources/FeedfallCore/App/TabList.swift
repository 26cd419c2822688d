import FeedfallFeeds
import FeedfallLoading
import FeedfallScreen
import WaterfallEngine

/// One tab: its cards, and the details if they are open.
struct Tab: Sendable {
  fileprivate(set) var query: CardQuery
  var cards: CardsScreen
  /// The open details pane.
  var details: DetailsScreen?
  /// The number of videos that refreshes have added since the tab was shown.
  var newsCount = 0

  var content: TabContent { query.content }

  /// Whether the user looks at one card, in the details or as a match, and not only at its place.
  var isCardRead: Bool { details != nil || cards.prompt != nil }

  /// Whether the view is at its start, with the first card selected.
  var isAtStart: Bool { !isCardRead && cards.isAtTop && (cards.selection ?? 0) == 0 }

  init(_ content: TabContent, settings: AppSettings) {
    query = CardQuery(content, order: content == .all ? .newest : .feed)
    cards = CardsScreen(kind: settings.layout, options: settings.layoutOptions)
  }
}

/// The tabs: one for each source, and before them one for all if there are several sources.
///
/// The tab of all sources is brought up to date only while it is selected.
struct TabList: Sendable {
  private var tabs: [Tab]
  private(set) var selection = 0
  /// The layout of all tabs.
  private(set) var layout: LayoutKind

  private static let all = 0
  private var hasAll: Bool { tabs.count > 1 }

  init(settings: AppSettings) {
    layout = settings.layout
    let all = settings.sources.count > 1 ? [Tab(.all, settings: settings)] : []
    tabs = all + settings.sources.indices.map { Tab(.source(SourceID($0)), settings: settings) }
  }

  var count: Int { tabs.count }
  var indices: Range<Int> { tabs.indices }

  /// The tab at an index, borrowed: copying one would copy its cards with the next change.
  subscript(index: Int) -> Tab {
    _read { yield tabs[index] }
    _modify { yield &tabs[index] }
  }

  var selected: Tab {
    _read { yield tabs[selection] }
    _modify { yield &tabs[selection] }
  }

  func index(of source: SourceID) -> Int { source.number + (hasAll ? 1 : 0) }

  /// Returns whether another tab is selected now.
  mutating func select(_ index: Int) -> Bool {
    guard tabs.indices.contains(index), index != selection else { return false }
    selected.cards.cancelPull()
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

  // MARK: - Pages

  /// Inserts a page into the tab of its source, and into that of all. The message is about the new videos.
  mutating func insert(
    _ arrival: PageArrival, _ store: inout CardStore, awaitsOtherRefreshes: Bool
  ) -> (Library.Insertion, message: String?) {
    let index = index(of: arrival.source)
    switch arrival.purpose {
    case .cached where tabs[index].cards.cards.isEmpty:
      let slots = store.insert(arrival.cards) { _ in false }
      _ = appendIncluded(slots, to: index, store)
      let message = merge(
        slots, of: arrival.source, replacesAll: true, newCount: nil, store, awaitsOtherRefreshes: awaitsOtherRefreshes)
      return (.inserted(slots.count), message)
    case .cached, .append:
      let slots = store.insert(arrival.cards, unless: tabs[index].cards.cards.contains)
      let count = appendIncluded(slots, to: index, store)
      if hasAll { tabs[Self.all].query.append(slots, of: arrival.source, in: store) }
      return (.inserted(count), nil)
    case .replace: return refresh(with: arrival, &store, awaitsOtherRefreshes: awaitsOtherRefreshes)
    }
  }

  private mutating func appendIncluded(_ slots: [CardSlot], to index: Int, _ store: CardStore) -> Int {
    tabs[index].cards.append(tabs[index].query.included(slots, in: store), store)
  }

  private mutating func refresh(
    with arrival: PageArrival, _ store: inout CardStore, awaitsOtherRefreshes: Bool
  ) -> (Library.Insertion, message: String?) {
    let (index, cards) = (index(of: arrival.source), arrival.cards)
    var newCount: Int?
    var message: String?
    if !tabs[index].cards.cards.isEmpty, !cards.isEmpty {
      let list = tabs[index].cards.cards
      let count = Set(cards.map(\.id).filter { !(store.slot(of: $0).map(list.contains) ?? false) }).count
      if index == selection { message = NewsWords.text(count) } else { tabs[index].newsCount += count }
      newCount = count
    }
    let insertion: Library.Insertion
    let slots: [CardSlot]
    let isJoined = !tabs[index].isAtStart && tabs[index].cards.keepsPlace(with: cards, in: store)
    if isJoined {
      let added = store.insert(cards, unless: tabs[index].cards.cards.contains)
      _ = tabs[index].cards.prepend(tabs[index].query.included(added, in: store), store)
      slots = cards.compactMap { store.slot(of: $0.id) }
      insertion = .joined(newCount: newCount ?? 0)
    } else {
      if cards.isEmpty, arrival.page.next != nil { return (.inserted(0), message) }
      slots = store.insert(cards) { _ in false }
      let isRead = tabs[index].isCardRead
      let count = tabs[index].cards.replace(
        with: tabs[index].query.included(slots, in: store), following: isRead, store)
      insertion = .inserted(count)
    }
    if hasAll { tabs[Self.all].cards.updateCards() }
    let merged = merge(
      slots, of: arrival.source, replacesAll: !isJoined, newCount: newCount, store,
      awaitsOtherRefreshes: awaitsOtherRefreshes)
    return (insertion, merged ?? message)
  }

  /// Merges a first page into the tab of all. At its top, all cards are ordered anew; if the user has scrolled down or
  /// reads a card, new cards are inserted above. `newCount` is nil if the source had no cards before.
  private mutating func merge(
    _ slots: [CardSlot], of source: SourceID, replacesAll: Bool, newCount: Int?, _ store: CardStore,
    awaitsOtherRefreshes: Bool
  ) -> String? {
    guard hasAll else { return nil }
    var newCount = newCount
    if tabs[Self.all].query.isStale || (tabs[Self.all].cards.isAtTop && !tabs[Self.all].isCardRead) {
      tabs[Self.all].query.invalidate()
    } else {
      let above = tabs[Self.all].query.insertFirstPage(slots, of: source, replacesAll: replacesAll, in: store)
      let count = tabs[Self.all].cards.prepend(above, store)
      if newCount == nil, count > 0 { newCount = count }
    }
    guard let newCount else { return nil }
    tabs[Self.all].newsCount += newCount
    let sum = tabs[Self.all].newsCount
    return selection == Self.all && (sum > 0 || !awaitsOtherRefreshes) ? NewsWords.text(sum) : nil
  }

  /// Updates the selected tab if it is that of all: shows the cards that may be shown by now.
  mutating func showMerged(_ library: Library) {
    guard hasAll, selection == Self.all else { return }
    // Compared first, because this runs after every event.
    let names = library.sources.lazy.map(\.name)
    if !selected.cards.sourceNames.elementsEqual(names) { selected.cards.sourceNames = Array(names) }
    if selected.query.isStale {
      let lists = library.sources.map { (source: $0.id, slots: tabs[index(of: $0.id)].cards.cards.slots) }
      selected.query.collect(lists, in: library.store)
    }
    let change = selected.query.release(whileContinuing: library.continuing)
    switch change {
    case .replace(let slots): _ = selected.cards.replace(with: slots, library.store)
    case .append(let slots): _ = selected.cards.append(slots, library.store)
    case nil: break
    }
  }

  /// The sources whose next pages the selected tab needs.
  func continuing(in library: Library) -> [SourceID] {
    switch selected.content {
    case .source(let source): [source]
    case .all:
      // Sources whose first page is still to be requested continue after that.
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
