import FeedfallFeeds
import FeedfallSystem
import FeedfallText
import FeedfallWeb
import Glibc

/// Opens the source that a command-line argument names.
public enum FeedSources {
  /// The program's version, also sent to servers.
  public static let version = "0.1.0"

  /// Opens the built-in catalogue for nil, standard input for `-`, else a web address, a file or a folder.
  ///
  /// Sends no request and reads nothing yet. Throws only if it is already certain that no page can be loaded. The page
  /// of a live list (`isList`) has its feeds in place of videos.
  public static func open(
    _ argument: String?, isList: Bool = false, options: SourceOptions
  ) throws(FeedFailure) -> PageSource {
    var client = HTTPClient(
      timeoutSeconds: options.timeoutSeconds, userAgent: options.userAgent, mediaByteCount: mediaByteCount,
      cache: options.cache, proxies: options.ownProxies.map { ProxyDirectory($0) } ?? options.proxies,
      retries: true, failsAtRandom: KnownSite.failsAtTimes)
    let argument = argument.map(SourceArgument.expanded)
    // The other pages of a private feed may have addresses without its secret.
    let isPrivate = argument?.hasSecret == true
    client.hasSecret = { isPrivate || $0.hasSecret }
    client.cookie = KnownSite.cookie
    if isList { return try list(argument ?? "", options: options, client: client) }
    var source = try source(argument, options: options, client: client)
    if let start = argument.flatMap(startSeconds) { source = source.starting(at: start) }
    if let proxies = options.ownProxies { source = source.assigning(proxies, in: options.proxies) }
    if let ytDlp = options.ownYtDlp { source = source.assigning(ytDlp, in: options.ytDlp) }
    return source
  }

  /// Whether an argument names the catalogue, standard input, a file or a folder.
  static func isLocal(_ argument: String?) -> Bool {
    guard let argument, argument != "-" else { return true }
    if case .file = SourceArgument(SourceArgument.expanded(argument)) { return true }
    return false
  }

  /// Whether an argument names a source rather than words to search for.
  package static func isSource(_ argument: String) -> Bool {
    guard argument != "-", case .file(let path) = SourceArgument(SourceArgument.expanded(argument)) else { return true }
    return SourceArgument.exists(path) || SourceArgument.isPath(path)
  }

  /// Whether an argument is an address or a path by its form alone, unlike `node.js` and the name of a file.
  package static func isWrittenAddress(_ argument: String) -> Bool {
    argument.contains("://") || SourcePrefix.split(argument) != nil
      || ["/", "./", "../", "~/"].contains(where: argument.hasPrefix)
  }

  package static func startSeconds(_ argument: String) -> Int? {
    let argument = SourceArgument.expanded(argument)
    return switch SourceArgument(argument) {
    case .web: WebAddress(typed: argument)?.startSeconds
    case .prefixed(.ytDlp, let rest): WebAddress(typed: rest)?.startSeconds
    case .file, .prefixed, .stream, .search, .unsupported: nil
    }
  }

  /// The start of a video that has no extension is enough to recognize it.
  private static let mediaByteCount = 64 << 10

  private static func source(
    _ argument: String?, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    guard let argument else { return local(.catalogue(pageSize: options.pageSize), client) }
    if argument == "-" { return local(try .standardInput(pageSize: options.pageSize), client) }
    switch SourceArgument(argument) {
    case .file(let path):
      let hasFrames = VideoFrames.installed != nil
      if let folder = FolderFeed(path, pageSize: options.pageSize, FileProbe.installed, hasFrames: hasFrames) {
        return PageSource(name: folder.name, isLocal: true, page: uncached(folder.page), details: folder.details)
      }
      if let list = SubscriptionFile(path) {
        return PageSource(name: list.name, isLocal: true, page: uncached(list.page))
      }
      if let video = SingleVideo.source(path: path, FileProbe.installed, hasFrames: hasFrames) { return video }
      return local(try .file(path, pageSize: options.pageSize), client)
    case .prefixed(.ytDlp, let text):
      if let search = YtDlpSearch(text) { return try ytDlp(search.site, options: options, search: search.input) }
      guard let address = WebAddress(typed: text) else { throw .noAddress(text) }
      return try ytDlp(address, options: options)
    case .prefixed(let prefix, let rest):
      guard let address = prefix.address(rest) else { throw .noAddress(argument) }
      return try server(prefix, address, options: options, client: client)
    case .web: return try web(argument, options: options, client: client)
    case .search(let search): return try ytDlp(search.site, options: options, search: search.input)
    case .stream(let address): return SingleVideo.source(address)
    case .unsupported(let scheme, let kind): throw .unsupported(scheme: scheme, kind: kind)
    }
  }

  private static func local(_ document: LocalDocument, _ client: HTTPClient) -> PageSource {
    PageSource(name: document.name, isLocal: true, page: uncached(document.page), details: client.complete)
  }

  /// - Parameter search: the text for yt-dlp in place of the address.
  private static func ytDlp(
    _ address: WebAddress, options: SourceOptions, search: String? = nil
  ) throws(FeedFailure) -> PageSource {
    guard search?.hasPrefix(YtDlpSearch.removed) != true else { throw .removedSearch }
    guard let feed = YtDlpFeed(address, options, search: search) else {
      throw .ytDlpNotInstalled
    }
    return PageSource(name: shortName(address), isLocal: false, page: uncached(feed.page))
  }

  private static func uncached(
    _ page: @escaping @Sendable (FeedCursor) async throws(FeedFailure) -> FeedPage
  ) -> @Sendable (FeedCursor, CacheUse) async throws(FeedFailure) -> FeedPage {
    { cursor, use throws(FeedFailure) in
      guard use != .onlyIfCached else { throw .notCached }
      return try await page(cursor)
    }
  }

  private static func server(
    _ prefix: SourcePrefix, _ address: WebAddress, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    let options = options.namingUser(of: address)
    if [.jellyfin, .plainJellyfin].contains(prefix) {
      return try JellyfinFeed.source(at: address, named: shortName(address), options: options, client: client)
    }
    if [.googleReader, .plainGoogleReader].contains(prefix) {
      return try GoogleReaderFeed.source(at: address, named: shortName(address), options: options, client: client)
    }
    let access = options.login.map { SourceAccess(to: address, $0) }
    let address = access == nil ? address : address.withoutUser
    return WebDAVSource.folder(at: address, named: shortName(address), options: options, client: client, access)
  }

  private static func web(
    _ argument: String, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    guard let address = WebAddress(typed: argument) else {
      return try page(argument, options: options, client: client)
    }
    let options = options.namingUser(of: address)
    let access = options.login.map { SourceAccess(to: address, $0) }
    let source = try page(
      access == nil ? argument : argument.removingUser, options: options,
      client: access?.applied(to: client) ?? client)
    let authorized = access?.applied(to: source, client.cache) ?? source
    // A share has no user.
    guard options.login?.user == nil, let share = CloudShare(address) else { return authorized }
    return WebDAVSource.share(
      share, at: address, named: shortName(address), options: options, client: client, orElse: authorized)
  }

  private static func page(
    _ argument: String, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    let typed = WebAddress(typed: argument)
    if let typed {
      if let failure = KnownSite.refusal(of: typed) {
        return PageSource(name: shortName(typed), isLocal: false) { _, _ throws(FeedFailure) in throw failure }
      }
      if KnownSite.needsYtDlp(typed) { return try ytDlp(typed, options: options) }
      let file = KnownSite.file(ofPage: typed) ?? (KnownSite.request(for: typed) == nil ? typed : nil)
      if let video = file.flatMap({ SingleVideo.source($0) }) { return video }
    }
    let (pages, request) = try firstRequest(argument, options: options)
    let feed = WebFeed(
      first: request, written: PageAddresses.written(argument), pages: pages, pageSize: options.pageSize,
      includesShorts: options.includesShorts)
    let address = typed ?? request
    let ytDlp = YtDlpFeed(KnownSite.page(ofFeed: request) ?? address, options)
    let source = WebSource(feed, from: request, ytDlp: ytDlp, options.substitutes, client: client)
    return PageSource(name: shortName(address), isLocal: false, page: source.page, details: client.complete)
  }

  /// A local path is refused.
  private static func list(
    _ argument: String, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    guard let address = WebAddress(typed: argument) else { throw .noAddress(argument) }
    let access = options.namingUser(of: address).login.map { SourceAccess(to: address, $0) }
    let request = access == nil ? address : address.withoutUser
    let client = access?.applied(to: client) ?? client
    let source = PageSource(name: shortName(address), isLocal: false) { _, use throws(FeedFailure) in
      guard use != .onlyIfCached else { throw .notCached }
      var load = client.load(use)
      let answer = try await load.answer(to: request, accept: "*/*").checked()
      // The feeds behind the end would count as dropped.
      guard !answer.isCut else { throw FeedFailure(WebFailure.cut) }
      let list = try SubscriptionList(document: answer.body)
      load.accept()
      load.save()
      var page = FeedPage(videos: [])
      (page.subscriptions, page.notice) = (list, list.isCut ? ListWords.cut(count: list.feeds.count) : nil)
      return page
    }
    return access?.applied(to: source, client.cache) ?? source
  }

  /// Returns the request for the first page, and the addresses of the others in case the feed counts its pages.
  private static func firstRequest(
    _ argument: String, options: SourceOptions
  ) throws(FeedFailure) -> (PageAddresses?, WebAddress) {
    let typed = WebAddress(typed: argument)
    if let request = typed.flatMap({ KnownSite.request(for: $0, count: options.pageSize) }) {
      return (nil, options.includesShorts ? request : KnownSite.withoutShorts(request))
    }
    let pages = PageAddresses(typed: argument, pageSize: options.pageSize, firstPage: options.firstPage)
    guard let pages, let address = pages.address(of: pages.first) else { throw .noAddress(argument) }
    // PeerTube has its own pagination, and may refuse unknown parameters.
    if let typed, PeerTubeEndpoint(address: typed)?.isCertain == true { return (pages, typed) }
    return (pages, address)
  }

  private static func shortName(_ address: WebAddress) -> String {
    let port = address.port.map { ":\($0)" } ?? ""
    let path = address.path == "/" ? "" : address.path
    return cleanedLine(KnownSite.user(of: address) ?? address.shownHost + port + path, limit: 48)
  }
}

extension SourceOptions {
  fileprivate func namingUser(of address: WebAddress) -> SourceOptions {
    var options = self
    options.login?.user = login?.user ?? address.userName
    return options
  }
}

/// The user's options for a source.
public struct SourceOptions: Equatable, Sendable {
  /// The number of videos to request per page.
  public var pageSize: Int?
  /// The number of the feed's first page.
  public var firstPage: Int?
  /// Whether the feeds of YouTube's channels include Shorts and streams.
  public var includesShorts = true
  /// The longest silence of a server. An answer that keeps arriving has six times as long.
  public var timeoutSeconds: Double = 10
  /// The rules for proxies of all sources.
  public var proxies = ProxyDirectory.ofEnvironment
  /// The rules of this source, if it has its own.
  public var ownProxies: Proxies?
  /// The use of yt-dlp by all sources.
  public var ytDlp = YtDlpDirectory(YtDlp())
  /// The use by this source, if it has its own.
  public var ownYtDlp: YtDlp?
  /// Shared by all sources.
  let substitutes = SubstituteLimit()
  /// The User-Agent sent to servers.
  public var userAgent = "feedfall/\(FeedSources.version) (+https://github.com/feedfall/feedfall)"
  /// The login at the source's server; nil for none.
  public var login: SourceLogin?
  /// The cache, shared by all sources of the program.
  public var cache: AnswerCache

  /// Creates the default options; without a cache nothing is stored on disk.
  public init(cache: AnswerCache = AnswerCache()) { self.cache = cache }
}

/// The meaning of an argument: an existing or apparent path is a file or a folder, anything else an address.
enum SourceArgument: Equatable {
  case file(path: String)
  case prefixed(SourcePrefix, rest: String)
  case web
  case stream(StreamAddress)
  case search(YtDlpSearch)
  /// An address that cannot be opened; `kind` says what it is.
  case unsupported(scheme: String, kind: String)

  init(_ text: String, exists: (String) -> Bool = Self.exists) {
    if let (prefix, rest) = SourcePrefix.split(text), !exists(text) {
      self = .prefixed(prefix, rest: rest)
    } else if let paths = FileAddress.paths(inAddress: text.utf8), !exists(text) {
      self = Self.file(atAnyOf: paths, exists)
    } else if let stream = StreamAddress(text), !exists(text) {
      self = .stream(stream)
    } else if let search = YtDlpSearch(text), !exists(text) {
      self = .search(search)
    } else if let row = Self.unsupportedRow(text), !exists(text) {
      self = .unsupported(scheme: row.scheme, kind: row.kind)
    } else if text.contains("://") {
      self = .web
    } else if exists(text) || Self.isPath(text) || WebAddress(typed: text) == nil {
      self = .file(path: text)
    } else {
      self = .web
    }
  }

  /// Returns the address that a text stands for; that of an existing file unchanged.
  static func expanded(_ text: String) -> String { exists(text) ? text : TypedAddress.expanded(text) }

  private static let unsupportedRows: [(schemes: [String], kind: String)] = [
    (["magnet"], "a BitTorrent link"), (["javascript", "data", "blob"], "a part of a web page"),
    (["ftp", "ftps", "sftp"], "a file server"), (["smb", "nfs"], "a network share"),
  ]

  private static func unsupportedRow(_ text: String) -> (scheme: String, kind: String)? {
    guard let (scheme, _) = split(text) else { return nil }
    return unsupportedRows.first { $0.schemes.contains(scheme) }.map { (scheme, $0.kind) }
  }

  private static func split(_ text: String) -> (scheme: String, rest: String)? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    return (text[..<colon].lowercased(), String(text[text.index(after: colon)...]))
  }

  /// Also with the extension of a feed's file: a mistyped `films.m3u` is a missing file, not a host.
  fileprivate static func isPath(_ text: String) -> Bool {
    let starts = ["/", "./", "../", "~"]
    return text.isEmpty || starts.contains(where: text.hasPrefix) || FileExtension.isDocumentName(text)
  }

  /// - Parameter paths: the readings of a file address; empty for a file on another machine.
  private static func file(atAnyOf paths: [[UInt8]], _ exists: (String) -> Bool) -> SourceArgument {
    // A zero byte would end the path for the system.
    let paths = paths.filter { !$0.contains(0) }.map { PathAlias.path($0[...]) ?? String(decoding: $0, as: UTF8.self) }
    let path = paths.first(where: exists) ?? paths.first
    return path.map { .file(path: $0) } ?? .unsupported(scheme: "file", kind: "a file on another machine")
  }

  fileprivate static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
