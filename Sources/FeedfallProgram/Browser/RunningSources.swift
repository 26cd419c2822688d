import FeedfallApp
import FeedfallFeeds
import FeedfallMedia
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Synchronization

/// The sources with which the program was started, and those that the user has opened since.
final class RunningSources: Sendable {
  private let initial: [OpenSource]
  private let later = Mutex(LaterSources())
  private let configured: Mutex<[NamedSource]>
  private let options: SourceOptions
  /// Stores the videos of all pages for `find`; nil stores and finds none.
  private let index: VideoIndex?
  /// By the scopes of their videos. That of a closed source stays, because it may have changes to receive.
  private let markServers = Mutex<[String: MarkServer]>([:])

  private struct LaterSources {
    var opened: [SourceID: OpenSource] = [:]
    /// Closed sources whose videos may still be playing, the last one at the end.
    var reporting: [PageSource] = []
    /// The new names of renamed sources by their former ones, which records still have.
    var newNames: [String: String] = [:]

    func present(_ name: String) -> String { newNames[name] ?? name }
  }

  private static let maximumReportingCount = 8

  init(_ initial: [OpenSource], configured: [NamedSource], options: SourceOptions, index: VideoIndex? = nil) {
    (self.initial, self.options, self.index) = (initial, options, index)
    self.configured = Mutex(configured)
  }

  private subscript(id: SourceID) -> OpenSource {
    if initial.indices.contains(id.number) { return initial[id.number] }
    return later.withLock { $0.opened[id] } ?? .closed
  }

  func page(_ id: SourceID, _ cursor: FeedCursor, _ use: CacheUse) async -> Result<FeedPage, FeedFailure> {
    let source = self[id]
    let result = await source.pages.page(cursor, use)
    if let server = source.pages.marks { markServers.withLock { $0[server.scope.text] = server } }
    // A request to the server follows a cached page.
    if source.isIndexed, use != .onlyIfCached, case .success(let page) = result {
      index?.add(page.videos, source: source.name(titled: page.title), isConfirmed: page.isConfirmed)
    }
    return source.list == nil ? result : result.map { named($0) }
  }

  private func named(_ page: FeedPage) -> FeedPage {
    guard let feeds = page.subscriptions?.feeds else { return page }
    var result = page
    result.subscriptions?.feeds = configured.withLock { $0.named(feeds) }
    return result
  }

  func details(_ id: SourceID, _ video: Video) async -> Result<Video, FeedFailure> {
    await self[id].pages.details(video)
  }

  func authorization(of name: String?, _ address: WebAddress) async -> Authorization? {
    guard let name else { return nil }
    let sources = later.withLock { later in
      (initial + later.opened.values).filter {
        $0.named.isNamed(name) || $0.givenName.map(later.present) == later.present(name)
      }
    }
    for source in sources {
      if let authorization = await source.pages.authorization?(address) { return authorization }
    }
    return nil
  }

  @Sendable func proxies(of name: String?) -> Proxies? {
    configured(named: name)?.proxies(replacing: options.proxies.common)
  }

  @Sendable func ownYtDlp(of name: String?) -> YtDlp? {
    configured(named: name)?.ownYtDlp(replacing: options.ytDlp.common)
  }

  @Sendable func allowsHTTP(_ name: String?) -> Bool { configured(named: name)?.allowsHTTP == true }

  var namesAllowingHTTP: Set<String> {
    let allowing = configured.withLock { $0.filter(\.allowsHTTP) }
    return Set(allowing.flatMap { [$0.name, $0.argument?.hidingPassword].compactMap(\.self) })
  }

  private func configured(named name: String?) -> NamedSource? {
    guard let name = name.map({ name in later.withLock { $0.present(name) } }) else { return nil }
    return configured.withLock { $0.first { $0.isNamed(name) } }
  }

  /// Opens a source with its first request, so that the main loop does not wait for a slow file system.
  func open(_ id: SourceID, _ request: SourceRequest) {
    let source: OpenSource =
      switch request {
      case .address(let text): source(at: text).late(options)
      case .configured(let name): configured.withLock { $0.first { $0.name == name } }?.late(options) ?? .closed
      case .find(let text): OpenSource(NamedSource(), .found(text, in: index), isIndexed: false)
      }
    later.withLock { $0.opened[id] = source }
  }

  /// Nil if no page of a source has been loaded from it.
  @Sendable func markServer(of scope: FeedScope) -> MarkServer? { markServers.withLock { $0[scope.text] } }

  func add(_ source: NamedSource) {
    reuseNames(of: [source])
    configured.withLock { $0.append(source) }
  }

  /// A new source may have the former name of another one.
  private func reuseNames(of sources: some Sequence<NamedSource>) {
    later.withLock { later in
      for name in sources.compactMap(\.name) { later.newNames[name] = nil }
    }
  }

  func replace(named name: String, by source: NamedSource) {
    if let newName = source.name, newName != name {
      later.withLock { later in
        later.newNames = later.newNames.mapValues { $0 == name ? newName : $0 }
        later.newNames[name] = newName
        later.newNames[newName] = nil
      }
    }
    configured.withLock { sources in
      if let index = sources.firstIndex(where: { $0.name == name }) { sources[index] = source }
    }
  }

  /// The source stays open, and so does one of a live list.
  func remove(named name: String) { configured.withLock { $0.removeAll { $0.name == name && $0.listName == nil } } }

  @Sendable func change(_ change: LiveListChange) {
    let closed = Set(change.closed.map { [self[$0].givenName, self[$0].argument] })
    let opened = configured.withLock { sources in
      sources.removeAll { $0.listName != nil && closed.contains([$0.name, $0.argument]) }
      // Without the list, their proxy is not known.
      let list = sources.first { $0.name == change.name }
      let opened = list.map { list in change.opened.mapValues { NamedSource($0, of: list) } } ?? [:]
      sources += opened.values
      return opened
    }
    reuseNames(of: opened.values)
    later.withLock { $0.opened.merge(opened.mapValues { $0.late(options) }) { $1 } }
    for id in change.closed { close(id) }
  }

  func close(_ id: SourceID) {
    later.withLock { later in
      guard let pages = later.opened.removeValue(forKey: id)?.pages, pages.report != nil else { return }
      later.reporting = later.reporting.suffix(Self.maximumReportingCount - 1) + [pages]
    }
  }

  @Sendable func report(_ report: PlaybackReport) async {
    let later = later.withLock { $0.opened.values.map(\.pages) + $0.reporting }
    for source in initial.map(\.pages) + later { await source.report?(report) }
  }

  private func source(at text: String) -> NamedSource {
    guard text.hasPrefix("~/"), let home = Environment.process.home else { return NamedSource(argument: text) }
    return NamedSource(argument: home + text.dropFirst())
  }
}

extension DownloadTools {
  init(_ options: SourceOptions, maximumHeight: Int?, for sources: RunningSources) {
    self.init(
      userAgent: options.userAgent, timeoutSeconds: options.timeoutSeconds, maximumHeight: maximumHeight,
      proxies: options.proxies, ytDlp: options.ytDlp)
    (authorization, proxies, allowsHTTP) = (sources.authorization, sources.proxies, sources.allowsHTTP)
    ownYtDlp = sources.ownYtDlp
  }
}

extension OpenSource {
  fileprivate static let closed = OpenSource(NamedSource(), .closed, isIndexed: false)
}

extension PageSource {
  private static let foundCount = 50

  fileprivate static func found(_ text: String, in index: VideoIndex?) -> PageSource {
    PageSource(name: text, isLocal: true) { cursor, _ throws(FeedFailure) in
      guard let index, let words = SearchWords(text) else { return FeedPage(videos: []) }
      let place: Int? = if case .page(let place) = cursor { place } else { nil }
      let found = index.videos(with: words, after: place, limit: foundCount)
      let isLast = found.count < foundCount
      var page = FeedPage(videos: found.map(\.video), next: isLast ? nil : found.last.map { .page($0.place) })
      page.notice = index.dequeueNotice()
      return page
    }
  }

  fileprivate static let closed = PageSource(name: "", isLocal: true) { _, _ throws(FeedFailure) in
    throw FeedFailure(.permanent, "the tab is closed")
  }
}
