import ArgumentParser
import FeedfallApp
import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallSources
import FeedfallSystem
import FeedfallText
import FeedfallWeb

/// A source as given by the user.
struct NamedSource: Equatable, Sendable {
  var name: String?
  /// An address, a file, or `-`; nil for the built-in catalogue.
  var argument: String?

  static let help = ArgumentHelp(
    "A feed address, a file, a folder, davs://FOLDER, yt-dlp:ADDRESS, - for standard input, or the name of a configured "
      + "source or view.",
    valueName: "source")
  static let completion = CompletionKind.shellCommand("feedfall \(UserConfiguration.namesWord)")
  /// The name of a configured source or view that the argument may mean.
  var similarName: String?
  var login: SourceLogin?
  var includesShorts = true
  var proxy: Configuration.Proxy?
  /// As `--cookies-from-browser` of yt-dlp takes it; nil for that of the program.
  var cookiesFromBrowser: String?
  var allowsHTTP = false
  var query = FilterQuery.empty
  var tags: [String] = []
  var refresh: RefreshRule?
  var fault: FeedFailure?
  /// The stored feeds of a live list; nil for another source.
  var list: [SubscriptionList.Feed]?
  var listName: String?
  /// The place of its address in the configuration, such as `config.toml:3:11`; nil for a source of the command line.
  var origin: String?
  var isSubscription: Bool { origin != nil || listName != nil }

  /// Whether its server requires a login, or it is a list of the user's account: nothing of it is stored.
  var isPrivate: Bool {
    login != nil || argument.map { $0 != $0.hidingPassword || YtDlpSearch.isOwnList($0) } == true
  }

  func open(_ options: SourceOptions) throws(FeedFailure) -> PageSource {
    if let fault { throw fault }
    do { return try FeedSources.open(argument, isList: list != nil, options: self.options(from: options)) } catch {
      var failure = error
      if let origin { failure.reason = "\(origin): \(failure.reason)" }
      if let similarName { failure.advice = "try \"\(similarName)\", which is configured" }
      throw failure
    }
  }

  private func options(from options: SourceOptions) -> SourceOptions {
    var options = options
    options.login = login
    options.includesShorts = includesShorts
    options.ownProxies = proxies(replacing: options.proxies.common)
    options.ownYtDlp = ownYtDlp(replacing: options.ytDlp.common)
    return options
  }

  /// A source that is opened with its first request; each request tries again.
  func late(_ options: SourceOptions) -> OpenSource {
    OpenSource(self, .late(argument) { () throws(FeedFailure) in try open(options) })
  }

  fileprivate func opened(_ options: SourceOptions) throws(FeedFailure) -> OpenSource {
    OpenSource(self, try open(options))
  }

  func proxies(replacing common: Proxies) -> Proxies? { proxy.map { common.replacing($0.address) } }

  func ownYtDlp(replacing common: YtDlp) -> YtDlp? {
    guard let cookiesFromBrowser else { return nil }
    var own = common
    (own.cookiesFromBrowser, own.cookies) = (cookiesFromBrowser, nil)
    return own
  }

  func isNamed(_ stored: String) -> Bool { name == stored || argument?.hidingPassword == stored }
}

/// A source with its pages. It has the members of the source as it was named.
@dynamicMemberLookup
struct OpenSource: Sendable {
  let named: NamedSource
  let pages: PageSource
  /// Whether its videos are stored for `find`.
  let isIndexed: Bool

  init(_ named: NamedSource, _ pages: PageSource, isIndexed: Bool = true) {
    (self.named, self.pages, self.isIndexed) = (named, pages, isIndexed && !named.isPrivate)
  }

  subscript<Value>(dynamicMember member: KeyPath<NamedSource, Value>) -> Value { named[keyPath: member] }

  var givenName: String? { named.name }

  var name: String { givenName ?? pages.name }

  /// The time before which its videos count as watched; nil if none do.
  func readBefore(in records: UserData) -> UnixTime? {
    named.argument.flatMap { records.readBefore(ofSource: FeedScope(source: $0).text) }
  }

  /// The videos that a filter includes, by the user's records.
  func included(_ videos: [Video], by filter: Filter, called name: String, _ records: UserData) -> [Video] {
    var context = Filter.Context(
      now: .now, zone: .ofSystem, sourceName: folded(name), tags: named.tags.map { folded($0) })
    var budget = Filter.Budget()
    let readBefore = readBefore(in: records)
    return videos.filter { video in
      context.states = VideoStates(
        records.record(of: records.key(of: video), published: video.published, readBefore: readBefore))
      return filter.includes(VideoFacts(video), context, &budget)
    }
  }

  func name(titled title: String?) -> String { cleanedLine(givenName ?? title ?? pages.name, limit: 100) }

  private static let manyCount = 64

  /// Throws for a single source of the command line. Others fail with their requests, each of which tries again.
  static func open(_ sources: [NamedSource], options: SourceOptions) throws(FeedFailure) -> [OpenSource] {
    guard sources.filter({ $0.argument == "-" }).count <= 1 else {
      throw FeedFailure(.permanent, "standard input can be one source only", advice: "use - once")
    }
    if sources.count == 1, sources[0].origin == nil, sources[0].fault == nil { return [try sources[0].opened(options)] }
    // Opening thousands would delay the first frame.
    let areMany = sources.count > manyCount
    return sources.map { source in
      (areMany && source.name != nil ? nil : try? source.opened(options)) ?? source.late(options)
    }
  }

  static func opened(_ sources: [NamedSource], options: SourceOptions) -> [OpenSource]? {
    do { return try open(sources, options: options) } catch {
      printError(error.message("Could not open the source"))
      return nil
    }
  }
}

extension [NamedSource] {
  /// Appends the stored sources of live lists, except those that are sources already.
  mutating func appendLists(_ stored: (_ address: String) -> [SubscriptionList.Feed]) {
    guard contains(where: { $0.list != nil }) else { return }
    var known = Set(compactMap { $0.argument.map { WebAddress(typed: $0)?.text ?? $0 } })
    for index in indices where self[index].list != nil && self[index].fault == nil {
      let feeds = stored(self[index].argument ?? "")
      self[index].list = feeds
      let room = Swift.max(0, Configuration.maximumSourceCount - count)
      let (list, new) = (self[index], feeds.filter { known.insert($0.address.text).inserted })
      self += named(new).prefix(room).map { NamedSource($0, of: list) }
    }
  }

  /// Gives each feed a name of its own. The source of a live list keeps its name.
  func named(_ feeds: [SubscriptionList.Feed]) -> [SubscriptionList.Feed] {
    var names = Configuration.UniqueNames(compactMap(\.name))
    var known: [String: String] = [:]
    for source in self where source.listName != nil { known[source.argument ?? ""] = source.name }
    return feeds.map { feed in
      var feed = feed
      feed.name = known[feed.address.text] ?? names.add(feed.name.isEmpty ? feed.address.shownHost : feed.name)
      return feed
    }
  }
}

extension NamedSource {
  /// A source of a live list. Its server receives neither the login nor the cookies of the list.
  init(_ feed: SubscriptionList.Feed, of list: NamedSource) {
    self.init(name: feed.name, argument: feed.address.text)
    (tags, listName) = (Configuration.Source(feed).tags, list.name)
    (query, proxy, includesShorts) = (list.query, list.proxy, list.includesShorts)
  }
}

/// The feeds of live lists for the next start, in a file for each list. Those whose addresses have secrets are not
/// stored; their sources are opened once the list has been loaded.
struct StoredLists {
  let folder: String

  /// The limit of `import`.
  private static let maximumByteCount = 32 << 20

  static var ofUser: StoredLists? {
    Environment.process.stateFolder.map { StoredLists(folder: $0 + "/feedfall/lists") }
  }

  /// Returns none if the file is missing or damaged.
  func feeds(at address: String) -> [SubscriptionList.Feed] {
    guard let bytes = try? Files.readOwn(path(of: address), limit: Self.maximumByteCount) else { return [] }
    return (try? SubscriptionList(opml: bytes))?.feeds ?? []
  }

  func write(_ feeds: [SubscriptionList.Feed], at address: String) {
    let bytes = Array(SubscriptionList(feeds.filter { !$0.address.hasSecret }).opml.utf8)
    guard bytes.count <= Self.maximumByteCount else { return }
    _ = try? Files.makeFolder(folder, mode: 0o700)
    try? Files.replace(path(of: address), with: bytes, mode: 0o600)
  }

  /// The address may contain a secret.
  private func path(of address: String) -> String {
    "\(folder)/\(SHA256.hash(Array(address.utf8)).map { $0.hexadecimal(digitCount: 2) }.joined()).opml"
  }
}
