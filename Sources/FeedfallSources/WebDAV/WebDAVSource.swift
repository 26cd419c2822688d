import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// Folders on servers that speak WebDAV (RFC 4918).
enum WebDAVSource {
  static func folder(
    at address: WebAddress, named name: String, options: SourceOptions, client: HTTPClient, _ access: SourceAccess?
  ) -> PageSource {
    let folder = address.asFolder
    var client = access?.applied(to: client) ?? client
    client.method = .listCollection
    let feed = WebFeed(folder: folder, pageSize: options.pageSize)
    let source = WebSource(feed, from: folder, ytDlp: nil, options.substitutes, client: client)
    let pages = PageSource(name: name, isLocal: false, page: source.page)
    return access?.applied(to: pages, client.cache) ?? pages
  }

  /// A web page with this address if its server has no such folder.
  static func share(
    _ share: CloudShare, at address: WebAddress, named name: String, options: SourceOptions, client: HTTPClient,
    orElse page: PageSource
  ) -> PageSource {
    let token = share.token
    let access =
      options.login.map { SourceAccess(to: address, $0) { .basic(user: token, password: $0) } }
      ?? SourceAccess(to: address, provide: { .basic(user: token, password: "") })
    let failure = LastFailure()
    var client = client
    client.handleFailure = failure.record
    let folders = share.folders.map { address in
      let pages = folder(at: address, named: name, options: options, client: client, access)
      return address.pathSegments.contains(token) ? pages : pages.appending(share.idSuffix)
    }
    return SharedFolder(folders: folders, page: page, failure, hasPassword: options.login != nil).source
  }

  private final class LastFailure: Sendable {
    private let answer = Mutex<HTTPAnswer?>(nil)

    @Sendable func record(_ answer: HTTPAnswer) { self.answer.withLock { $0 = answer } }

    func dequeue() -> HTTPAnswer? { answer.withLock { $0.take() } }
  }

  /// Each load of the first page tries the folders, the last one that answered first, and then the page.
  private final class SharedFolder: Sendable {
    private let sources: [PageSource]
    private let lastFailure: LastFailure
    private let hasPassword: Bool
    /// The index of the source with the last first page.
    private let current = Mutex(0)

    init(folders: [PageSource], page: PageSource, _ lastFailure: LastFailure, hasPassword: Bool) {
      sources = folders + [page]
      (self.lastFailure, self.hasPassword) = (lastFailure, hasPassword)
    }

    var source: PageSource {
      var source = PageSource(
        name: sources[0].name, isLocal: false,
        page: { cursor, use throws(FeedFailure) in try await self.page(cursor, use) },
        details: { video throws(FeedFailure) in
          try await self.sources[self.current.withLock { $0 }].loadDetails(video)
        })
      source.authorization = sources[0].authorization
      return source
    }

    private func page(_ cursor: FeedCursor, _ use: CacheUse) async throws(FeedFailure) -> FeedPage {
      let last = current.withLock { $0 }
      guard cursor == .start, use != .onlyIfCached else { return try await sources[last].loadPage(cursor, use) }
      let folders = sources.indices.dropLast()
      for number in folders.filter({ $0 == last }) + folders.filter({ $0 != last }) {
        _ = lastFailure.dequeue()
        do {
          return try await page(of: number, use)
        } catch {
          let answer = lastFailure.dequeue()
          guard answer.map(Self.isFinal) ?? (error.kind != .permanent) else { continue }
          throw explained(error, answer)
        }
      }
      return try await page(of: sources.count - 1, use)
    }

    private func page(of number: Int, _ use: CacheUse) async throws(FeedFailure) -> FeedPage {
      let page = try await sources[number].loadPage(.start, use)
      current.withLock { $0 = number }
      return page
    }

    /// Servers without WebDAV refuse the request with any status.
    private static func isFinal(_ answer: HTTPAnswer) -> Bool {
      [429, 503].contains(answer.status) || answer.status == 401 && answer.isDAV
    }

    /// Without a configured password, the server has refused an empty one. A share has no user.
    private func explained(_ failure: FeedFailure, _ answer: HTTPAnswer?) -> FeedFailure {
      guard answer?.status == 401 else { return failure }
      var failure = hasPassword ? failure : FeedFailure(.status(401, retryAfter: nil))
      failure.advice =
        hasPassword
        ? "check password-command of this source"
        : "set password-command of this source in config.toml to a command that prints the password of the share"
      return failure
    }
  }
}

extension PageSource {
  fileprivate func appending(_ suffix: String) -> PageSource {
    replacing(
      page: { [loadPage] cursor, use throws(FeedFailure) in
        var page = try await loadPage(cursor, use)
        for index in page.videos.indices { page.videos[index].id += suffix }
        return page
      }, details: loadDetails)
  }
}

extension WebAddress {
  /// The address with a slash at the end of its path, without a query and a fragment.
  fileprivate var asFolder: WebAddress {
    let start = text.prefix { $0 != "?" && $0 != "#" }
    return WebAddress(start.hasSuffix("/") ? String(start) : start + "/") ?? self
  }
}
