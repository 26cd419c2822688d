import FeedfallFeeds
import FeedfallText

/// Finds what an argument of the command line means.
public enum FeedSources {
  /// Opens the built-in catalogue for nil, standard input for `-`, else a web address, a file or a folder.
  ///
  /// Asks nothing of the network and reads nothing yet, so that it takes no time; fails where it is plain already that
  /// there is nothing to get.
  public static func open(_ argument: String?, options: SourceOptions) throws(FeedFailure) -> PageSource {
    let client = HTTPClient(
      timeoutSeconds: options.timeoutSeconds, userAgent: options.userAgent, cache: options.cache)
    let source = try source(argument, options: options, client: client)
    guard let simulation = options.simulation else { return source }
    return SimulatedNetwork(simulation, timeoutSeconds: options.timeoutSeconds).between(source)
  }

  private static func source(
    _ argument: String?, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    let details = VideoDetails(client: client)
    guard let argument else { return local(.catalogue(pageSize: options.pageSize), details) }
    if argument == "-" { return local(try .standardInput(pageSize: options.pageSize), details) }
    switch SourceArgument(argument) {
    case .file(let path):
      if let folder = FolderFeed(path, pageSize: options.pageSize, FileProbe()) { return self.folder(folder) }
      return local(try .file(path, pageSize: options.pageSize), details)
    case .ytDlp(let text): return try ytDlp(text, options: options)
    case .web: return try web(argument, options: options, client: client)
    }
  }

  private static func local(_ document: LocalDocument, _ details: VideoDetails) -> PageSource {
    PageSource(
      name: document.name, isLocal: true, timeLimitSeconds: nil,
      page: { cursor, use in use == .onlyIfCached ? .failure(.notKept) : await document.page(cursor) },
      details: { await details.complete($0) })
  }

  private static func folder(_ folder: FolderFeed) -> PageSource {
    PageSource(
      name: folder.name, isLocal: true, timeLimitSeconds: nil,
      page: { cursor, use in
        guard use != .onlyIfCached else { return .failure(.notKept) }
        return await Result.of { () throws(FeedFailure) in try await folder.page(cursor) }
      },
      details: { video in await Result.of { () throws(FeedFailure) in try await folder.details(video) } })
  }

  private static func ytDlp(_ text: String, options: SourceOptions) throws(FeedFailure) -> PageSource {
    guard let path = options.ytDlpPath else { throw .noYtDlp }
    guard let address = WebAddress(typed: text) else { throw noAddress(text) }
    let feed = YtDlpFeed(address, pageSize: options.pageSize, YtDlp(path: path))
    return PageSource(
      name: shortName(address), isLocal: false, timeLimitSeconds: Double(YtDlp.timeLimitSeconds) + 1,
      page: { cursor, use in
        // What a program has printed is not kept.
        guard use != .onlyIfCached else { return .failure(.notKept) }
        return await Result.of { () throws(FeedFailure) in try await feed.page(cursor) }
      }, details: { .success($0) })
  }

  private static func noAddress(_ text: String) -> FeedFailure {
    FeedFailure(
      .permanent, "\(cleanedLine(text, limit: 80)) is no web address",
      advice: "give one that begins with https:// or http://")
  }

  private static func web(
    _ argument: String, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    let (pages, request) = try firstRequest(argument, options: options)
    let feed = HTTPFeed(first: request, pages: pages, pageSize: options.pageSize)
    let address = WebAddress(typed: argument) ?? request
    let videosInPage = options.ytDlpPath.map { path in
      YtDlpFeed(address, pageSize: options.pageSize, YtDlp(path: path))
    }
    let source = WebSource(feed, from: request, videosInPage: videosInPage, client: client)
    let details = VideoDetails(client: client)
    return PageSource(
      name: shortName(address), isLocal: false,
      timeLimitSeconds: options.timeoutSeconds + (videosInPage == nil ? 0 : Double(YtDlp.timeLimitSeconds)),
      page: { await source.page($0, $1) }, details: { await details.complete($0) })
  }

  /// The request for the first page of what an argument stands for; and how its pages are counted, where they turn out
  /// to be.
  private static func firstRequest(
    _ argument: String, options: SourceOptions
  ) throws(FeedFailure) -> (PageAddresses?, WebAddress) {
    let typed = WebAddress(typed: argument)
    if let request = typed.flatMap({ KnownSite.request(for: $0, count: options.pageSize) }) { return (nil, request) }
    let pages = PageAddresses(typed: argument, pageSize: options.pageSize, firstPage: options.firstPage)
    guard let pages, let address = pages.address(of: pages.first) else { throw noAddress(argument) }
    // PeerTube counts in its own way, and may refuse what it does not know.
    if let typed, PeerTubeEndpoint(address: typed)?.isCertain == true { return (pages, typed) }
    return (pages, address)
  }

  /// The host and the path, as long as a status line bears.
  private static func shortName(_ address: WebAddress) -> String {
    let port = address.port.map { ":\($0)" } ?? ""
    let path = address.path == "/" ? "" : address.path
    return cleanedLine(address.host + port + path, limit: 48)
  }
}
