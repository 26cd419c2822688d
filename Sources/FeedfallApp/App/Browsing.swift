import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallScreen
import FeedfallText
import WaterfallEngine

struct Browsing: Equatable, Sendable {
  var settings: AppSettings
  var library: Library
  var tabs: TabList
  var toast = Toast()
  /// Whether the terminal has a clipboard; if not, addresses are only shown.
  var hasClipboard = true
  var downloads: DownloadStates
  var lists: [SourceID: LiveList]
  /// The downloads of earlier programs whose addresses have not been requested yet.
  var awaitedDownloads: [DownloadRequest]
  var keysAllowingHTTP: Set<VideoKey> = []
  /// The tabs that commands mean in the list of sources; nil for the selected one.
  var meantTabs: MeantTabs?
  var undoableSubscriptions = UndoableSubscriptions()
  /// Those that were not saved.
  var changedOptions: [String: String] = [:]
  /// Those of the selected tab, current while their number is shown.
  private(set) var candidates = Candidates()
  /// The change by the player that the message offers to undo, at the last key.
  var shownOffer: UndoOffer?
  /// Whether the last card stays selected while the rest of a local feed is loaded. The next input ends it.
  private var followsEnd = false
  /// Until the user retries or dismisses them.
  private var failedAddresses: [DetailsRequest.FailedAddress] = []
  /// Commands mean it in place of the selected card, while one is performed.
  @Boxed private(set) var subject: Card? = nil
  var (filterHistory, searchHistory) = (Prompt.History(), Prompt.History())
  var factsPause = Pause()
  var savingReport = SavingReport()
  /// In milliseconds since 1970.
  var now = 0
  /// The events of new sources and of missed videos, which are saved once for all pages that arrive together.
  var unsavedSources: [UserEvent] = []

  init(settings: AppSettings) {
    self.settings = settings
    library = Library(
      settings: settings.sources, group: settings.group, views: settings.allViews, shuffledBy: settings.shuffleSeed)
    tabs = TabList(settings: settings)
    lists = settings.sources.enumerated().reduce(into: [:]) { lists, source in
      lists[SourceID(source.offset)] = source.element.list.map { LiveList($0) }
    }
    library.store.zone = settings.zone
    library.store.userData = settings.userData
    library.hidesWatched = settings.hidesWatched
    library.updateReadBefore()
    // After the first change, the settings would hold a second copy.
    self.settings.userData = UserData()
    downloads = DownloadStates(settings.downloads, requests: settings.downloadRequests)
    awaitedDownloads = settings.awaitedDownloads
    library.store.userData.mark(settings.downloads, inOrderOf: settings.downloadRequests.map(\.key))
    (self.settings.downloads, self.settings.downloadRequests) = ([:], [])
  }

  var words: Words { Words(keys: settings.keys) }
  var content: TabContent { tabs.selected.content }
  var shownSources: SourceStatuses { library.sources(of: content) }
  var isFiltered: Bool { tabs.selected.isFiltered(in: library) }

  mutating func updateCandidates() {
    let isShown = tabs.selected.cards.cards.isEmpty || isFilterSearchPaused
    guard tabs.selected.filter.hasPrompt || isShown && isFiltered else { return }
    candidates.update(of: content, for: tabs.selected.query.filter, in: library)
  }

  var selectedCard: Card? { subject ?? tabs.selected.cards.selectedCard(in: library.store) }

  var headerRows: Int {
    let pull = tabs.selected.cards.pull
    if pull.isPulling { return pull.rows }
    switch library.headerState(of: content) {
    case .refreshing: return isFirstLoad ? 0 : 1
    case .failed: return tabs.selected.cards.cards.isEmpty && !hasShownFailure && !excludesAll ? 1 : 0
    case .holding: return 1
    case .idle, .pulling, .willRefresh, .noMoreData, .paused: return 0
    }
  }

  var canPull: Bool {
    switch library.headerState(of: content) {
    case .idle, .failed: true
    case .pulling, .willRefresh, .refreshing, .holding, .noMoreData, .paused: false
    }
  }

  var hasShownFailure: Bool { library.hasShownFailure(in: content) }

  var isFirstLoad: Bool {
    guard tabs.selected.cards.cards.isEmpty, !isFiltered || library.loadedCount(of: content) == 0 else {
      return false
    }
    return shownSources.contains(where: \.isBusy) || shownSources.contains { library.waiting.contains($0.id) }
  }

  /// An empty tab of records has a text of its own.
  var excludesAll: Bool {
    tabs.selected.cards.cards.isEmpty && isFiltered && library.loadedCount(of: content) > 0
      && (tabs.selected.filter.isUsed || library.requiredField(of: content) == nil)
  }

  var status: [String] {
    let state: String? = isFirstLoad ? Words.loading : hasDismissedFailure ? Words.refreshFailed : nil
    let lateCount = tabs.selected.query.lateCount
    let waiting = lateCount > 0 ? words.moreNews(lateCount) : nil
    let refresh = library.progress.isShown ? Words.refreshing(library.progress) : nil
    return library.status(of: content) + [refresh, waiting, state].compactMap(\.self)
  }

  /// Without cards the header shows the failure; in a tab of several sources, the sign in the tab of the failed one.
  private var hasDismissedFailure: Bool {
    guard content.source != nil, case .failed = library.headerState(of: content) else { return false }
    return !hasShownFailure && !tabs.selected.cards.cards.isEmpty
  }

  var failureText: FailureText? {
    if hasShownFailure { return FailureText(for: shownSources, isNamed: shownSources.count > 1) }
    return FailureText(for: shownAddresses)
  }

  private var shownAddresses: [DetailsRequest.FailedAddress] { failedAddresses.filter { shows($0.card.source) } }

  mutating func addFailedAddress(_ failed: DetailsRequest.FailedAddress) {
    let hadFailure = failureText != nil
    failedAddresses.removeAll { $0.card.id == failed.card.id && $0.purpose.isLike(failed.purpose) }
    failedAddresses = failedAddresses.suffix(Self.maximumFailedAddressCount - 1) + [failed]
    if !hadFailure, failureText != nil { toast.hide() }
  }

  mutating func removeFailedDownload(of key: VideoKey) {
    failedAddresses.removeAll { $0.card.key == key && $0.purpose.isDownload }
  }

  private static let maximumFailedAddressCount = 50

  func shows(_ source: SourceID) -> Bool { shownSources.contains { $0.id == source } }

  @discardableResult
  mutating func dismissShownAddresses() -> [DetailsRequest.FailedAddress] {
    let shown = shownAddresses
    failedAddresses.removeAll(where: shown.contains)
    return shown
  }

  var isLocal: Bool { content.source.map { library[$0].settings.isLocal } ?? false }
  var isSearch: Bool {
    let shown = shownSources
    return !shown.isEmpty && shown.indices.allSatisfy { shown[source: $0].settings.isSearch }
  }
  var isCatalogue: Bool { content.source.map { library[$0].settings.isCatalogue } ?? false }

  func index(of card: CardID, in tab: Int) -> Int? {
    guard let slot = library.store.slot(of: card) else { return nil }
    let cards = tabs[tab].cards.cards
    // A tab of several sources shows one card of each video.
    return cards.index(of: slot) ?? library.store.listedTwins(of: slot).lazy.compactMap(cards.index(of:)).first
  }

  /// Shows a message in place of an effect.
  mutating func show(_ message: String) -> [AppEffect] {
    toast.show(message)
    return []
  }

  /// Performs commands for a card that is not the selected one. The selection stays.
  mutating func performing(on card: Card?, _ work: (inout Browsing) -> [AppEffect]) -> [AppEffect] {
    // Details may have arrived since the command was begun.
    let current = card.flatMap { library.store.slot(of: $0.id) }.map { library.store[$0] }
    let meansSelection = tabs.selected.cards.picks.isEmpty ? selectedCard?.id : nil
    guard let card = current ?? card, card.id != meansSelection else { return work(&self) }
    let (tab, revision, selection) = (tabs.selection, tabs.selected.cards.revision, tabs.selected.cards.selection)
    subject = card
    let effects = work(&self)
    subject = nil
    // Hiding a video selects the next one.
    if let selection, tab == tabs.selection, revision == tabs.selected.cards.revision {
      tabs.selected.cards.select(selection)
    }
    return effects
  }

  // MARK: - Pages

  /// - Parameter kept: cards that stay in the store although no list contains them.
  mutating func insert(
    _ page: FeedPage, for ticket: Ticket, at now: UnixTime, keeping kept: [[CardSlot]] = []
  ) -> [AppEffect] {
    let arrival = library.arrival(of: page, for: ticket)
    var effects = arrival.map { insert($0, at: now, kept) + completeDetails() } ?? []
    if let arrival, let list = page.subscriptions { effects += handle(list, of: arrival.source) }
    if let notice = page.notice { toast.show(Words.sentence(notice)) }
    return effects
  }

  private mutating func insert(_ arrival: PageArrival, at now: UnixTime, _ kept: [[CardSlot]]) -> [AppEffect] {
    let awaitsOtherRefreshes = library.awaitsOtherRefreshes
    let isNew = arrival.source.number >= settings.sources.count && !library[arrival.source].hasAnswered
    let former = arrival.purpose.isRefresh ? library[arrival.source].slots : []
    let change = library.insert(arrival, keeping: tabs.place(in: arrival.source, library), at: now)
    recordSource(of: arrival, at: now)
    recordMissed(among: former, of: arrival, change, at: now)
    var effects = library.finish(arrival, change, at: now)
    library.store.prepareUsedFacts()
    let message = change.flatMap {
      tabs.update($0, of: arrival.source, in: library, awaitsOtherRefreshes: awaitsOtherRefreshes, words)
    }
    failedAddresses.removeAll { !library.store.isListed($0.card.id) }
    library.removeUnlistedCards(keeping: kept.reduce(into: tabs.usedSlots) { $0.formUnion($1) })
    if followsEnd, shows(arrival.source) { tabs.selected.cards.selectLast() }
    effects += requestAwaitedDownloads(of: arrival) + storeFacts(of: arrival, at: now.seconds * 1_000)
    // The user has just opened the source, perhaps with cached pages. News do not cover a question.
    if let message, !isNew || message != Words.news(0), !toast.showsLasting { toast.show(message) }
    return effects
  }

  /// After a failed refresh, only the user's input requests more: else each failure would lead to another request.
  mutating func readAhead(afterInput isAfterInput: Bool) -> [AppEffect] {
    guard shownSources.contains(where: { $0.hasMore }), !isFilterSearchPaused,
      library.requiredField(of: content) == nil
    else { return [] }
    let demand = tabs.selected.demand(
      readAheadCount: content.source.map { library[$0].settings.readAheadCount } ?? 0, afterInput: isAfterInput,
      loadedCount: library.loadedCount(of: content))
    guard let demand else { return [] }
    return library.requestNextPages(
      of: tabs.continuing(in: library), selected: content, demand, afterInput: isAfterInput)
  }

  mutating func refreshOrRetry() -> [AppEffect] {
    if hasShownFailure {
      tabs.selected.newsCount = 0
      return reporting(library.retryAndRefresh(content))
    }
    guard tabs.selected.details != nil, let source = content.source ?? selectedCard?.source else { return refresh() }
    let request = library[source].details
    if let hold = request.hold { return show(library.naming(source, Words.continues(after: hold))) }
    if let card = selectedCard, request.failure(of: card.id) != nil { return requestDetails(of: card, .show) }
    return refresh()
  }

  mutating func refresh() -> [AppEffect] {
    tabs.selected.newsCount = 0
    return refresh(shownSources.ids())
  }

  mutating func stopRefresh() -> [AppEffect] {
    let (effects, count) = library.stopRefresh()
    return effects + show(count == 0 ? Words.noRefresh : words.stopped(count))
  }

  mutating func refresh(_ sources: [SourceID]) -> [AppEffect] { reporting(library.refresh(sources)) }

  private mutating func reporting(_ result: (effects: [AppEffect], notice: Library.Notice?)) -> [AppEffect] {
    if let notice = result.notice { toast.show(words.text(for: notice, in: library)) }
    return result.effects
  }

  /// A local feed delivers the rest at once, so that its last card is the feed's.
  mutating func followEnd() { followsEnd = shownSources.contains { $0.isLocal && $0.hasMore } }

  mutating func inputArrived() { followsEnd = false }

  mutating func loadMore() -> [AppEffect] {
    tabs.selected.searchOn()
    let isOfRecords = library.requiredField(of: content) != nil
    if isOfRecords || shownSources.allSatisfy(\.isExhausted), case .noMoreData = library.footerState(of: content) {
      toast.show(Words.end(of: tabs.selected.cards.cards, in: library.store))
      return isOfRecords ? [] : library.requestLastPages(content)
    }
    let next = Set(tabs.continuing(in: library))
    let due = shownSources.ids { $0.hasFailed || $0.isPaused || next.contains($0.id) }
    return reporting(([], library.loadUnlessHeld(.loadMoreRequested, of: due)))
  }

  /// Requests more pages for a tab, also after a failure; they wait for each other. Returns false if there are none or
  /// their servers asked to wait.
  mutating func requestMore(for content: TabContent) -> Bool {
    guard library.hasMore(content) else { return false }
    let sources = library.sources(of: content).ids { $0.hasMore && !$0.isHeld }
    library.enqueue(sources.filter { !library[$0].isPageRequested }, for: .loadMoreRequested)
    return !sources.isEmpty
  }

  mutating func dismissFailures() -> [AppEffect] {
    dismissShownAddresses()
    return library.dismissFailures(of: content)
  }

  // MARK: - Tabs

  mutating func selectTab(_ index: Int) -> [AppEffect] {
    let shown = shownAddresses
    // The list of sources also opens the tab that is selected.
    guard tabs.select(index) else { return reportMissed() }
    failedAddresses.removeAll(where: shown.contains)
    return completeDetails() + reportMissed()
  }

  mutating func selectTab(atPlace place: Int) -> [AppEffect] {
    tabs.visible.indices.contains(place) ? selectTab(tabs.visible[place]) : []
  }

  mutating func selectTab(ofRecords field: UserField) -> [AppEffect] {
    tabs.index(ofRecords: field).map { selectTab($0) } ?? []
  }

  mutating func changeTab(by step: Int) -> [AppEffect] {
    guard let place = tabs.visible.firstIndex(of: tabs.selection) else { return [] }
    return selectTab(atPlace: (place + step + tabs.visible.count) % tabs.visible.count)
  }

  /// A tab of records first gets the cards of videos that have left their feeds. `postponesPages`: whether pages that
  /// have arrived may wait for others.
  mutating func updateTab(_ index: Int, postponesPages: Bool = false) {
    if !postponesPages { tabs[index].query.endPageWait() }
    if tabs[index].isDue(in: library) {
      library.restoreCards(of: tabs[index].content) { [downloads] in downloads.request(of: $0)?.video }
      library.store.prepareUsedFacts()
    }
    tabs.update(index, library)
  }

  mutating func changeLayout(by step: Int) {
    tabs.changeLayout(by: step, library.store)
    if tabs.selected.layout == nil {
      changedOptions["layout"] = tabs.layout == settings.layout ? nil : tabs.layout.rawValue
    }
    toast.show(Words.layout(tabs.layout))
  }

  /// Only the option `layout` replaces a layout that the user has chosen by a key.
  mutating func setOptions(_ options: LiveOptions, changed name: String) {
    settings.layoutOptions = options.layoutOptions
    tabs.setOptions(options.layoutOptions)
    if name == "layout" { tabs.setLayout(options.layout) }
  }

  mutating func sort(by column: CardOrder.Column) -> [AppEffect] {
    tabs.selected.sort(by: column, library)
    return completeDetails()
  }

  // MARK: - Addresses

  var maximumVideoHeight: Int? { settings.playing.maximumHeight }

  mutating func copyPlaybackAddress() -> [AppEffect] {
    if let effects = copySeveralAddresses(.playback, \.video.address) { return effects }
    guard let card = selectedCard else { return [] }
    return isAddressMissing(in: card)
      ? requestAddress(of: card, .copy) : copy(card.video.address, card.isList ? .list : .playback)
  }

  mutating func copyCoverAddress() -> [AppEffect] {
    if let effects = copySeveralAddresses(.cover, \.video.coverAddress) { return effects }
    guard let card = selectedCard else { return [] }
    return copy(card.video.coverAddress, .cover)
  }

  mutating func copy(_ address: MediaAddress?, _ kind: Words.AddressKind) -> [AppEffect] {
    let message = address.map { hasClipboard ? Words.copied(kind, $0) : Words.noClipboard(kind, $0) }
    toast.show(message ?? Words.noAddress(kind))
    return hasClipboard ? address.map { [.copy($0.text)] } ?? [] : []
  }

  mutating func openPage() -> [AppEffect] {
    guard let card = selectedCard else { return [] }
    return card.video.pageURL.map { openInBrowser($0) } ?? show(words.noPage)
  }

  mutating func openInBrowser(_ page: WebAddress) -> [AppEffect] {
    toast.show(settings.hasBrowser ? Words.opened(page) : Words.noBrowser(page, isCopied: hasClipboard))
    return settings.hasBrowser ? [.openInBrowser(page)] : hasClipboard ? [.copy(page.text)] : []
  }
}
