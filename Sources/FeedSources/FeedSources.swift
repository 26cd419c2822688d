import VideoFeed

/// Finds what an argument of the command line means.
public enum FeedSources {
  /// Opens the built-in catalogue for nil, standard input for `-`, else a web address, a file or a folder.
  ///
  /// Asks nothing of the network and reads nothing yet, so that it takes no time; fails where it is plain already that
  /// there is nothing to get.
  public static func open(_ argument: String?, options: SourceOptions) throws(FeedFailure) -> PageSource {
    let client = HTTPClient(timeoutSeconds: options.timeoutSeconds, userAgent: options.userAgent)
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
      name: document.name, isLocal: true, timeLimitSeconds: nil, page: { cursor, _ in await document.page(cursor) },
      details: { await details.complete($0) })
  }

  private static func folder(_ folder: FolderFeed) -> PageSource {
    PageSource(
      name: folder.name, isLocal: true, timeLimitSeconds: nil,
      page: { cursor, _ in await Result.of { () throws(FeedFailure) in try await folder.page(cursor) } },
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
    let (feed, address) = try feed(argument, options: options)
    let videosInPage = options.ytDlpPath.map { path in
      YtDlpFeed(WebAddress(typed: argument) ?? address, pageSize: options.pageSize, YtDlp(path: path))
    }
    let source = WebSource(feed, videosInPage: videosInPage, client: client)
    let details = VideoDetails(client: client)
    return PageSource(
      name: shortName(address), isLocal: false,
      timeLimitSeconds: options.timeoutSeconds + (videosInPage == nil ? 0 : Double(YtDlp.timeLimitSeconds)),
      page: { await source.page($0, $1) }, details: { await details.complete($0) })
  }

  /// The feed that an argument stands for, with the address that tells a person which it is.
  private static func feed(
    _ argument: String, options: SourceOptions
  ) throws(FeedFailure) -> (HTTPFeed, WebAddress) {
    if let address = WebAddress(typed: argument),
      let request = KnownSite.request(for: address, count: options.pageSize)
    {
      return (HTTPFeed(first: request, pages: nil, pageSize: options.pageSize), address)
    }
    let pages = PageAddresses(typed: argument, pageSize: options.pageSize, firstPage: options.firstPage)
    guard let pages, let address = pages.address(of: pages.first) else {
      throw noAddress(argument)
    }
    return (HTTPFeed(first: address, pages: pages, pageSize: options.pageSize), address)
  }

  /// The host and the path, as long as a status line bears.
  private static func shortName(_ address: WebAddress) -> String {
    let port = address.port.map { ":\($0)" } ?? ""
    let path = address.path == "/" ? "" : address.path
    return cleanedLine(address.host + port + path, limit: 48)
  }
}
