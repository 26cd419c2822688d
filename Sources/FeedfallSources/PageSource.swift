import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// A source of pages of videos.
public struct PageSource: Sendable {
  /// The name for the status line.
  public var name: String
  /// Whether pages need no requests, so that they can be prefetched without a delay.
  public var isLocal: Bool
  /// Reports the playback of a video to its server; ignores videos of other sources. Nil for sources without reports.
  public var report: (@Sendable (PlaybackReport) async -> Void)?
  /// The server that stores the marks of its videos; nil for sources without marks.
  public var marks: MarkServer?
  let loadPage: @Sendable (FeedCursor, CacheUse) async throws(FeedFailure) -> FeedPage
  let loadDetails: @Sendable (Video) async throws(FeedFailure) -> Video

  public init(
    name: String, isLocal: Bool,
    page: @escaping @Sendable (FeedCursor, CacheUse) async throws(FeedFailure) -> FeedPage,
    details: @escaping @Sendable (Video) async throws(FeedFailure) -> Video = { $0 }
  ) {
    self.name = name
    self.isLocal = isLocal
    loadPage = page
    loadDetails = details
  }

  /// Loads the page at a cursor; `.start` is the first page.
  ///
  /// Ends at once when its task is cancelled, otherwise after a time limit: servers have `SourceOptions.timeoutSeconds`,
  /// yt-dlp has another minute. Files and pipes have no limit.
  public func page(_ cursor: FeedCursor, _ use: CacheUse) async -> Result<FeedPage, FeedFailure> {
    do { return .success(try await loadPage(cursor, use)) } catch { return .failure(error) }
  }

  /// Completes a video whose feed needs a second request; returns other videos unchanged.
  public func details(_ video: Video) async -> Result<Video, FeedFailure> {
    do { return .success(try await loadDetails(video)) } catch { return .failure(error) }
  }
}

/// A server that stores marks of videos.
public struct MarkServer: Sendable {
  /// That of the videos, within which their IDs are unique.
  public var scope: FeedScope
  public var send: @Sendable (MarkChange) async -> MarkResult

  public init(scope: FeedScope, send: @escaping @Sendable (MarkChange) async -> MarkResult) {
    self.scope = scope
    self.send = send
  }
}

extension PageSource {
  /// Returns a source that is opened by its first request. Each request tries again until opening succeeds, because a
  /// file may be created meanwhile.
  public static func late(
    named name: String, open: @escaping @Sendable () throws(FeedFailure) -> PageSource
  ) -> PageSource {
    let source = LateSource(open)
    return PageSource(
      name: cleanedLine(name.hidingPassword, limit: 48), isLocal: true,
      page: { cursor, use throws(FeedFailure) in try await source.opened().loadPage(cursor, use) },
      details: { video throws(FeedFailure) in try await source.opened().loadDetails(video) })
  }
}

private final class LateSource: Sendable {
  private let open: @Sendable () throws(FeedFailure) -> PageSource
  private let source = Mutex<PageSource?>(nil)

  init(_ open: @escaping @Sendable () throws(FeedFailure) -> PageSource) { self.open = open }

  func opened() throws(FeedFailure) -> PageSource {
    if let source = source.withLock({ $0 }) { return source }
    let opened = try open()
    source.withLock { $0 = opened }
    return opened
  }
}

extension PageSource {
  /// Returns a source for whose videos and covers its own rules for proxies apply.
  func assigning(_ proxies: Proxies, in directory: ProxyDirectory) -> PageSource {
    var source = PageSource(
      name: name, isLocal: isLocal,
      page: { [loadPage] cursor, use throws(FeedFailure) in
        let page = try await loadPage(cursor, use)
        directory.assign(proxies, to: page.videos.flatMap(\.requestedAddresses) + [page.cover].compactMap { $0 })
        return page
      },
      details: { [loadDetails] video throws(FeedFailure) in
        let video = try await loadDetails(video)
        directory.assign(proxies, to: video.requestedAddresses)
        return video
      })
    (source.report, source.marks) = (report, marks)
    return source
  }
}

extension Video {
  /// The web addresses of its files, its page and its covers.
  fileprivate var requestedAddresses: [WebAddress] {
    let films: [WebAddress?] =
      switch playback {
      case .direct(let files): files.map(\.url.web)
      case .page(let page), .details(_, let page?): [page]
      case .details(_, nil), .unknown: []
      }
    return (films + players.map { $0 } + [pageURL] + covers.map(\.url.web)).compactMap { $0 }
  }
}

extension FeedFailure {
  package static let cancelled = FeedFailure(.cancelled)
  /// Only a cached page was requested, and there is none.
  static let notCached = FeedFailure(.notCached)
}
