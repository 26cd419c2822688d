import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText

extension Browsing {
  static let maximumOpenedCount = 100
  /// The number of videos by which a server is recognized.
  private static let examinedVideoCount = 50
  private static let maximumNameLength = 48

  var vocabulary: CommandVocabulary {
    CommandVocabulary(
      options: settings.options, tabs: tabs.visible.map { ($0, library.name(of: tabs[$0].content)) },
      configuredNames: settings.subscriptions.map(\.name))
  }

  /// - Parameter now: in milliseconds since 1970.
  mutating func perform(_ command: TypedCommand, at now: Int) -> [AppEffect] {
    if meantTabs != nil, command.meansCards { return show(words.needsCards) }
    return switch command {
    case .open(let text): open(text)
    case .close: closeTab()
    case .find(let words): find(words)
    case .search(let service, let request, let query): search(service, for: request, query)
    case .list(let list): open(list)
    case .subscribe(let name): changeSubscription(.add) { $0.typedName = name }
    case .unsubscribe: changeSubscription(.remove)
    case .rename(let name): changeSubscription(.rename(name))
    case .tag(let tags): changeSubscription(.tag(tags))
    case .stop: stopRefresh()
    case .save: save()
    case .view(let name): saveView(named: name)
    case .showTab(let index): selectTab(index)
    case .filter(let query): filter(by: query)
    case .download(let quality): download(quality)
    case .mark(let order): perform(order, at: now)
    case .setOption(let name, let value): [.setOption(name: name, value: value)]
    // Performed by `AppState`.
    case .help, .quit: []
    }
  }

  /// `name` holds until the feed states its title; nil stands for the host and the path.
  mutating func open(
    _ text: String, named name: String? = nil, _ query: FilterQuery? = nil, isSearch: Bool = false
  ) -> [AppEffect] {
    if let subscription = subscription(named: text) { return open(subscription) }
    let text = TypedAddress.expanded(text)
    if let tab = openTab(where: { $0.address == text && (query == nil || $0.query == query) }) {
      return selectTab(tab, from: origin)
    }
    let name = name.map { cleanedLine($0, limit: Self.maximumNameLength) } ?? Self.name(of: text)
    var source = SourceSettings(name: name, isLocal: Self.isPath(text))
    (source.address, source.query, source.isSearch) = (text, query ?? .empty, isSearch)
    return open(source, .address(text))
  }

  private mutating func open(_ subscription: Subscription) -> [AppEffect] {
    let (name, address) = (subscription.name, subscription.address)
    if let tab = openTab(where: { $0.address == address && $0.givenName == name }) {
      return selectTab(tab, from: origin)
    }
    var source = SourceSettings(name: name, isLocal: Self.isPath(address))
    (source.address, source.givenName, source.query) = (address, name, subscription.query)
    (source.tags, source.refresh) = (subscription.tags, subscription.refresh ?? settings.refresh)
    source.isSubscription = true
    return open(source, .configured(name: name))
  }

  private func subscription(named name: String) -> Subscription? {
    settings.subscriptions.first { $0.name == name }
      ?? settings.subscriptions.first { $0.name.lowercased() == name.lowercased() }
  }

  private func openTab(where isMatch: (SourceSettings) -> Bool) -> Int? {
    library.sources.reversed().firstNonNil { isMatch($0.settings) ? tabs.index(of: $0.id) : nil }
  }

  mutating func openChannel() -> [AppEffect] {
    guard let video = selectedCard?.video else { return [] }
    guard let channel = video.channelURL else { return show(words.noChannel(hasPage: video.pageURL != nil)) }
    return open(channel.text, named: video.channel ?? video.author)
  }

  /// Without a list of related videos, opens the channel.
  mutating func openRelated() -> [AppEffect] {
    guard let card = selectedCard else { return [] }
    let (video, source) = (card.video, WebAddress(typed: library[card.source].settings.address))
    switch KnownSite.related(to: video, listedBy: source, hasYtDlp: settings.hasYtDlp) {
    case .list(let address): return open(address.text, named: Words.related(to: video.title))
    case .afterDetails where card.lacksDetails: return requestAddress(of: card, .related)
    case .afterDetails, nil:
      return video.channelURL == nil ? show(words.noRelated(hasPage: video.pageURL != nil)) : openChannel()
    }
  }

  private mutating func search(
    _ service: SearchService?, for request: SearchRequest, _ query: FilterQuery
  ) -> [AppEffect] {
    var service = service
    if service == nil, case .group = content { service = .everywhere }
    if service == nil, let address = serverSearch(for: request) {
      let name = Words.search(for: request.words, on: searchPlace(for: request))
      return open(address.text, named: name, query, isSearch: true)
    }
    let chosen = service ?? settings.searchService
    let name = Words.search(for: request.words, on: chosen.name)
    if let address = chosen.address(of: request) { return open(address, named: name, query, isSearch: true) }
    let sources = chosen.searches(for: request, hasYtDlp: settings.hasYtDlp).map { service, address in
      var source = SourceSettings(name: service.name, isLocal: false)
      (source.address, source.query, source.isGrouped, source.isSearch) = (address, query, true, true)
      return source
    }
    return open(sources, asGroup: name)
  }

  private mutating func open(_ sources: [SourceSettings], asGroup name: String) -> [AppEffect] {
    func isShown(_ number: Int) -> Bool {
      library.sources(of: .group(number)).elementsEqual(sources) { shown, source in
        let settings = library[shown.id].settings
        return settings.address == source.address && settings.query == source.query
      }
    }
    let shown = tabs.visible.last { if case .group(let number) = tabs[$0].content { isShown(number) } else { false } }
    if let shown { return selectTab(shown, from: origin) }
    guard tabs.openedCount < Self.maximumOpenedCount else { return show(Words.tooManyTabs) }
    let group = library.open(sources, asGroup: name)
    let tab = tabs.open(.group(group), order: CardOrder(sources.first?.query.order) ?? .rank, settings: settings)
    let requests = library.sources(of: .group(group)).map {
      AppEffect.openSource($0.id, .address(library[$0.id].settings.address))
    }
    return requests + selectTab(tab, from: origin)
  }

  /// The name of the service, server or channel that gets the words of a command; nil for another command.
  func searchPlace(for command: String) -> String? {
    CommandVocabulary.search(in: command).map { $0.service?.name ?? searchPlace(for: $0.request) }
  }

  private func searchPlace(for request: SearchRequest) -> String {
    if case .group = content { return SearchService.everywhere.name }
    guard let address = serverSearch(for: request), let source = content.source ?? selectedCard?.source else {
      return settings.searchService.name
    }
    let name = library[source].ownName
    // The name of a search ends with its place.
    if library[source].settings.isSearch, let place = name.split(separator: "·").last { return String(place).trimmed }
    return KnownSite.searchesChannel(address) ? name : address.shownHost
  }

  /// In a tab of several sources, the server is that of the selected video.
  private func serverSearch(for request: SearchRequest) -> WebAddress? {
    guard let source = content.source ?? selectedCard?.source,
      let address = WebAddress(typed: library[source].settings.address)
    else { return nil }
    let videos = examinedVideos(of: source)
    let search = KnownSite.search(for: request.words, request.kind, onServerOf: address, videos: videos)
    return search.flatMap { settings.hasYtDlp || !KnownSite.needsYtDlp($0) ? $0 : nil }
  }

  private func examinedVideos(of source: SourceID) -> [Video] {
    library[source].slots.prefix(Self.examinedVideoCount).map { library.store[$0].video }
  }

  private mutating func open(_ list: ChannelList) -> [AppEffect] {
    if let source = content.source, let tab = WebAddress(typed: library[source].settings.address),
      let address = KnownSite.address(of: list, ofChannel: tab, videos: examinedVideos(of: source))
    {
      return open(address.text, named: Words.channel(library.name(of: content), list))
    }
    guard let video = selectedCard?.video,
      let address = video.channelURL.flatMap({ KnownSite.address(of: list, ofChannel: $0, videos: [video]) })
    else { return show(words.noChannelLists) }
    return open(address.text, named: Words.channel(video.channel ?? library.name(of: content), list))
  }

  mutating func find(_ words: String) -> [AppEffect] {
    var source = SourceSettings(name: Words.found(words), isLocal: true)
    (source.debounce, source.isSearch) = (.milliseconds(30), true)
    return open(source, .find(words))
  }

  mutating func open(_ source: SourceSettings, _ request: SourceRequest) -> [AppEffect] {
    guard tabs.openedCount < Self.maximumOpenedCount else { return show(Words.tooManyTabs) }
    let id = library.open(source)
    let tab = tabs.open(.source(id), order: CardOrder(source.query.order) ?? .feed, settings: settings)
    return [.openSource(id, request)] + selectTab(tab, from: origin)
  }

  private var origin: Tab.Origin { Tab.Origin(tab: tabs.selection, card: selectedCard?.id) }

  private mutating func selectTab(_ index: Int, from origin: Tab.Origin) -> [AppEffect] {
    if !leadsBack(from: origin.tab, to: index) { tabs[index].origin = origin }
    return selectTab(index)
  }

  /// Whether `goBack` leads from a tab to another one, whose origin then stays, because lists may contain each other.
  private func leadsBack(from tab: Int, to other: Int) -> Bool {
    var tab = tab
    for _ in tabs.indices {
      if tab == other { return true }
      guard let origin = tabs[tab].origin else { return false }
      tab = origin.tab
    }
    return false
  }

  mutating func goBack() -> [AppEffect] {
    guard let origin = tabs.selected.origin else { return show(words.noWayBack(isClosed: false)) }
    // The tab of a source may be in the bar only while it is selected.
    let isOpen =
      tabs.visible.contains(origin.tab) || tabs[origin.tab].content.source.flatMap { tabs.index(of: $0) } == origin.tab
    guard isOpen, tabs[origin.tab].content.source.map({ library[$0].isClosed }) != true else {
      return show(words.noWayBack(isClosed: true))
    }
    // Selecting the tab requests the details of its selected card.
    if let card = origin.card.flatMap({ index(of: $0, in: origin.tab) }), card != tabs[origin.tab].cards.selection {
      tabs[origin.tab].cards.select(card)
      if tabs[origin.tab].details != nil { tabs[origin.tab].details = DetailsScreen() }
    }
    return selectTab(origin.tab)
  }

  mutating func closeTab() -> [AppEffect] {
    let name = library.name(of: content)
    guard tabs.isSelectedOpened, !content.isOfJoined else {
      guard case .view(let number) = content else { return show(Words.cannotClose(name)) }
      return show(Words.cannotCloseView(name, ofRecords: library.views[number].field != nil))
    }
    let closed = shownSources.map(\.id)
    let (effects, waitingCount) = closeSources(closed)
    if waitingCount > 0 { toast.show(Words.closed(name, waitingCount: waitingCount)) }
    tabs.closeSelected(settings: settings)
    library.store.usesFacts = tabs.hasFilter
    return effects + closed.map { AppEffect.closeSource($0) } + completeDetails()
  }

  /// Returns the number of downloads that wait for their addresses until a source of the server has answered.
  mutating func closeSources(_ closed: [SourceID]) -> (effects: [AppEffect], waitingCount: Int) {
    let waiting = closed.flatMap { library[$0].details.downloads }
    awaitedDownloads += waiting.compactMap { card, quality in
      DownloadRequest(awaiting: card.listed, key: card.key, quality: quality)
    }
    if closed.contains(where: library.joined.contains) { tabs.invalidateMixed() }
    return (library.close(closed), waiting.count)
  }

  mutating func filter(by query: FilterQuery) -> [AppEffect] {
    changeFilter { $0.set(query) }
    return completeDetails()
  }

  private static func isPath(_ text: String) -> Bool {
    ["/", "./", "../", "~/", "file:/"].contains(where: text.hasPrefix)
  }

  private static func name(of text: String) -> String {
    if let title = YtDlpSearch(text)?.title { return title }
    guard !isPath(text), let address = WebAddress(typed: text) else {
      return cleanedLine(text.hidingPassword, limit: maximumNameLength)
    }
    let place = address.shownHost + (address.path == "/" ? "" : address.path)
    return cleanedLine(KnownSite.user(of: address) ?? place, limit: maximumNameLength)
  }
}
