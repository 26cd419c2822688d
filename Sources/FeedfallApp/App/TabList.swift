import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import WaterfallEngine

/// The tabs: one for each source, preceded by the All tab if there are several sources, and followed by the views. The
/// tabs that the user or a live list has opened come last; closing one leaves the indices of the others unchanged. A
/// source that the user has opened and saved joins the All tab. That of a live list, which has no videos, is not shown.
///
/// The All tab and the views are updated only while they are selected, and while their next video is awaited.
struct TabList: Equatable, Sendable {
  private var tabs: [Tab]
  private(set) var selection = 0
  /// The tabs in the bar, in ascending order. An index stays valid: closing a tab only hides it.
  private(set) var visible: [Int]
  /// Those of several sources, in ascending order.
  private var mixedTabs: [Int]
  private let sourceCount: Int
  /// The tab of the first source.
  private let firstSource: Int
  private let startCount: Int
  /// The tabs of the sources that a live list has opened.
  private var listed: [SourceID: Int] = [:]
  /// Shown only while a record has a value in the field.
  private let recordTabs: [Int: UserField]
  /// Whether a source has a tab in the bar only while it is selected, and which one has.
  private let hidesSources: Bool
  private var shownSource: Int?
  /// The tabs of sources that `unwatched-only` leaves out of the bar. Those that the user has selected stay.
  private var leftOut: Set<Int> = []
  private var visited: Set<Int> = []
  private var countRevision = 0
  private(set) var commonLayout: LayoutKind
  private var emptySize: EmptySize?
  var hasPictures = false
  private let hidesWatched: Bool

  /// The size of the tabs without cards that are not selected.
  private struct EmptySize: Equatable {
    var (size, cellSize): (Size, Size)
    var tabCount: Int
  }

  /// `order` is that of the All tab.
  init(settings: AppSettings, order: CardOrder = .newest) {
    (commonLayout, hidesWatched) = (settings.layout, settings.hidesWatched)
    // A live list may open several sources.
    let hasAll = settings.sources.count > 1 || settings.sources.contains { $0.list != nil }
    let all = hasAll ? [Tab(.all, order: order, settings: settings)] : []
    let own = settings.sources.enumerated().map { number, source in
      Tab(.source(SourceID(number)), order: CardOrder(source.query.order) ?? .feed, settings: settings)
    }
    let groupOrder = CardOrder(settings.sources.first?.query.order) ?? .rank
    let group = settings.group.map { _ in [Tab(.group(0), order: groupOrder, settings: settings)] }
    let views = settings.allViews.enumerated().map { number, view in
      Tab(view, number: number, settings: settings)
    }
    // Appending would reserve room for thousands of others.
    var tabs: [Tab] = []
    tabs.reserveCapacity(1 + own.count + views.count)
    tabs += (group ?? all + own) + views
    self.tabs = tabs
    (sourceCount, firstSource, startCount) = (group == nil ? own.count : 0, all.count, tabs.count)
    mixedTabs = tabs.indices.filter { tabs[$0].content.source == nil }
    let firstView = startCount - views.count
    recordTabs = settings.allViews.enumerated().reduce(into: [:]) { $0[firstView + $1.offset] = $1.element.field }
    let hides = settings.hidesSourceTabs && group == nil && hasAll
    hidesSources = hides
    let hidden = Set((0..<sourceCount).filter { hides || settings.sources[$0].list != nil }.map { all.count + $0 })
    visible = (0..<startCount).dropLast(recordTabs.count).filter { !hidden.contains($0) }
    if settings.startsWithView, startCount > firstView { selection = firstView }
    if let place = settings.placeInSettings { selection = (place.isView ? firstView : all.count) + place.number }
    selected.cards.isShown = true
  }

  /// Call it after the widths of text have changed.
  mutating func updateCards(_ store: CardStore) {
    for index in tabs.indices { tabs[index].cards.updateCards(store) }
  }

  /// Whether the bar depends on the counts of the sources.
  var needsCounts: Bool { hidesWatched && !hidesSources && firstSource > 0 && sourceCount > 0 }
  /// Of the tabs in the bar, and of those that it leaves out.
  var openCount: Int { visible.count + leftOut.count }
  var openedCount: Int { visible.count { $0 >= startCount && !isListed($0) } }
  var isSelectedOpened: Bool { selection >= startCount && !isListed(selection) }

  /// Whether a live list has opened the source of a tab.
  private func isListed(_ index: Int) -> Bool { tabs[index].content.source.map { listed[$0] == index } == true }

  func isOpened(_ source: SourceID) -> Bool { index(of: source).map { $0 >= startCount } == true }

  var layout: LayoutKind { selected.layout ?? commonLayout }

  /// The selected tab stays visible.
  mutating func updateVisibility(_ records: UserData, _ counts: SourceCounts) {
    for (index, field) in recordTabs {
      let isVisible = index == selection || records.hasValues(of: field)
      // Compared first, because this runs after every event.
      guard isVisible != visible.contains(index) else { continue }
      if isVisible { visible = (visible + [index]).sorted() } else { visible.removeAll { $0 == index } }
    }
    if needsCounts { leaveOut(counts) }
    guard hidesSources else { return }
    let shown = sourceTabs.contains(selection) || isListed(selection) ? selection : nil
    guard shown != shownSource else { return }
    visible = (visible.filter { $0 != shownSource } + [shown].compactMap(\.self)).sorted()
    shownSource = shown
  }

  /// O(1) without a change.
  private mutating func leaveOut(_ counts: SourceCounts) {
    guard visited.insert(selection).inserted || counts.revision != countRevision else { return }
    countRevision = counts.revision
    var new: Set<Int> = []
    for number in 0..<sourceCount where counts[SourceID(number)]?.isDone == true { new.insert(firstSource + number) }
    for (source, index) in listed where counts[source]?.isDone == true { new.insert(index) }
    new.subtract(visited)
    guard new != leftOut else { return }
    visible = (visible.filter { !new.contains($0) } + leftOut.subtracting(new)).sorted()
    leftOut = new
  }

  var indices: Range<Int> { tabs.indices }

  /// Yields the tab in place, because changing a copy would copy its cards.
  subscript(index: Int) -> Tab {
    _read { yield tabs[index] }
    _modify { yield &tabs[index] }
  }

  var selected: Tab {
    _read { yield tabs[selection] }
    _modify { yield &tabs[selection] }
  }

  /// Nil for the videos that have left their feeds, and for a source of a group.
  func index(of source: SourceID) -> Int? {
    if source.number < sourceCount { return source.number + firstSource }
    return listed[source] ?? visible.last { tabs[$0].content == .source(source) }
  }

  func index(ofRecords field: UserField) -> Int? { recordTabs.first { $0.value == field }?.key }

  /// The tabs that show a source together with others. Each of them may show cards of records.
  private func mixed(with source: SourceID, _ library: Library) -> [Int] {
    mixedTabs.filter { library.mixes(source, in: tabs[$0].content) }
  }

  /// Those of the sources with which the program was started.
  private var sourceTabs: Range<Int> { firstSource..<firstSource + sourceCount }

  /// The tab of a source, or else that of its group.
  private func home(of source: SourceID, _ library: Library) -> Int? {
    index(of: source) ?? (source == .records ? nil : mixed(with: source, library).first)
  }

  /// Call it after a source has joined or left the tabs of several sources.
  mutating func invalidateMixed() {
    for index in mixedTabs where tabs[index].content.isOfJoined { tabs[index].query.invalidate() }
  }

  mutating func show(_ view: ViewSettings, number: Int, settings: AppSettings) -> Int {
    var tab = Tab(view, number: number, settings: settings)
    tab.query.invalidate()
    guard let index = tabs.indices.first(where: { tabs[$0].content == .view(number) }) else {
      return append(tab)
    }
    tabs[index].adopt(tab)
    return index
  }

  mutating func open(_ content: TabContent, order: CardOrder, settings: AppSettings) -> Int {
    append(Tab(content, order: order, settings: settings))
  }

  private mutating func append(_ tab: Tab) -> Int {
    let index = tabs.count
    tabs.append(tab)
    visible.append(index)
    if tab.content.source == nil { mixedTabs.append(index) }
    return index
  }

  /// Opens the tabs of sources of a live list, and selects none.
  mutating func open(listed sources: [SourceID], order: CardOrder, settings: AppSettings) {
    for source in sources {
      listed[source] = tabs.count
      if !hidesSources { visible.append(tabs.count) }
      tabs.append(Tab(.source(source), order: order, settings: settings))
    }
  }

  /// Closes the tabs of sources. If the selected one is among them, selects the one before, or All.
  mutating func close(_ sources: Set<SourceID>, settings: AppSettings) {
    let closed = Set(sources.compactMap { index(of: $0) })
    if closed.contains(selection) { _ = select(visible.last { $0 < selection && !closed.contains($0) } ?? 0) }
    visible.removeAll(where: closed.contains)
    // The next counts must not show them again.
    leftOut.subtract(closed)
    visited.formUnion(closed)
    for index in closed { tabs[index] = Tab(tabs[index].content, order: .feed, settings: settings) }
    for source in sources { listed[source] = nil }
  }

  mutating func closeSelected(settings: AppSettings) {
    let closed = selection
    let place = (visible.firstIndex(of: closed) ?? 0) - 1
    _ = select(visible.indices.contains(place) ? visible[place] : 0)
    visible.removeAll { $0 == closed }
    tabs[closed] = Tab(tabs[closed].content, order: .feed, settings: settings)
  }

  mutating func select(_ index: Int) -> Bool {
    guard tabs.indices.contains(index), index != selection else { return false }
    selected.cards.pull.cancel()
    selected.cards.isShown = false
    selected.collectNewLengths()
    selected.newsCount = 0
    if tabs[index].query.lateCount > 0 { tabs[index].query.invalidate() }
    tabs[index].query.endPageWait()
    selection = index
    selected.cards.isShown = true
    selected.newsCount = 0
    return true
  }

  mutating func changeLayout(by step: Int, _ store: CardStore) {
    let all = LayoutKind.allCases
    guard let index = all.firstIndex(of: layout) else { return }
    setLayout(all[(index + step + all.count) % all.count])
    selected.cards.switchLayout(to: layout, store)
  }

  mutating func setLayout(_ kind: LayoutKind) {
    if selected.layout == nil { commonLayout = kind } else { selected.layout = kind }
  }

  /// Each tab lays out its cards again before it is shown.
  mutating func setOptions(_ options: LayoutOptions) {
    for index in tabs.indices {
      tabs[index].cards.setOptions(options)
      tabs[index].query.invalidate(isRecordChange: true)
    }
  }

  /// O(tabs). By index, because iterating copies each tab.
  var hasFilter: Bool { tabs.indices.contains { tabs[$0].filter.isUsed } }

  /// The others are resized when they are selected.
  mutating func resize(to size: Size, emptyTabs whole: Size, cellSize: Size, _ store: CardStore) {
    selected.cards.resize(to: size, cellSize: cellSize, store)
    // Compared first, because this runs after every event.
    let empty = EmptySize(size: whole, cellSize: cellSize, tabCount: tabs.count)
    guard empty != emptySize else { return }
    emptySize = empty
    for index in tabs.indices where index != selection && tabs[index].cards.cards.isEmpty {
      tabs[index].cards.resize(to: whole, cellSize: cellSize, store)
    }
  }

  mutating func updateLayout(_ store: CardStore) {
    if selected.cards.kind != layout { selected.cards.switchLayout(to: layout, store) }
  }

  /// `key` is the only video whose record has changed, if there is one.
  mutating func invalidate(_ states: VideoStates, of key: VideoKey? = nil) {
    for index in tabs.indices where depends(index, on: states) {
      tabs[index].query.invalidate(isRecordChange: true, of: key)
    }
  }

  /// Call it if a page, which is shown next, has changed records of these sources. Tabs of several may wait for others.
  mutating func invalidate(_ states: VideoStates, ofPageFor sources: Set<SourceID>, _ library: Library) {
    for index in Set(sources.flatMap { tabsShowing($0, library) }) where depends(index, on: states) {
      if tabs[index].content.source == nil {
        tabs[index].query.invalidate(pagesOf: sources, isRecordChange: true)
      } else {
        tabs[index].query.invalidate(isRecordChange: true)
      }
    }
  }

  private func depends(_ index: Int, on states: VideoStates) -> Bool {
    hidesWatched && states.contains(.watched) || tabs[index].query.depends(on: states)
  }

  mutating func invalidateAll() {
    for index in tabs.indices { tabs[index].query.invalidate(isRecordChange: true) }
  }

  // MARK: - Pages

  func place(in source: SourceID, _ library: Library) -> PageArrival.KeptPlace {
    guard let index = home(of: source, library) else { return .start }
    let tab = tabs[index]
    return tab.isAtStart ? .start : .card(tab.cards.selectedCard(in: library.store)?.id)
  }

  /// Returns the message of the selected tab.
  mutating func update(
    _ change: PageArrival.Change, of source: SourceID, in library: Library, awaitsOtherRefreshes: Bool, _ words: Words
  ) -> String? {
    let own = index(of: source)
    let added = change.addedToList
    var message = own.flatMap { own in added.flatMap { report(news(among: $0, in: own, library).count, in: own) } }
    let slots: [CardSlot]
    switch change {
    case .kept:
      return shows(source, library)
        ? library.naming(selected.content.source == nil ? source : nil, words.emptySource) : nil
    case .appended(let new):
      if let own {
        tabs[own].append(new, of: source, in: library)
        tabs[own].pageArrived(new, in: library)
      }
      for index in mixed(with: source, library) {
        tabs[index].query.append(new, of: source, in: library)
        // Other tabs did not request the page.
        if index == selection { tabs[index].pageArrived(new, in: library) }
      }
      updateTwins(of: new, of: source, library)
      return nil
    case .grown(let new):
      if new.isEmpty { return nil }
      slots = new
      if let own { tabs[own].append(new, of: source, in: library) }
    case .replaced(let list, _), .merged(let list, _):
      slots = list
      if let own {
        tabs[own].query.invalidate()
        // A hidden tab collects its cards when it is needed, because further pages may arrive first.
        let isHidden = own != selection && (added == nil || tabs[own].cards.cards.isEmpty)
        if !isHidden { tabs[own].collect(from: library, forNewList: change.replacesList) }
      }
    case .joined(let list, let new):
      slots = list
      if let own { tabs[own].insertFirstPage(list, added: new, of: source, replacesList: false, library) }
    case .repeated(let list, let replacesList):
      slots = list
      if let own, own == selection {
        tabs[own].query.invalidate()
        tabs[own].collect(from: library, forNewList: replacesList)
      }
    }
    for index in mixed(with: source, library) {
      guard let newCount = insertFirstPage(slots, change, of: source, intoMixed: index, library) else { continue }
      tabs[index].newsCount += newCount
      let sum = tabs[index].newsCount
      if selection == index, sum > 0 || !awaitsOtherRefreshes { message = Words.news(sum) }
    }
    updateTwins(of: added ?? slots, of: source, library)
    return message
  }

  /// Downloaded files are no news.
  private func news(among added: [CardSlot], in index: Int, _ library: Library) -> [CardSlot] {
    tabs[index].query.included(added.filter { !library.store.isCopy($0) }, in: library)
  }

  private mutating func report(_ newCount: Int, in index: Int) -> String? {
    if index == selection { return Words.news(newCount) }
    tabs[index].newsCount += newCount
    return nil
  }

  /// A card may replace another of the same video.
  private mutating func updateTwins(of slots: [CardSlot], of source: SourceID, _ library: Library) {
    guard library.store.hasTwins else { return }
    let twins = Set(slots.lazy.flatMap { library.store.listedTwins(of: $0) })
    guard !twins.isEmpty else { return }
    for index in mixed(with: source, library) {
      for twin in twins { tabs[index].cards.updateCard(twin) }
      let pending = Set(tabs[index].query.pending)
      let present = twins.filter { tabs[index].cards.cards.contains($0) || pending.contains($0) }
      if tabs[index].query.included(Array(present), in: library).count < present.count {
        tabs[index].query.invalidate()
      }
    }
  }

  private func tabsShowing(_ source: SourceID, _ library: Library) -> [Int] {
    [index(of: source)].compactMap(\.self) + mixed(with: source, library)
  }

  private func shows(_ source: SourceID, _ library: Library) -> Bool {
    selection == index(of: source) || mixed(with: source, library).contains(selection)
  }

  /// At the top of the tab, all cards are sorted again; if the user has scrolled down or reads a card, new ones are
  /// inserted above, or wait. Returns the number of new ones; nil if there is no news, as of a source without cards.
  private mutating func insertFirstPage(
    _ slots: [CardSlot], _ change: PageArrival.Change, of source: SourceID, intoMixed index: Int, _ library: Library
  ) -> Int? {
    let (added, replacesList) = (change.addedToList ?? slots, change.replacesList)
    // Videos of records are no news, nor are those that another source lists.
    let countsNewVideos = change.addedToList != nil && library.requiredField(of: tabs[index].content) == nil
    let hasTwins = library.store.hasTwins
    let own = hasTwins ? Set(added) : []
    let newCount =
      countsNewVideos
      ? news(among: added, in: index, library).count { library.shownTwins(of: $0).allSatisfy(own.contains) } : nil
    let isAhead = library[source].hasMore && tabs[index].query.isAhead(of: source)
    if case .repeated = change, !isAhead { return newCount }
    // Cards that leave the list may have stood for those of other sources.
    if tabs[index].query.isStale || tabs[index].isOpenAbove || (replacesList && hasTwins) {
      tabs[index].query.invalidate(pagesOf: [source])
      return newCount
    }
    tabs[index].cards.updateCards(library.store)
    tabs[index].insertFirstPage(slots, added: added, of: source, replacesList: replacesList, library)
    return newCount
  }

  /// Those that the tabs show or hold back, or select again after a change of a filter. O(n).
  var usedSlots: Set<CardSlot> {
    tabs.reduce(into: []) { used, tab in
      used.formUnion(tab.cards.cards.slots + tab.query.pending)
      used.formUnion([tab.filter.origin, tab.cards.searchOrigin].compactMap(\.self))
    }
  }

  mutating func update(_ index: Int, _ library: Library) {
    // Compared first, because this runs after every event.
    let content = tabs[index].content
    if !content.isOfJoined {
      let header = library.collectionHeader(of: content, withPicture: hasPictures)
      if tabs[index].cards.layout.header != header { tabs[index].cards.setHeader(header) }
    }
    let names = library.sourceNames(in: content)
    if tabs[index].cards.sourceNames != names {
      tabs[index].cards.sourceNames = names
      tabs[index].query.namesChanged()
    }
    if tabs[index].isDue(in: library) {
      tabs[index].collect(from: library)
    } else if !tabs[index].query.isStale {
      tabs[index].release(library)
    }
  }

  func continuing(in library: Library) -> [SourceID] {
    if let source = selected.content.source { return [source] }
    // A source whose first page is still waiting continues after it.
    let content = selected.content
    return (selected.query.holders(among: library.continuing(content)) + library.failedContinuing(content))
      .filter { !library.waiting.contains($0) }
  }

  mutating func updateCard(_ id: CardID, in library: Library) {
    guard let slot = library.store.slot(of: id) else { return }
    for index in tabsShowing(id.source, library) {
      tabs[index].cards.updateCard(slot)
      tabs[index].query.factsChanged(of: id.source)
    }
  }

  mutating func coverSizeArrived(_ slot: CardSlot, of source: SourceID, in library: Library) {
    for index in tabsShowing(source, library) { tabs[index].cards.coverSizeArrived(slot) }
  }

  mutating func updateLength(of id: CardID, in library: Library) {
    updateCard(id, in: library)
    for index in tabsShowing(id.source, library)
    where tabs[index].dependsOnLengths(in: library) {
      tabs[index].lengthArrived(ofCount: library.loadedCount(of: tabs[index].content))
      if index != selection { tabs[index].collectNewLengths() }
    }
  }
}
