import VideoFeed

/// Finds what an argument of the command line means.
public enum FeedSources {
  /// Opens the built-in catalogue for nil, standard input for `-`, else a web address or a file.
  ///
  /// Asks nothing of the network and reads nothing yet, so that it takes no time; fails where it is plain already that
  /// there is nothing to get.
  public static func open(_ argument: String?, options: SourceOptions) throws(FeedFailure) -> PageSource {
    let client = HTTPClient(timeoutSeconds: options.timeoutSeconds, userAgent: options.userAgent)
    let source = try source(argument, options: options, client: client)
    return options.simulation.map { SimulatedNetwork($0).between(source) } ?? source
  }

  private static func source(
    _ argument: String?, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    let details = VideoDetails(client: client)
    guard let argument else { return local(.catalogue(pageSize: options.pageSize), details) }
    if argument == "-" { return local(try .standardInput(pageSize: options.pageSize), details) }
    switch SourceArgument(argument) {
    case .file(let path): return local(try .file(path, pageSize: options.pageSize), details)
    case .web: return try web(argument, options: options, client: client)
    }
  }

  private static func local(_ document: LocalDocument, _ details: VideoDetails) -> PageSource {
    PageSource(
      name: document.name, isLocal: true,
      page: { cursor, use in use == .onlyIfCached ? .failure(.nothingKept) : await document.page(cursor) },
      details: { await details.complete($0) })
  }

  private static func web(
    _ argument: String, options: SourceOptions, client: HTTPClient
  ) throws(FeedFailure) -> PageSource {
    let known = WebAddress(typed: argument).flatMap(KnownSite.feedAddress)
    let pages = PageAddresses(typed: known?.text ?? argument, pageSize: options.pageSize, firstPage: options.firstPage)
    guard let pages, let address = pages.address(of: pages.first) else {
      throw FeedFailure(
        .permanent, "\(cleanedLine(argument, limit: 80)) is no web address",
        advice: "give one that begins with https:// or http://")
    }
    let feed = HTTPFeed(pages, firstAddress: address, pageSize: options.pageSize, client: client)
    let details = VideoDetails(client: client)
    return PageSource(
      name: shortName(address), isLocal: false,
      page: { cursor, use in use == .onlyIfCached ? .failure(.nothingKept) : await feed.page(cursor) },
      details: { await details.complete($0) })
  }

  /// The host and the path, as long as a status line bears.
  private static func shortName(_ address: WebAddress) -> String {
    let port = address.port.map { ":\($0)" } ?? ""
    let path = address.path == "/" ? "" : address.path
    return cleanedLine(address.host + port + path, limit: 48)
  }
}
