import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// Folders on servers that speak WebDAV (RFC 4918).
enum WebDAVSource {
  /// Returns the source of the videos in a folder and its subfolders.
  static func folder(
    at address: WebAddress, named name: String, options: SourceOptions, client: HTTPClient, _ access: SourceAccess?
  ) -> PageSource {
    let folder = address.asFolder
    var client = client
    client.method = .listCollection
    if let access { client.authorization = access.authorization }
    let feed = WebFeed(folder: folder, pageSize: options.pageSize)
    let source = WebSource(feed, from: folder, ytDlp: nil, client: client)
    let pages = PageSource(name: name, isLocal: false, page: source.page)
    return access?.applied(to: pages) ?? pages
  }

  /// Returns the source of a shared folder, which is a web page with this address if its server has no such folder.
  static func share(
    _ share: CloudShare, at address: WebAddress, named name: String, options: SourceOptions, client: HTTPClient,
    orElse page: PageSource
  ) -> PageSource {
    let token = share.token
    let access = SourceAccess(to: address) { [login = options.login] () async throws(FeedFailure) in
      .basic(user: token, password: try await login?.password() ?? "")
    }
    client.cache.share(access.authorization)
    let folders = share.folders.map { folder(at: $0, named: name, options: options, client: client, access) }
    return Alternatives(folders + [page]).source
  }
}

/// Sources of which the first one that answers is used.
private final class Alternatives: Sendable {
  private let sources: [PageSource]
  private let current = Mutex(0)

  init(_ sources: [PageSource]) { self.sources = sources }

  var source: PageSource {
    PageSource(
      name: sources[0].name, isLocal: false,
      page: { cursor, use throws(FeedFailure) in try await self.page(cursor, use) },
      details: { video throws(FeedFailure) in
        try await self.sources[self.current.withLock { $0 }].loadDetails(video)
      })
  }

  private func page(_ cursor: FeedCursor, _ use: CacheUse) async throws(FeedFailure) -> FeedPage {
    let first = current.withLock { $0 }
    guard cursor == .start, use != .onlyIfCached else { return try await sources[first].loadPage(cursor, use) }
    for number in first..<sources.count {
      do {
        let page = try await sources[number].loadPage(cursor, use)
        current.withLock { $0 = number }
        return page
      } catch {
        guard number + 1 < sources.count, error.kind == .permanent, !error.asksForPassword else { throw error }
      }
    }
    throw FeedFailure(.noSuchPage)
  }
}

extension FeedFailure {
  /// Whether the server has the folder, but requires a password for it.
  fileprivate var asksForPassword: Bool { reason.hasPrefix(WebFailure.status(401, retryAfter: nil).reason) }
}

extension WebAddress {
  /// The address with a slash at the end of its path, without a query and a fragment.
  fileprivate var asFolder: WebAddress {
    let start = text.prefix { $0 != "?" && $0 != "#" }
    return WebAddress(start.hasSuffix("/") ? String(start) : start + "/") ?? self
  }
}
