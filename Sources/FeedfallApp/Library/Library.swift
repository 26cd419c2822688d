import FeedfallFeeds
import FeedfallRecords
import FeedfallText

struct Library: Equatable, Sendable {
  private static let spareCards = 1_000
  private static let refreshPause = Duration.seconds(1)
  /// With more sources, room is reserved for the usual number of cards of each one.
  private static let (fewSources, usualCardCount) = (100, 40)

  /// Those with which the program was started, then those that the user has opened.
  private(set) var sources: SourceTable
  /// Increases with every page, which may change the new cards of its source.
  private var pageCount = 0
  private(set) var joined: JoinedSources
  private(set) var groups: [SourceGroup]
  /// The number of sources that the user has closed. They stay in `sources`, without cards.
  private var closedCount = 0
  private(set) var views: [ViewSettings]
  /// Those of the sources.
  private(set) var scopes: Set<String> = []
  /// Whether a source has got another name.
  private var areNamesOutdated = false
  let shuffleSeed: UInt64
  /// The source of the cards of records whose videos have left their feeds. It has no pages.
  private let records: SourceState
  /// The cards of such videos for each view.
  private var restored: [Int: [CardSlot]] = [:]
  /// The keys of records whose facts memory does not hold: those to read, and those that were ever to be read.
  private var (lackingFacts, requestedFacts) = ([VideoKey](), Set<VideoKey>())
  /// The time before which relative dates of filters are.
  var now: UnixTime?
  var waiting = WaitingSources()
  /// The sources whose cached first pages have not been requested, the next one at the end.
  var recalled: [SourceID] = []
  var progress = RefreshProgress()
  var store = CardStore()
  /// Whether videos are hidden that were watched before the program was started.
  var hidesWatched = false
  private var tickets: TicketOffice

  /// - Parameter group: the name of the group of all sources; nil if each has a tab.
  init(
    settings: [SourceSettings], group: String? = nil, views: [ViewSettings] = [], shuffledBy shuffleSeed: UInt64 = 0
  ) {
    (self.views, self.shuffleSeed) = (views, shuffleSeed)
    joined = JoinedSources(0..<(group == nil ? settings.count : 0))
    // They have no videos.
    joined.remove(Set(settings.indices.lazy.filter { settings[$0].list != nil }.map(SourceID.init)))
    groups = group.map { [SourceGroup(name: $0, sources: JoinedSources(0..<settings.count))] } ?? []
    records = SourceState(id: .records, settings: SourceSettings(name: "", isLocal: true))
    sources = SourceTable(settings.enumerated().map { SourceState(id: SourceID($0), settings: $1) })
    // The numbers from 0 on belong to the ticket offices of the sources' loaders.
    tickets = TicketOffice(number: -1)
    if joined.areSeveral { store.findTwins() }
    if sources.count > Self.fewSources { store.reserveCapacity(sources.count * Self.usualCardCount) }
    updateScopes()
    distinguishNames()
  }

  private mutating func updateScopes() { scopes = Set(sources.indices.compactMap { sources[$0].scope }) }

  /// Once for all pages that arrive together.
  mutating func updateNames() { if areNamesOutdated { distinguishNames() } }

  private mutating func distinguishNames() {
    areNamesOutdated = false
    let open = sources.indices.filter { !sources[$0].isClosed && !sources[$0].settings.isGrouped }
    let distinctions = SourceNames.distinctions(of: open.map { (sources[$0].ownName, sources[$0].settings.address) })
    for (source, distinction) in zip(open, distinctions) where sources[source].distinction != distinction {
      sources[source].distinction = distinction
    }
    joined.updateNames(from: sources)
    for group in groups.indices { groups[group].sources.updateNames(from: sources) }
  }

  subscript(source: SourceID) -> SourceState {
    _read { if source == records.id { yield records } else { yield sources[source.number] } }
  }

  struct ListVersion: Equatable, Sendable {
    fileprivate var pageCount: Int
    fileprivate var sourceCount: Int
    fileprivate var closedCount: Int
    fileprivate var joinedRevision: Int
  }

  struct Version: Equatable, Sendable {
    fileprivate var lists: ListVersion
    fileprivate var cardRevision: Int
  }

  var listVersion: ListVersion {
    ListVersion(
      pageCount: pageCount, sourceCount: sources.count, closedCount: closedCount, joinedRevision: joined.revision)
  }

  var version: Version { Version(lists: listVersion, cardRevision: store.cardRevision) }

  var revision: Int { pageCount + store.revision }

  var openCount: Int { sources.count - closedCount }
  var hasSeveralSources: Bool { openCount > 1 }

  /// A nil name also removes the source from the joined ones.
  mutating func setConfiguredName(_ name: String?, of source: SourceID) {
    sources[source.number].settings.givenName = name
    sources[source.number].settings.isSubscription = name != nil
    if name == nil { joined.remove(source) } else if self[source].settings.list == nil { joined.insert(source) }
    if joined.areSeveral { store.findTwins() }
    distinguishNames()
  }

  mutating func setTags(_ tags: [String], of source: SourceID) {
    sources[source.number].settings.tags = tags
    joined.updateNames(from: sources)
  }

  /// The time before the next refresh begins now, or after the pending one.
  mutating func setRefresh(_ rule: RefreshRule, of source: SourceID) -> [AppEffect] {
    sources[source.number].settings.refresh = rule
    return waiting.isRefresh(source) || self[source].isRefreshing ? [] : beginTime(of: source)
  }

  mutating func setView(_ view: ViewSettings) -> Int {
    if let number = views.firstIndex(where: { $0.name == view.name }) {
      views[number] = view
      return number
    }
    views.append(view)
    return views.count - 1
  }

  // MARK: - Records

  /// Adopts which videos of the sources count as watched. O(sources).
  mutating func updateReadBefore() {
    guard store.userData.hasValues(of: .readBefore) else { return }
    for number in sources.indices { updateReadBefore(of: SourceID(number)) }
  }

  mutating func updateReadBefore(of source: SourceID) {
    let time = sources[source.number].scope.flatMap { store.userData.readBefore(ofSource: $0) }
    let limit = time.flatMap { $0.seconds > 0 ? $0 : nil }
    guard store.readBefore[source] != limit else { return }
    store.readBefore[source] = limit
    sources[source.number].marksChanged()
  }

  /// Call it after marks of videos have changed.
  mutating func marksChanged(of keys: some Sequence<VideoKey>) {
    let changed = store.sources(of: keys).map { $0.subtracting([records.id]) } ?? Set(sources.statuses.lazy.map(\.id))
    for source in changed { sources[source.number].marksChanged() }
  }

  /// The number of a source's videos that have left the feed unseen. O(1).
  func missedCount(of source: SourceID) -> Int {
    guard store.userData.hasValues(of: .missed), let scope = self[source].scope else { return 0 }
    return store.userData.missedCount(ofSource: scope)
  }

  /// The scopes of the sources that are known or new: those of the configuration on servers.
  var knowableScopes: [String] { sources.filter(\.isKnowable).compactMap(\.scope) }

  /// The field that has a value in the record of each video of a tab; nil if there may be videos without a record.
  func requiredField(of content: TabContent) -> UserField? {
    if case .view(let number) = content { views[number].query.filter.requiredField } else { nil }
  }

  func restoredSlots(of content: TabContent) -> [CardSlot] {
    if case .view(let number) = content { restored[number] ?? [] } else { [] }
  }

  /// `known` returns the video of a record without stored facts. O(n) in the listed cards and in the records.
  mutating func restoreCards(of content: TabContent, known: (VideoKey) -> Video? = { _ in nil }) {
    guard case .view(let number) = content, let field = requiredField(of: content) else { return }
    let keys = store.userData.keys(with: field)
    var missing = Set(keys)
    for source in sources(of: .all) where !missing.isEmpty {
      for slot in self[source.id].slots { missing.remove(store[slot].key) }
    }
    restored[number] = keys.filter(missing.contains).compactMap { key in
      let slot = store.restore(key, of: records.id, known: known)
      if slot == nil, store.userData.lacksFacts(key), requestedFacts.insert(key).inserted { lackingFacts.append(key) }
      return slot
    }
  }

  mutating func dequeueMissingFacts() -> [VideoKey] {
    defer { if !lackingFacts.isEmpty { lackingFacts = [] } }
    return lackingFacts
  }

  /// Whether anything is pending that changes the screen by itself.
  var isBusy: Bool { !waiting.isEmpty || sources.statuses.contains(where: \.isBusy) }
  var isLoading: Bool { sources.statuses.contains(where: \.isLoading) }

  var lacksServers: Bool {
    waiting.isEmpty && sources.statuses.allSatisfy { $0.isLocal ? !$0.isRefreshing : $0.lacksServer }
  }

  /// Whether further pages may hold videos of a tab. A tab of records has all of them.
  func hasMore(_ content: TabContent) -> Bool {
    requiredField(of: content) == nil && sources(of: content).contains(where: \.hasMore)
  }

  func naming(_ source: SourceID?, _ words: String) -> String {
    guard hasSeveralSources, let source else { return words }
    return "\(self[source].name): \(words)"
  }

  // MARK: - Opened sources

  mutating func open(_ settings: SourceSettings) -> SourceID {
    let new = append([settings])
    for number in new { waiting.append(sources[number]) }
    distinguishNames()
    return SourceID(new.lowerBound)
  }

  /// Opens sources as a group, and returns its number.
  mutating func open(_ settings: [SourceSettings], asGroup name: String) -> Int {
    let new = append(settings)
    for number in new { waiting.append(sources[number]) }
    groups.append(SourceGroup(name: name, sources: JoinedSources(new)))
    distinguishNames()
    return groups.count - 1
  }

  /// Opens sources in the tabs of several sources, as at the start. Returns their numbers.
  mutating func openJoined(_ settings: [SourceSettings]) -> Range<Int> {
    let new = append(settings)
    joined.append(new)
    if joined.areSeveral { store.findTwins() }
    enqueue(new.filter { sources[$0].settings.refresh != .manual }.map(SourceID.init))
    distinguishNames()
    return new
  }

  private mutating func append(_ settings: [SourceSettings]) -> Range<Int> {
    let first = sources.count
    sources.append(settings.enumerated().map { SourceState(id: SourceID(first + $0), settings: $1) })
    for number in first..<sources.count { updateReadBefore(of: SourceID(number)) }
    updateScopes()
    recalled += (first..<sources.count).map(SourceID.init)
    return first..<sources.count
  }

  /// The IDs are not used again.
  mutating func close(_ closed: [SourceID]) -> [AppEffect] {
    guard !closed.isEmpty else { return [] }
    var effects: [AppEffect] = []
    for source in closed {
      let number = source.number
      effects += sources[number].loader.pendingTicket.map { [AppEffect.cancel($0)] } ?? []
      effects += sources[number].cached.reset() + sources[number].details.cancel()
      store.unlist(sources[number].slots)
      progress.end(source)
      sources[number] = SourceState(closed: source)
    }
    let all = Set(closed)
    waiting.remove(all)
    updateScopes()
    recalled.removeAll(where: all.contains)
    joined.remove(all)
    for group in groups.indices { groups[group].sources.remove(all) }
    closedCount += closed.count
    distinguishNames()
    return effects
  }

  // MARK: - First pages

  mutating func requestCachedFirstPage(of source: SourceID) -> [AppEffect] {
    guard !self[source].settings.isLocal, self[source].loader.position == .nothingLoaded else { return [] }
    return sources[source.number].requestCachedPage(at: .start)
  }

  private mutating func requestCachedPage(of source: SourceID) -> [AppEffect] {
    guard !self[source].settings.isLocal, self[source].hasFailed, case .next(let cursor) = self[source].loader.position
    else { return [] }
    return sources[source.number].requestCachedPage(at: cursor)
  }

  // MARK: - Loading

  mutating func load(_ event: FeedLoader.Event, of source: SourceID) -> [AppEffect] {
    sources[source.number].loader.handle(event).map { effect -> AppEffect in
      switch effect {
      case .request(let cursor, let ticket):
        if self[source].isRefreshing { waiting.remove(source) }
        return .requestPage(source, cursor, self[source].cacheUse(for: ticket), ticket)
      case .wait(let duration, let ticket): return .wait(duration, .loader(ticket))
      case .cancel(let ticket): return .cancel(ticket)
      }
    }
  }

  /// Further pages that are due together wait for each other.
  mutating func loaderWaitElapsed(_ ticket: Ticket) -> [AppEffect] {
    guard let number = sourceNumber(of: ticket) else { return [] }
    guard sources[number].loader.phase == .debouncing(ticket), sources.statuses.count(where: \.isDebouncing) > 1 else {
      if !waiting.isRefresh(SourceID(number)) { waiting.remove(SourceID(number)) }
      return load(.waitElapsed(ticket), of: SourceID(number))
    }
    waiting.append(sources[number], for: .waitElapsed(ticket))
    return []
  }

  /// The source of a page request or of a wait of its own. O(1).
  func sourceNumber(of ticket: Ticket) -> Int? { sources.indices.contains(ticket.office) ? ticket.office : nil }

  /// In a tab of several sources, pages that are needed now wait for each other.
  mutating func requestNextPages(
    of due: [SourceID], selected content: TabContent, _ demand: FeedLoader.Event, afterInput isAfterInput: Bool
  ) -> [AppEffect] {
    let areQueued = demand == .windowNotFull && content.source == nil
    let effects = due.flatMap { source -> [AppEffect] in
      let isAllowed = !self[source].hasFailed || (isAfterInput && self[source].cached.age == nil)
      if areQueued, isAllowed, self[source].loader.canLoadMore || sources.statuses[source.number].isDebouncing {
        waiting.append(sources[source.number], for: demand)
        return []
      }
      return (isAllowed ? load(demand, of: source) : []) + requestCachedPage(of: source)
    }
    return areQueued ? effects + requestPages(selected: content, visible: []) : effects
  }

  mutating func dismissFailures(of content: TabContent) -> [AppEffect] {
    sources(of: content).ids(where: \.hasShownFailure).flatMap { load(.failureDismissed, of: $0) }
  }

  /// Begins the pause before the next refresh of sources. Their first and last pages do not come from the cache.
  mutating func pauseRefreshes(of due: [SourceID]) -> [AppEffect] {
    guard due.contains(where: { !self[$0].settings.isLocal }) else { return [] }
    let ticket = tickets.next()
    for source in due where !self[source].settings.isLocal { sources[source.number].refreshPause = ticket }
    return [.wait(Self.refreshPause, .refresh(ticket))]
  }

  mutating func beginSchedule(of source: SourceID) -> Ticket {
    let ticket = sources[source.number].loader.issueTicket()
    sources[source.number].schedule = ticket
    return ticket
  }

  /// Nil for an old ticket, and for a source that is no longer refreshed by time.
  mutating func endSchedule(_ ticket: Ticket) -> SourceID? {
    guard let number = sourceNumber(of: ticket), sources[number].schedule == ticket else { return nil }
    sources[number].schedule = nil
    return sources[number].settings.refresh.interval.map { _ in SourceID(number) }
  }

  mutating func refreshPauseElapsed(_ ticket: Ticket) {
    for source in sources.indices where sources[source].refreshPause == ticket { sources[source].refreshPause = nil }
  }

  // MARK: - Pages

  /// Whether the last first page of a card's source has added it to a list.
  func isNew(_ slot: CardSlot) -> Bool {
    self[store.brief(of: slot).source].newCards.contains(slot) && !store.isCopy(slot)
  }

  /// A refreshed first page joins the list: at the start of the tab in its own order, else above the list. It replaces
  /// the list if they have nothing in common. A page that is the whole feed, or that follows a list from an earlier
  /// run, joins only to keep the selected card. An empty page does not replace a list before a day has passed.
  mutating func insert(_ arrival: PageArrival, keeping place: PageArrival.KeptPlace, at now: UnixTime) -> PageArrival
    .Change?
  {
    let change = insertIntoList(arrival, keeping: place, at: now)
    let source = sources[arrival.source.number]
    if source.settings.isGrouped { store.setRanks(source.slots) }
    return change
  }

  private mutating func insertIntoList(
    _ arrival: PageArrival, keeping place: PageArrival.KeptPlace, at now: UnixTime
  ) -> PageArrival.Change? {
    let (number, videos) = (arrival.source.number, arrival.page.videos)
    switch arrival.purpose {
    case .cached where sources[number].slots.isEmpty: return replaceList(of: arrival)
    case .cached, .append, .lastAgain:
      let added = store.list(videos, of: arrival.source, as: arrival.purpose == .lastAgain ? .newer : .next)
      sources[number].slots += added
      return arrival.purpose == .lastAgain ? .grown(added) : .appended(added)
    case .replace where joins(arrival, keeping: place): return place == .start ? merge(arrival) : join(arrival)
    // The list stays until a page with cards arrives.
    case .replace where videos.isEmpty && arrival.page.next != nil: return nil
    case .replace where videos.isEmpty && sources[number].keepsList(at: now): return .kept
    case .replace: return replaceList(of: arrival)
    }
  }

  private func joins(_ arrival: PageArrival, keeping place: PageArrival.KeptPlace) -> Bool {
    let ids = arrival.page.videos.map { CardID($0, of: arrival.source) }
    guard ids.contains(where: store.isListed) else { return false }
    if case .card(let selected?) = place, !ids.contains(selected) { return true }
    return arrival.page.next != nil && self[arrival.source].cached.age == nil
  }

  private mutating func merge(_ arrival: PageArrival) -> PageArrival.Change {
    let (old, revision) = (self[arrival.source].slots, store.cardRevision)
    store.unlist(old)
    let page = store.list(arrival.page.videos, of: arrival.source)
    let slots = page + store.relist(old)
    sources[arrival.source.number].slots = slots
    if repeats(old, arrival.source, since: revision) { return .repeated(slots, replacesList: false) }
    let known = Set(old)
    return .merged(slots, added: page.filter { !known.contains($0) })
  }

  private mutating func join(_ arrival: PageArrival) -> PageArrival.Change {
    let added = store.list(arrival.page.videos, of: arrival.source, as: .newer)
    sources[arrival.source.number].slots.insert(contentsOf: added, at: 0)
    let page = arrival.page.videos.compactMap { store.slot(of: $0, of: arrival.source) }
    return .joined(page, added: added)
  }

  private mutating func replaceList(of arrival: PageArrival) -> PageArrival.Change {
    let (old, revision) = (sources[arrival.source.number].slots, store.cardRevision)
    store.unlist(old)
    let slots = store.list(arrival.page.videos, of: arrival.source)
    sources[arrival.source.number].slots = slots
    if repeats(old, arrival.source, since: revision) { return .repeated(slots, replacesList: true) }
    guard !old.isEmpty, !slots.isEmpty else { return .replaced(slots, added: nil) }
    let known = Set(old)
    return .replaced(slots, added: slots.filter { !known.contains($0) })
  }

  /// Whether neither the list nor its cards have changed, nor which of them are new.
  private func repeats(_ old: [CardSlot], _ source: SourceID, since revision: Int) -> Bool {
    !old.isEmpty && store.cardRevision == revision && self[source].newCards.isEmpty && self[source].slots == old
  }

  mutating func removeUnlistedCards(keeping used: @autoclosure () -> Set<CardSlot>) {
    let listedCount =
      sources.statuses.reduce(0) { $0 + Int($1.loadedCount) } + restored.values.reduce(0) { $0 + $1.count }
    if store.count > 2 * listedCount + Self.spareCards { store.removeUnlisted(keeping: used()) }
  }

  mutating func finish(_ arrival: PageArrival, _ change: PageArrival.Change?, at now: UnixTime) -> [AppEffect] {
    let (page, source) = (arrival.page, arrival.source)
    let name = self[source].ownName
    sources[source.number].updateFacts(from: arrival, change, at: now)
    pageCount += 1
    waiting.update(sources[source.number])
    if self[source].ownName != name { areNamesOutdated = true }
    if case .cached = arrival.purpose {
      let cursor = sources[source.number].cached.cursor ?? .start
      sources[source.number].cached.pageArrived(page, at: now)
      return load(.pageRecalled(cursor, next: page.next), of: source)
    }
    let ended = arrival.purpose.isRefresh ? refreshEnded(source, hasFailed: false) : []
    if case .kept = change { return ended + load(.newsArrived(arrival.ticket, next: nil), of: source) }
    let effects = ended + sources[source.number].cached.reset()
    switch change {
    case .joined, .merged, .kept, .repeated(_, replacesList: false):
      return effects + load(.newsArrived(arrival.ticket, next: page.next), of: source)
    case .appended(let new), .grown(let new), .replaced(let new, _), .repeated(let new, _):
      return effects + load(.pageArrived(arrival.ticket, next: page.next, newItemCount: new.count), of: source)
    case nil: return effects + load(.pageArrived(arrival.ticket, next: page.next, newItemCount: 0), of: source)
    }
  }

  mutating func pageFailed(_ failure: FeedFailure, for ticket: Ticket) -> [AppEffect] {
    guard let source = sourceNumber(of: ticket).map({ SourceID($0) }) else { return [] }
    if self[source].cached.ticket == ticket {
      sources[source.number].cached.pageFailed()
      return []
    }
    guard self[source].loader.request(of: ticket) != nil else { return [] }
    switch failure.kind {
    case .wait(let seconds):
      let effects = load(.pageFailed(ticket, failure, hold: .seconds(seconds)), of: source)
      return self[source].hasFailed ? effects + refreshEnded(source, hasFailed: true) : effects
    case .temporary, .permanent, .absent:
      return load(.pageFailed(ticket, failure, hold: nil), of: source) + refreshEnded(source, hasFailed: true)
    }
  }

  // MARK: - Details

  @discardableResult
  mutating func changeDetails<Value>(of source: SourceID, _ change: (inout DetailsRequests) -> Value) -> Value {
    change(&sources[source.number].details)
  }

  mutating func startDetails(of source: SourceID) -> [AppEffect] {
    sources[source.number].details.start { tickets.next() }
  }

  mutating func failDetails(
    of source: SourceID, _ ticket: Ticket, _ failure: FeedFailure
  ) -> (ending: DetailsRequests.Ending, effects: [AppEffect])? {
    sources[source.number].details.fail(ticket, failure) { tickets.next() }
  }
}
