import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// A source of pages of videos.
public struct PageSource: Sendable {
  private struct Content: Sendable {
    var name: String
    var isLocal: Bool
    var report: (@Sendable (PlaybackReport) async -> Void)?
    var marks: @Sendable () -> MarkServer? = { nil }
    var authorization: (@Sendable (WebAddress) async -> Authorization?)?
    var page: @Sendable (FeedCursor, CacheUse) async throws(FeedFailure) -> FeedPage
    var details: @Sendable (Video) async throws(FeedFailure) -> Video
  }

  /// The content of a late source changes once it is opened.
  private var provide: @Sendable () -> Content

  public init(
    name: String, isLocal: Bool,
    page: @escaping @Sendable (FeedCursor, CacheUse) async throws(FeedFailure) -> FeedPage,
    details: @escaping @Sendable (Video) async throws(FeedFailure) -> Video = { $0 }
  ) {
    let content = Content(name: name, isLocal: isLocal, page: page, details: details)
    provide = { content }
  }

  private var content: Content {
    get { provide() }
    set { provide = { newValue } }
  }

  /// The name for the status line.
  public var name: String { content.name }

  /// Whether pages need no requests, so that they can be prefetched without a delay.
  public internal(set) var isLocal: Bool {
    get { content.isLocal }
    set { content.isLocal = newValue }
  }

  /// Reports the playback of a video to its server; ignores videos of other sources. Nil for sources without reports,
  /// and for one that is not opened yet.
  public var report: (@Sendable (PlaybackReport) async -> Void)? {
    get { content.report }
    set { content.report = newValue }
  }

  /// The server that stores the marks of its videos; nil for sources without marks, and while their user is unknown. A
  /// late source is opened by it.
  public var marks: MarkServer? { content.marks() }

  /// Returns the authorization for an address; nil for another server, and if it cannot be obtained. Nil for sources
  /// without a login.
  public var authorization: (@Sendable (WebAddress) async -> Authorization?)? {
    get { content.authorization }
    set { content.authorization = newValue }
  }

  var loadPage: @Sendable (FeedCursor, CacheUse) async throws(FeedFailure) -> FeedPage { content.page }
  var loadDetails: @Sendable (Video) async throws(FeedFailure) -> Video { content.details }

  /// Returns this source with marks, whose user may be known later.
  func withMarks(_ marks: @escaping @Sendable () -> MarkServer?) -> PageSource {
    var source = self
    source.content.marks = marks
    return source
  }

  func replacing(
    page: @escaping @Sendable (FeedCursor, CacheUse) async throws(FeedFailure) -> FeedPage,
    details: @escaping @Sendable (Video) async throws(FeedFailure) -> Video
  ) -> PageSource {
    var source = self
    source.content.page = page
    source.content.details = details
    return source
  }

  /// Loads the page at a cursor; `.start` is the first page.
  ///
  /// Ends at once when its task is cancelled, otherwise after a limited time: `SourceOptions.timeoutSeconds` limits
  /// each silence of a server, six times as long each answer; yt-dlp has another minute. Files and pipes have no limit.
  public func page(_ cursor: FeedCursor, _ use: CacheUse) async -> Result<FeedPage, FeedFailure> {
    await Result { () async throws(FeedFailure) in
      var page = try await loadPage(cursor, use)
      page.videos.settle()
      return page
    }
  }

  /// Completes a video whose feed needs a second request; returns other videos unchanged.
  public func details(_ video: Video) async -> Result<Video, FeedFailure> {
    await Result { () async throws(FeedFailure) in try await loadDetails(video).settled(at: .now) }
  }

  /// A single video starts there, unless the user has stopped it elsewhere after the beginning.
  func starting(at seconds: Int) -> PageSource {
    replacing(
      page: { [loadPage] cursor, use throws(FeedFailure) in
        var page = try await loadPage(cursor, use)
        guard cursor == .start, page.next == nil, page.videos.count == 1 else { return page }
        (page.videos[0].resumeSeconds, page.videos[0].resumeTime) = (seconds, Video.timeOfStart)
        return page
      }, details: loadDetails)
  }

  func assigning<Rules>(_ rules: Rules, in directory: AddressDirectory<Rules>) -> PageSource {
    replacing(
      page: { [loadPage] cursor, use throws(FeedFailure) in
        let page = try await loadPage(cursor, use)
        directory.assign(rules, to: page.videos.flatMap(\.requestedAddresses) + [page.cover].compactMap { $0 })
        return page
      },
      details: { [loadDetails] video throws(FeedFailure) in
        let video = try await loadDetails(video)
        directory.assign(rules, to: video.requestedAddresses)
        return video
      })
  }

  /// Returns a source that is opened by its first request, and is then equal to the opened one. Each request tries
  /// again until opening succeeds, because a file may be created meanwhile.
  ///
  /// - Parameter argument: that of the command line; nil for the built-in catalogue.
  public static func late(
    _ argument: String?, open: @escaping @Sendable () throws(FeedFailure) -> PageSource
  ) -> PageSource {
    let late = LateSource(argument, open)
    return PageSource { late.content }
  }

  private init(_ provide: @escaping @Sendable () -> Content) { self.provide = provide }

  private final class LateSource: Sendable {
    private let argument: String?
    private let open: @Sendable () throws(FeedFailure) -> PageSource
    private let source = Mutex<PageSource?>(nil)

    init(_ argument: String?, _ open: @escaping @Sendable () throws(FeedFailure) -> PageSource) {
      (self.argument, self.open) = (argument, open)
    }

    /// That of the opened source. Before, its name is the argument.
    var content: Content {
      if let source = source.withLock({ $0 }) { return source.content }
      return Content(
        name: cleanedLine((argument ?? "").hidingPassword, limit: 48), isLocal: FeedSources.isLocal(argument),
        marks: { (try? self.opened())?.marks },
        authorization: { await (try? self.opened())?.authorization?($0) },
        page: { cursor, use throws(FeedFailure) in try await self.opened().loadPage(cursor, use) },
        details: { video throws(FeedFailure) in try await self.opened().loadDetails(video) })
    }

    func opened() throws(FeedFailure) -> PageSource {
      if let source = source.withLock({ $0 }) { return source }
      let opened = try open()
      return source.withLock { source in
        // A page and its marks may open it at the same time.
        let first = source ?? opened
        source = first
        return first
      }
    }
  }
}

extension [Video] {
  /// Ends the live states whose planned end has passed.
  fileprivate mutating func settle() {
    let now = UnixTime.now
    for index in indices where self[index].live != nil { self[index] = self[index].settled(at: now) }
  }
}

/// A server that stores marks of videos.
public struct MarkServer: Sendable {
  /// That of the videos, within which their IDs are unique.
  public var scope: FeedScope
  /// The maximum number of videos in a change.
  public var batchCount = MarkChange.maximumCount
  public var send: @Sendable (MarkChange) async -> MarkResult
}

extension MarkResult {
  /// Some statuses refuse this change alone.
  init(_ failure: FeedFailure, status: Int) {
    self = [400, 404, 410, 413, 422].contains(status) ? .refused(failure) : .failed(failure)
  }
}

extension Video {
  fileprivate var requestedAddresses: [WebAddress] {
    let films: [WebAddress?] =
      switch playback {
      case .direct(let files): files.map(\.url.web)
      case .page(let page), .details(_, let page?): [page]
      case .list(let list): [list.address.web]
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

/// The remaining items of a server's lists, keyed by the number of the page that continues them.
struct PageQueues<Rest> {
  private var rests: [Int: Rest] = [:]
  private var lastPage = 0
  /// The first number of the list that begins with the last first page.
  private var firstPage = 0

  mutating func store(_ rest: Rest) -> FeedCursor {
    lastPage += 1
    rests[lastPage] = rest
    return .page(lastPage)
  }

  /// The preceding list remains, because it is displayed until the new one is.
  mutating func startList() {
    rests = rests.filter { $0.key >= firstPage }
    firstPage = lastPage + 1
  }

  func rest(at page: Int) throws(FeedFailure) -> Rest {
    guard let rest = rests[page] else { throw .noSuchPage }
    return rest
  }
}
