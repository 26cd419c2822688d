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
    switch command {
    case .open(let text): open(text)
    case .close: closeTab()
    case .find(let words): find(words)
    case .search(let service, let request, let query): search(service, for: request, query)
    case .subscribe(let name): subscribe(name: name)
    case .unsubscribe: unsubscribe()
    case .save: save()
    case .view(let name): saveView(named: name)
    case .showTab(let index): selectTab(index)
    case .filter(let query): filter(by: query)
    case .download(let quality): download(quality)
    case .setOption(let name, let value): [.setOption(name: name, value: value)]
    // Performed by `AppState`.
    case .help, .quit: []
    }
  }

  /// `name` holds until the feed states its title; nil stands for the host and the path.
  mutating func open(_ text: String, named name: String? = nil, _ query: FilterQuery? = nil) -> [AppEffect] {
    if let subscription = subscription(named: text) { return open(subscription) }
    if let tab = openTab(where: { $0.address == text && (query == nil || $0.query == query) }) { return selectTab(tab) }
    let name = name.map { cleanedLine($0, limit: Self.maximumNameLength) } ?? Self.name(of: text)
    var source = SourceSettings(name: name, isLocal: Self.isPath(text))
    (source.address, source.query) = (text, query ?? .empty)
    return open(source, .address(text))
  }

  private mutating func open(_ subscription: Subscription) -> [AppEffect] {
    let (name, address) = (subscription.name, subscription.address)
    if let tab = openTab(where: { $0.address == address && $0.givenName == name }) { return selectTab(tab) }
    var source = SourceSettings(name: name, isLocal: Self.isPath(address))
    (source.address, source.givenName, source.query) = (address, name, subscription.query)
    return open(source, .configured(name: name))
  }

  private func subscription(named name: String) -> Subscription? {
    settings.subscriptions.first { $0.name == name }
      ?? settings.subscriptions.first { $0.name.lowercased() == name.lowercased() }
  }

  private func openTab(where isMatch: (SourceSettings) -> Bool) -> Int? {
    library.sources.last { isMatch($0.settings) }.flatMap { tabs.index(of: $0.id) }
  }

  mutating func openChannel() -> [AppEffect] {
    guard let video = selectedCard?.video else { return [] }
    guard let channel = video.channelURL else { return show(words.noChannel(hasPage: video.pageURL != nil)) }
    return open(channel.text, named: video.channel ?? video.author)
  }

  private mutating func search(
    _ service: SearchService?, for request: SearchRequest, _ query: FilterQuery
  ) -> [AppEffect] {
    if service == nil, let address = serverSearch(for: request.words) {
      return open(address.text, named: Words.search(for: request.words, on: address.shownHost), query)
    }
    let service = service ?? settings.searchService
    return open(service.address(of: request), named: Words.search(for: request.words, on: service.name), query)
  }

  /// In a tab of several sources, the server is that of the selected video.
  private func serverSearch(for words: String) -> WebAddress? {
    guard let source = content.source ?? selectedCard?.source,
      let address = WebAddress(typed: library[source].settings.address)
    else { return nil }
    let videos = library[source].slots.prefix(Self.examinedVideoCount).map { library.store[$0].video }
    return KnownSite.search(for: words, onServerOf: address, videos: videos)
  }

  mutating func find(_ words: String) -> [AppEffect] {
    var source = SourceSettings(name: Words.found(words), isLocal: true)
    source.debounce = .milliseconds(30)
    return open(source, .find(words))
  }

  mutating func open(_ source: SourceSettings, _ request: SourceRequest) -> [AppEffect] {
    guard tabs.openedCount < Self.maximumOpenedCount else { return show(Words.tooManyTabs) }
    let id = library.open(source)
    let tab = tabs.open(id, order: CardOrder(source.query.order), settings: settings)
    return [.openSource(id, request)] + selectTab(tab)
  }

  mutating func closeTab() -> [AppEffect] {
    guard tabs.isSelectedOpened, let source = content.source else {
      let name = library.name(of: content)
      if case .view(let number) = content {
        toast.show(Words.cannotCloseView(name, ofRecords: library.views[number].field != nil))
      } else {
        toast.show(Words.cannotClose(name))
      }
      return []
    }
    // The addresses are requested again once a source of the server has answered.
    let (name, waiting) = (library[source].name, library[source].details.downloads)
    awaitedDownloads += waiting.compactMap { card, quality in
      DownloadRequest(awaiting: card.listed, key: card.key, quality: quality)
    }
    if !waiting.isEmpty { toast.show(Words.closed(name, waitingCount: waiting.count)) }
    if library.joined.contains(source) { tabs.invalidateMixed() }
    let effects = library.close(source)
    tabs.closeSelected(settings: settings)
    if !tabs.hasFilter { library.store.releaseFacts() }
    return effects + [.closeSource(source)] + completeDetails()
  }

  mutating func filter(by query: FilterQuery) -> [AppEffect] {
    changeFilter { $0.set(query) }
    return completeDetails()
  }

  private static func isPath(_ text: String) -> Bool {
    ["/", "./", "../", "~/", "file:/"].contains(where: text.hasPrefix)
  }

  private static func name(of text: String) -> String {
    guard !isPath(text), let address = WebAddress(typed: text) else {
      return cleanedLine(text.hidingPassword, limit: maximumNameLength)
    }
    return cleanedLine(address.shownHost + (address.path == "/" ? "" : address.path), limit: maximumNameLength)
  }
}
