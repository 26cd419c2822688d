import FeedfallFeeds
import FeedfallFilters
import FeedfallLoading
import FeedfallPlaying
import FeedfallScreen
import FeedfallText
import FeedfallUserData
import WaterfallEngine

/// The sources and their tabs: adds pages to the tabs, requests more, and completes the selected video.
struct Browsing: Sendable {
  private(set) var settings: AppSettings
  var library: Library
  var tabs: TabList
  var downloads: DownloadStates
  var undoableSubscriptions = UndoableSubscriptions()
  private(set) var candidates = CandidateCount()
  /// Whether the last card stays selected while the rest of a local feed is loaded. The next input ends it.
  private var followsEnd = false
  /// Until the user retries or dismisses it.
  private var failedAddress: FailedAddress?
  var (filterHistory, searchHistory) = (PromptHistory(), PromptHistory())
  /// The pause before the next batch of facts for a filter.
  var factsPause: Ticket?

  init(settings: AppSettings) {
    self.settings = settings
    library = Library(settings: settings.sources, views: settings.allViews)
    tabs = TabList(settings: settings)
    library.store.userData = settings.userData
    // After the first change, the settings would hold a second copy.
    self.settings.userData = UserData()
    downloads = DownloadStates(settings.downloads, fault: settings.downloadFault)
    library.store.userData.mark(settings.downloads)
  }

  var content: TabContent { tabs.selected.content }

  /// The sources of the selected tab.
  var shownSources: ArraySlice<SourceFeed> { library.sources(of: content) }

  /// Whether a filter may exclude cards of the selected tab.
  var isFiltered: Bool { tabs.selected.isFiltered(in: library) }

  /// Counts the videos that a filter of the selected tab may include.
  mutating func updateCandidates() {
    guard isFiltered || tabs.selected.filter.isUsed else { return }
    candidates.update(of: content, for: tabs.selected.query.filter, in: library)
  }

  var selectedCard: Card? { tabs.selected.cards.selectedCard(in: library.store) }

  /// The rows of the header above the first card.
  var headerRows: Int {
    let pull = tabs.selected.cards.pull
    if pull.isPulling { return pull.rows }
    switch library.headerState(of: content) {
    case .refreshing: return isFirstLoad ? 0 : 1
    case .failed: return tabs.selected.cards.cards.isEmpty && !hasShownFailure && !excludesAll ? 1 : 0
    case .holding: return 1
    case .idle, .pulling, .willRefresh, .noMoreData: return 0
    }
  }

  var canPull: Bool {
    switch library.headerState(of: content) {
    case .idle, .failed: true
    case .pulling, .willRefresh, .refreshing, .holding, .noMoreData: false
    }
  }

  var hasShownFailure: Bool { library.hasShownFailure(in: content) }

  /// Whether the selected tab has no cards yet, but a page is pending.
  var isFirstLoad: Bool {
    guard tabs.selected.cards.cards.isEmpty, !isFiltered || library.loadedCount(of: content) == 0 else {
      return false
    }
    return shownSources.contains { $0.isBusy || library.waiting.contains($0.id) }
  }

  /// Whether videos are loaded, but the filter excludes all of them; an empty tab of records has a text of its own.
  var excludesAll: Bool {
    tabs.selected.cards.cards.isEmpty && isFiltered && library.loadedCount(of: content) > 0
      && (tabs.selected.filter.isUsed || library.requiredField(of: content) == nil)
  }

  /// The state of the selected tab's sources for the status line.
  var status: [String] {
    let words: String? = isFirstLoad ? Messages.loading : hasDismissedFailure ? Messages.refreshFailed : nil
    return library.status(of: content) + [words].compactMap(\.self)
  }

  /// Whether the user has dismissed the failure of a refresh. Without cards the header shows it, and in a tab of several
  /// sources the sign in the tab of the failed one.
  private var hasDismissedFailure: Bool {
    guard case .source = content, case .failed = library.headerState(of: content) else { return false }
    return !hasShownFailure && !tabs.selected.cards.cards.isEmpty
  }

  /// What failed in the selected tab; nil if nothing did, or once the user has dismissed it.
  var failureText: FailureText? {
    if hasShownFailure { return FailureWords.text(for: shownSources, isNamed: shownSources.count > 1) }
    return shownAddress.flatMap { failed in
      library.store.slot(of: failed.card).map { FailureWords.text(for: failed, title: library.store[$0].video.title) }
    }
  }

  /// The failed address, if the selected tab shows its source.
  private var shownAddress: FailedAddress? { failedAddress.flatMap { shows($0.card.source) ? $0 : nil } }

  private func shows(_ source: SourceID) -> Bool { shownSources.contains { $0.id == source } }

  private mutating func dismissShownAddress() {
    if shownAddress != nil { failedAddress = nil }
  }

  /// Whether no server answers, which the selected tab shows: each source on a server has failed for want of a network,
  /// and no page is pending.
  var lacksServers: Bool {
    if case .source(let source) = content, library[source].settings.isLocal { return false }
    return library.lacksServers
  }

  /// The source of the selected video; in a tab of one source always that source.
  private var selectedSource: SourceID? {
    switch content {
    case .all, .view: selectedCard?.source
    case .source(let source): source
    }
  }

  func index(of card: CardID, in tab: Int) -> Int? {
    library.store.slot(of: card).flatMap { tabs[tab].cards.cards.index(of: $0) }
  }

  /// - Parameter now: in milliseconds since 1970.
  mutating func perform(_ command: BrowseCommand, at now: Int) -> [Intent] {
    switch command {
    case .play: [.play]
    case .showPlaying: [.showPlaying]
    case .refreshOrRetry: [.refreshOrRetry]
    case .copyPlaybackAddress: copyPlaybackAddress()
    case .copyCoverAddress: copyCoverAddress()
    case .openPage: openPage()
    case .toggleWatched: toggleWatched(at: now)
    case .toggleHidden: toggleHidden(at: now)
    case .toggleStar: toggleStar(at: now)
    case .undo: undo(at: now)
    case .download: download()
    case .removeDownload: removeDownload()
    case .nextTab: [.changeTab(by: 1)]
    case .previousTab: [.changeTab(by: -1)]
    case .selectTab(let number): [.selectTab(number - 1)]
    }
  }

  // MARK: - Pages

  mutating func insert(_ page: FeedPage, for ticket: Ticket, at now: UnixTime) -> [Intent] {
    let intents = library.arrival(of: page, for: ticket).map { insert($0, at: now) + completeDetails() } ?? []
    return intents + (page.notice.map { [.showMessage($0.prefix(1).uppercased() + $0.dropFirst())] } ?? [])
  }

  private mutating func insert(_ arrival: PageArrival, at now: UnixTime) -> [Intent] {
    let awaitsOtherRefreshes = library.awaitsOtherRefreshes
    let change = library.insert(arrival, keeping: tabs.place(in: arrival.source, library.store))
    let intents = library.finish(arrival, change, at: now).map(Intent.effect)
    if tabs.hasFilter { library.store.prepareFacts() }
    let message = change.flatMap {
      tabs.update($0, of: arrival.source, in: library, awaitsOtherRefreshes: awaitsOtherRefreshes)
    }
    library.removeUnlistedCards(keeping: tabs.usedSlots)
    if followsEnd, shows(arrival.source) { tabs.selected.cards.selectLast() }
    if let failed = failedAddress, !library.store.isListed(failed.card) { failedAddress = nil }
    return intents + storeFacts(of: arrival, at: now.seconds * 1_000) + (message.map { [.showMessage($0)] } ?? [])
  }

  /// Requests more pages when little is left behind the visible cards. After a failed refresh, only the user's input
  /// requests more: else each failure would lead to another request.
  mutating func readAhead(afterInput isAfterInput: Bool) -> [AppEffect] {
    let readAhead =
      if case .source(let source) = content { library[source].settings.readAhead } else { ReadAhead.screens(1) }
    guard shownSources.contains(where: { $0.hasMore }), tabs.selected.cards.isNearEnd(readAhead) else { return [] }
    if isFilterSearchPaused || library.requiredField(of: content) != nil { return [] }
    // The cards of a page may all go above the view: without input, page after page would follow.
    if tabs.selected.insertsAbove, tabs.selected.cards.maximumOffset > 0, !isAfterInput { return [] }
    return library.requestNextPages(of: tabs.continuing(in: library), afterInput: isAfterInput)
  }

  /// Retries after a visible failure, otherwise refreshes.
  mutating func refreshOrRetry() -> [Intent] {
    if hasShownFailure {
      return load(.retryRequested, of: shownSources.filter { $0.loader.shownFailure != nil })
    }
    if let failed = shownAddress, let slot = library.store.slot(of: failed.card) {
      return requestAddress(of: library.store[slot], failed.sequel)
    }
    guard tabs.selected.details != nil, let source = selectedSource else { return refresh() }
    let request = library[source].details
    if let hold = request.hold {
      return [.showMessage(library.naming(source, HoldWords.continues(after: hold)))]
    }
    if let card = selectedCard, request.failure(of: card.id) != nil { return requestDetails(of: card, .show) }
    return refresh()
  }

  mutating func refresh() -> [Intent] {
    tabs.selected.newsCount = 0
    let (effects, message) = library.refresh(content)
    return effects.map(Intent.effect) + (message.map { [.showMessage($0)] } ?? [])
  }

  /// A local feed delivers the rest at once, so that its last card is the feed's.
  mutating func followEnd() { followsEnd = shownSources.contains { $0.settings.isLocal && $0.hasMore } }

  mutating func inputArrived() { followsEnd = false }

  mutating func loadMore() -> [Intent] {
    tabs.selected.searchOn()
    let isComplete = library.requiredField(of: content) != nil || shownSources.allSatisfy(\.isExhausted)
    if isComplete, case .noMoreData = library.footerState(of: content) {
      return [.showMessage(FooterWords.end(count: tabs.selected.cards.cards.count))]
    }
    let next = tabs.continuing(in: library)
    return load(.loadMoreRequested, of: shownSources.filter { $0.hasFailed || next.contains($0.id) })
  }

  /// Requests more pages for a tab, also after a failure; nil if there are none or their servers asked to wait.
  mutating func requestMore(for tab: Int) -> [AppEffect]? {
    guard library.hasMore(tabs[tab].content) else { return nil }
    let sources = library.sources(of: tabs[tab].content).filter { $0.hasMore && HoldWords.text(for: $0.loader) == nil }
    return sources.isEmpty ? nil : sources.flatMap { library.load(.loadMoreRequested, of: $0.id) }
  }

  private mutating func load(_ event: FeedLoader.Event, of sources: [SourceFeed]) -> [Intent] {
    let (effects, message) = library.loadUnlessHeld(event, of: sources)
    return effects.map(Intent.effect) + (message.map { [.showMessage($0)] } ?? [])
  }

  mutating func dismissFailures() -> [AppEffect] {
    dismissShownAddress()
    return library.dismissFailures(of: content)
  }

  // MARK: - Tabs

  mutating func selectTab(_ index: Int) -> [Intent] {
    let shown = shownAddress
    guard tabs.select(index) else { return [] }
    if shown != nil { failedAddress = nil }
    return completeDetails()
  }

  mutating func selectTab(atPlace place: Int) -> [Intent] {
    tabs.visible.indices.contains(place) ? selectTab(tabs.visible[place]) : []
  }

  mutating func changeTab(by step: Int) -> [Intent] {
    guard let place = tabs.visible.firstIndex(of: tabs.selection) else { return [] }
    return selectTab(atPlace: (place + step + tabs.visible.count) % tabs.visible.count)
  }

  /// Updates a tab; one of records first gets the cards of videos that have left their feeds.
  mutating func updateTab(_ index: Int) {
    if tabs[index].query.isStale {
      library.restoreCards(of: tabs[index].content)
      if tabs.hasFilter { library.store.prepareFacts() }
    }
    tabs.update(index, library)
  }

  mutating func changeLayout(by step: Int) -> [Intent] {
    tabs.changeLayout(by: step, library.store)
    return [.showMessage(Messages.layout(tabs.layout))]
  }

  /// Uses other values of the options, of which the one with this name has changed. Only `layout` replaces a layout that
  /// the user has chosen by a key.
  mutating func setOptions(_ options: LiveOptions, changed name: String) {
    if name == "layout" { settings.layout = options.layout }
    settings.layoutOptions = options.layoutOptions
    tabs.setLayout(name == "layout" ? options.layout : tabs.layout, options.layoutOptions)
  }

  /// Follows a change of the configuration.
  mutating func updateSubscriptions(_ outcome: SubscriptionOutcome, _ request: SubscriptionRequest) {
    switch outcome {
    case .added(let source): settings.subscriptions.append(source)
    case .removed(let name): settings.subscriptions.removeAll { $0.name == name }
    case .alreadyConfigured, .notConfigured, .failed, .failedForGood: break
    }
    if request.isUndo { undoableSubscriptions.end(request, outcome) }
    if let undo = request.undo(after: outcome) {
      undoableSubscriptions.add(undo, after: library.store.userData.undoCount)
    }
  }

  mutating func sort(by column: CardColumn) -> [Intent] {
    tabs.sort(by: column, library)
    return completeDetails()
  }

  // MARK: - Details

  mutating func openDetails() -> [Intent] {
    guard let card = selectedCard else { return [] }
    dismissShownAddress()
    tabs.selected.details = DetailsScreen()
    return requestDetails(of: card, .show)
  }

  /// Closes the full-window cover first, if it is open.
  mutating func closeDetails() -> [Intent] {
    if tabs.selected.details?.showsCover == true {
      tabs.selected.details?.showsCover = false
      return []
    }
    tabs.selected.details = nil
    return selectedSource.map { library.cancelDetails(of: $0).map(Intent.effect) } ?? []
  }

  /// Shows the details of the selected video from their top, if the pane is open.
  mutating func showSelectedVideo() -> [Intent] {
    if tabs.selected.details != nil { tabs.selected.details = DetailsScreen() }
    return completeDetails()
  }

  mutating func showVideo(by step: Int) -> [Intent] {
    guard let selection = tabs.selected.cards.selection else { return [] }
    let target = selection + step
    guard (0..<tabs.selected.cards.cards.count).contains(target) else { return [] }
    tabs.selected.cards.select(target)
    tabs.selected.details = DetailsScreen(showsCover: tabs.selected.details?.showsCover ?? false)
    return completeDetails()
  }

  /// Requests the missing details of the shown video, unless a request has failed.
  mutating func completeDetails() -> [Intent] {
    guard tabs.selected.details != nil, let card = selectedCard,
      library[card.source].details.failure(of: card.id) == nil
    else { return [] }
    return requestDetails(of: card, .show)
  }

  /// Requests the chapters of a video that is played, if they need a request of their own.
  mutating func requestChapters(of card: Card) -> [Intent] {
    guard card.listed.detailsURL == nil, card.video.chaptersURL != nil,
      library[card.source].details.failure(of: card.id) == nil
    else { return [] }
    return requestDetails(of: card, .show)
  }

  /// Completes a video and returns its card with the sequel of the request; nil for an old ticket.
  mutating func complete(_ video: Video, for ticket: Ticket) -> (card: Card, sequel: DetailsRequest.Sequel)? {
    guard let (source, sequel) = library.detailsArrived(for: ticket) else { return nil }
    let id = CardID(video, of: source)
    let card = Card(video: video, source: source, key: library.store.slot(of: id).map { library.store[$0].key })
    library.store.complete(card.id, with: video)
    tabs.updateCard(card.id, library.store)
    return (card, sequel)
  }

  /// Handles a failed request for details. A failure for which the user waits is shown above the cards of its
  /// source; its open details show it themselves. In another tab, a message reports it.
  mutating func detailsFailed(_ failure: FeedFailure, for ticket: Ticket) -> [Intent] {
    let (effects, failed) = library.detailsFailed(failure, for: ticket)
    let intents = effects.map(Intent.effect)
    guard let failed else { return intents }
    if tabs.selected.details != nil, shows(failed.card.source) {
      return intents + [.showMessage(DetailsWords.message(failed))]
    }
    failedAddress = failed
    guard !shows(failed.card.source), let slot = library.store.slot(of: failed.card) else { return intents }
    let (title, source) = (library.store[slot].video.title, library[failed.card.source].name)
    return intents + [.showMessage(FailureWords.line(for: failed, title: title, inTabOf: source))]
  }

  /// Adds the duration that the player or ffprobe has found to a video without one.
  mutating func updateDuration(of card: CardID?, seconds: Double?, at now: Int) -> [Intent] {
    guard let card, let seconds, library.store.addDuration(seconds, to: card) else { return [] }
    tabs.updateLength(of: card, in: library)
    return storeFacts(of: card, fromDetails: false, at: now)
  }

  /// The cards of the selected tab's sources whose length a program on this machine may find. O(n).
  var cardsWithoutLength: [CardSlot] {
    shownSources.lazy.filter(\.settings.isLocal).flatMap(\.slots).filter { library.store[$0].lacksLength }
  }

  /// An answer may still lack an address: only a command that needs one requests it again.
  private mutating func requestDetails(of card: Card, _ sequel: DetailsRequest.Sequel) -> [Intent] {
    if sequel == .show, card.hasDetails { return [] }
    return library.requestDetails(of: card, sequel).map(Intent.effect)
  }

  // MARK: - Addresses

  var maximumVideoHeight: Int? { settings.playing.maximumHeight }

  /// Whether the playback address must be requested. An outdated one may have expired, but is used while a server asked
  /// to wait.
  func isAddressMissing(in card: Card) -> Bool {
    if library[card.source].details.hold != nil, card.hasAddress { return card.video.detailsURL != nil }
    return card.listed.detailsURL != nil
  }

  /// Requests the playback address of a video, then plays the video or copies the address.
  mutating func requestAddress(of card: Card, _ sequel: DetailsRequest.Sequel) -> [Intent] {
    dismissShownAddress()
    if let hold = library[card.source].details.hold {
      let key = BrowseCommand.keymap.keyName(for: sequel.command)
      return [.showMessage(library.naming(card.source, HoldWords.retry(key: key, after: hold)))]
    }
    return [.showMessage(Messages.requestingAddress(of: card.video.title))] + requestDetails(of: card, sequel)
  }

  /// Requests the playback address of a video that will be played soon, unless the source is busy with another request.
  mutating func prepareAddress(of card: Card) -> [Intent] {
    guard !isDownloaded(card), isAddressMissing(in: card), !library[card.source].details.isPending else { return [] }
    return requestDetails(of: card, .show)
  }

  private mutating func copyPlaybackAddress() -> [Intent] {
    guard let card = selectedCard else { return [] }
    return isAddressMissing(in: card) ? requestAddress(of: card, .copy) : copy(card.video.playbackURL, .playback)
  }

  private func copyCoverAddress() -> [Intent] {
    guard let card = selectedCard else { return [] }
    return copy(card.video.coverAddress, .cover)
  }

  func copy(_ address: MediaAddress?, _ kind: AddressKind) -> [Intent] {
    guard let address else { return [.showMessage(Messages.noAddress(kind))] }
    guard settings.hasClipboard else { return [.showMessage(Messages.noClipboard(kind, address))] }
    return [.showMessage(Messages.copied(kind, address)), .effect(.copy(address.text))]
  }

  private func openPage() -> [Intent] {
    guard let card = selectedCard else { return [] }
    guard let page = card.video.pageURL else { return [.showMessage(Messages.noPage)] }
    if settings.hasBrowser { return [.showMessage(Messages.opened(page)), .effect(.openInBrowser(page))] }
    let message = Intent.showMessage(Messages.noBrowser(page, isCopied: settings.hasClipboard))
    return settings.hasClipboard ? [message, .effect(.copy(page.text))] : [message]
  }
}
