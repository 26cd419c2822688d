import FeedfallFeeds
import FeedfallText
import FeedfallWeb
import Synchronization

/// A feed with its cached answers, or a web page without one, whose videos yt-dlp finds.
final class WebSource: Sendable {
  private let start: WebAddress
  private let client: HTTPClient
  private let ytDlp: YtDlpFeed?
  private let substitutes: SubstituteLimit
  private let state: Mutex<State>

  private struct State {
    var feed: WebFeed
    /// The state of the feed according to its cached answers, which may lead elsewhere.
    var cachedFeed: WebFeed
    var firstPageAt: UnixTime?
    /// The cached document that the next page continues.
    var document: CachedDocument?
    /// Whether the last returned first page is from yt-dlp, which has the later ones too.
    var continuesByYtDlp = false
    /// For the tries of yt-dlp to stand in for a feed whose site fails at times.
    var substitution = Substitution()
    /// Whether the form of the first request that worked in the last run is known.
    var hasForm = false
  }

  /// One try, then a pause that doubles with each further one until the feed answers.
  private struct Substitution {
    private var end: UnixTime?
    private var pause = Self.shortestPause

    /// In seconds.
    private static let (shortestPause, longestPause) = (900, 21_600)

    func isDue(at now: UnixTime) -> Bool { end.map { now.seconds >= $0.seconds } ?? true }

    mutating func tried(at now: UnixTime) {
      end = UnixTime(seconds: now.seconds + pause)
      pause = min(2 * pause, Self.longestPause)
    }
  }

  /// A cached document of this size or more is read only in part for a page.
  private static let largeByteCount = 256 << 10

  init(
    _ feed: WebFeed, from start: WebAddress, ytDlp: YtDlpFeed?, _ substitutes: SubstituteLimit, client: HTTPClient
  ) {
    (self.start, self.client, self.ytDlp, self.substitutes) = (start, client, ytDlp, substitutes)
    state = Mutex(State(feed: feed, cachedFeed: feed))
  }

  /// Each load of a first page begins at the address: a page that yt-dlp has read may be a feed again.
  func page(_ cursor: FeedCursor, _ use: CacheUse) async throws(FeedFailure) -> FeedPage {
    if cursor != .start, let ytDlp, state.withLock({ $0.continuesByYtDlp }) {
      // The output of yt-dlp is not cached.
      guard use != .onlyIfCached else { throw .notCached }
      return try await ytDlp.page(cursor)
    }
    let use = isSpared(cursor, use) ? .whileFresh : use
    if cursor == .start, use != .onlyIfCached { selectForm() }
    var page = try await feedPage(cursor, use)
    page.notice = client.cache.dequeueNotice() ?? page.notice
    if cursor == .start { state.withLock { $0.firstPageAt = page.savedAt ?? .now } }
    return page
  }

  /// Whether the first request of a run may be answered by the cache, because the server fails at random: after a
  /// failure the cached answer stays fresh, so that the server is requested less often.
  private func isSpared(_ cursor: FeedCursor, _ use: CacheUse) -> Bool {
    cursor == .start && use == .revalidated && state.withLock { !$0.hasForm } && client.failsAtRandom(start)
  }

  private func selectForm() {
    guard state.withLock({ !$0.hasForm }) else { return }
    let document = client.cache.lead(of: start)
    state.withLock { state in
      state.hasForm = true
      if let document { state.feed.selectForm(leadingTo: document) }
    }
  }

  // MARK: - The feed

  private func feedPage(_ cursor: FeedCursor, _ use: CacheUse) async throws(FeedFailure) -> FeedPage {
    if let page = try await documentPage(cursor, use, leastByteCount: Self.largeByteCount) {
      if cursor == .start, use != .onlyIfCached { state.withLock { $0.continuesByYtDlp = false } }
      return page
    }
    do {
      return try await requestedPage(cursor, use)
    } catch {
      // Answers before the document, such as redirects, may not have been storable.
      guard use == .onlyIfCached, let page = try await documentPage(cursor, use, leastByteCount: 0) else {
        throw error
      }
      return page
    }
  }

  private func requestedPage(_ cursor: FeedCursor, _ use: CacheUse) async throws(FeedFailure) -> FeedPage {
    // Without the cached document that an item cursor refers to, the feed starts over.
    let cursor = cursor.isItem ? .start : cursor
    let isFirst = cursor == .start
    let firstPageAt = state.withLock { $0.firstPageAt }
    var load = client.load(use, firstPageAt: isFirst ? nil : firstPageAt)
    // The details of a video may have its related videos.
    if firstPageAt == nil, start.relatedID != nil { load.addressOfJustLoaded = start.withoutRelatedID }
    let feed = state.withLock { use == .onlyIfCached ? $0.cachedFeed : $0.feed }
    let hasYtDlp = ytDlp != nil && use != .onlyIfCached
    let isKnownFeed = client.authorization != nil || hasYtDlp && client.cache.document(of: start) != nil
    var request = WebPageRequest(cursor, of: feed, hasYtDlp: hasYtDlp, isKnownFeed: isKnownFeed) { [self] in
      use != .onlyIfCached && state.withLock { $0.substitution.isDue(at: .now) }
        && (!hasYtDlp || substitutes.acquire(at: .now))
    }
    var page: FeedPage
    do { page = try await request.run(&load, ytDlp) } catch {
      if error != .cancelled {
        store(request.feed, use)
        if hasYtDlp, request.substitutedFailure != nil { state.withLock { $0.substitution.tried(at: .now) } }
      }
      throw error
    }
    store(request.feed, use)
    if let failure = request.substitutedFailure, request.isByYtDlp {
      state.withLock { $0.substitution.tried(at: .now) }
      page.videos = page.videos.replacingFeed(await cachedFeedPage()?.videos ?? [])
      // Its later pages would have videos that the feed never had, or had under other IDs.
      (page.next, page.total) = (nil, nil)
      page.notice = SubstituteWords.listed(becauseOf: failure.reason)
    } else if isFirst, use != .onlyIfCached {
      state.withLock { $0.substitution = Substitution() }
    }
    load.save(start: isFirst ? start : nil)
    if isFirst, use != .onlyIfCached {
      state.withLock { state in
        state.continuesByYtDlp = request.isByYtDlp
        // A cached page read meanwhile may have opened a large document.
        state.document = nil
      }
    }
    if !request.isByYtDlp { (page.savedAt, page.isConfirmed) = (load.savedAt, load.isConfirmed) }
    return page
  }

  private func store(_ feed: WebFeed, _ use: CacheUse) {
    state.withLock { state in
      if use == .onlyIfCached { state.cachedFeed.adopt(feed) } else { state.feed.adopt(feed) }
    }
  }

  // MARK: - Cached documents

  /// Nil if there is none, or a server must be requested.
  private func documentPage(
    _ cursor: FeedCursor, _ use: CacheUse, leastByteCount: Int
  ) async throws(FeedFailure) -> FeedPage? {
    guard let document = document(for: cursor, use, leastByteCount) else { return nil }
    do {
      return try await page(of: document, cursor)
    } catch {
      if error == .cancelled { throw error }
      guard cursor.isItem else { return nil }
      state.withLock { $0.document = nil }
      // A new answer may have replaced the document.
      guard client.cache.document(of: start)?.id != document.answer.id else { throw error }
      return try await documentPage(cursor, use, leastByteCount: leastByteCount)
    }
  }

  private func page(of document: CachedDocument, _ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    var page = try await document.page(cursor)
    page.savedAt = document.answer.fetched
    guard page.next == nil else { return page }
    // A document without videos only leads to other documents.
    guard cursor.isItem || !page.videos.isEmpty else { throw .notCached }
    // The next page after the whole document depends on its format.
    let whole = await cachedFeedPage()
    page.next = whole?.next
    page.total = whole?.total
    return page
  }

  private func cachedFeedPage() async -> FeedPage? {
    var load = client.load(.onlyIfCached)
    var request = WebPageRequest(.start, of: state.withLock { $0.cachedFeed })
    let page = try? await request.run(&load)
    store(request.feed, .onlyIfCached)
    return page
  }

  private func document(for cursor: FeedCursor, _ use: CacheUse, _ leastByteCount: Int) -> CachedDocument? {
    switch cursor {
    case .item:
      if let document = state.withLock({ $0.document }) { return document }
      let document = cachedDocument(leastByteCount)
      state.withLock { $0.document = document }
      return document
    case .start:
      guard use != .revalidated, let document = cachedDocument(leastByteCount),
        use == .onlyIfCached || document.answer.isFresh(at: .now, since: nil)
      else { return nil }
      state.withLock { $0.document = document }
      return document
    case .page, .offset, .address, .archive: return nil
    }
  }

  private func cachedDocument(_ leastByteCount: Int) -> CachedDocument? {
    // The answer to one user is not cached; a cached one is from before the login was configured.
    guard client.authorization == nil, let answer = client.cache.document(of: start), answer.byteCount >= leastByteCount
    else { return nil }
    let list = client.cache.lead(of: start) ?? start
    return CachedDocument(answer, in: client.cache, scope: state.withLock { $0.feed.scope(ofListAt: list) })
  }
}

extension FeedCursor {
  fileprivate var isItem: Bool { if case .item = self { true } else { false } }
}

/// A cached answer, divided into pages independently of its server's pagination.
struct CachedDocument: Sendable {
  let answer: CachedAnswer
  /// Returns the document as if it ended after a count of bytes.
  private let start: @Sendable (_ byteCount: Int) -> LocalDocument
  private let whole: LocalDocument

  /// In bytes.
  private static let firstByteCount = 128 << 10

  /// - Parameter scope: the feed within which its IDs may be unique.
  init(_ answer: CachedAnswer, in cache: AnswerCache, scope: FeedScope?) {
    self.answer = answer
    start = { byteCount in
      LocalDocument(
        name: "the cached feed", address: .web(answer.address), scope: scope, contentType: answer.contentType
      ) { () async throws(FeedFailure) in
        var bytes: [UInt8] = []
        while bytes.count < byteCount {
          if Task.isCancelled { throw .cancelled }
          guard let piece = cache.bytes(of: answer, at: bytes.count), !piece.isEmpty else { throw .cachedFeedGone }
          bytes += piece
        }
        return bytes
      }
    }
    whole = start(answer.byteCount)
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    if cursor == .start, let page = await pageOfStart() { return page }
    return try await whole.page(cursor)
  }

  /// Reads the first page from the start of the document. It is valid only if more videos follow, because then none of
  /// its videos is cut off.
  private func pageOfStart() async -> FeedPage? {
    var byteCount = Self.firstByteCount
    while byteCount < answer.byteCount {
      let page = try? await start(byteCount).page(.start)
      if let page, page.videos.count == LocalDocument.firstCount, page.next != nil { return page }
      byteCount *= 4
    }
    return nil
  }
}

/// Limits how often yt-dlp replaces feeds, for all sources together: in an outage, all feeds of a site fail.
final class SubstituteLimit: Sendable, Equatable {
  /// The times of the last tries, in seconds since 1970.
  private let tries = Mutex<[Int]>([])

  private static let maximumCount = 4
  /// In seconds.
  private static let period = 900

  /// Whether another try is allowed, which is counted then.
  func acquire(at now: UnixTime) -> Bool {
    tries.withLock { tries in
      // A future time was stored before the clock was set back.
      tries.removeAll { !(0..<Self.period).contains(now.seconds - $0) }
      guard tries.count < Self.maximumCount else { return false }
      tries.append(now.seconds)
      return true
    }
  }

  static func == (left: SubstituteLimit, right: SubstituteLimit) -> Bool { left === right }
}
