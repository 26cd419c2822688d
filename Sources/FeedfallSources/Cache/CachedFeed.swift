import FeedfallFeeds
import FeedfallText
import Synchronization

/// A feed in the web together with what is kept of it.
final class CachedFeed: Sendable {
  private let feed: HTTPFeed
  /// The same feed as it is kept: where that leads need not be where it leads now.
  private let keptFeed: HTTPFeed
  /// What the person gave.
  private let start: WebAddress
  private let client: HTTPClient
  private let state = Mutex(State())

  private struct State {
    /// When the first page was got that was given out last.
    var firstPageAt: UnixTime?
    var document: KeptDocument?
  }

  init(_ feed: HTTPFeed, from start: WebAddress, client: HTTPClient) {
    self.feed = feed
    keptFeed = HTTPFeed(anew: feed)
    self.start = start
    self.client = client
  }

  func page(_ cursor: FeedCursor, _ use: CacheUse) async -> Result<FeedPage, FeedFailure> {
    await anyPage(cursor, use).map { page in
      var page = page
      page.notice = client.cache.takeNotice()
      if cursor == .start { state.withLock { $0.firstPageAt = page.savedAt ?? .now } }
      return page
    }
  }

  private func anyPage(_ cursor: FeedCursor, _ use: CacheUse) async -> Result<FeedPage, FeedFailure> {
    if let page = await keptPage(cursor, use, leastByteCount: Self.largeByteCount) { return page }
    let asked = await askedPage(cursor, use)
    guard case .failure = asked, use == .onlyIfCached else { return asked }
    // What leads to the document may be nothing to keep.
    return await keptPage(cursor, use, leastByteCount: 0) ?? asked
  }

  private func askedPage(_ cursor: FeedCursor, _ use: CacheUse) async -> Result<FeedPage, FeedFailure> {
    // Of a document that is kept no more, what follows an item comes with all of it.
    let cursor = cursor.isItem ? .start : cursor
    let first = cursor == .start ? nil : state.withLock { $0.firstPageAt }
    let visit = CacheVisit(client.cache, use, since: first)
    let feed = use == .onlyIfCached ? keptFeed : feed
    return await feed.page(cursor, client.visiting(visit)).map { page in
      visit.leaveNews(start: cursor == .start ? start : nil)
      // A reading of what was kept before may hold all of a large document.
      if cursor == .start, use != .onlyIfCached { state.withLock { $0.document = nil } }
      var page = page
      page.savedAt = visit.savedAt
      return page
    }
  }

  // MARK: kept documents

  /// From which size on no more is read of a document than the page needs.
  private static let largeByteCount = 256 << 10

  /// A page of a kept document that is read piece by piece; nil where there is none, or another is wanted.
  private func keptPage(
    _ cursor: FeedCursor, _ use: CacheUse, leastByteCount: Int
  ) async -> Result<FeedPage, FeedFailure>? {
    guard let document = document(for: cursor, use, leastByteCount) else { return nil }
    do {
      return .success(try await page(of: document, cursor))
    } catch {
      guard cursor.isItem, error != .cancelled else { return error == .cancelled ? .failure(error) : nil }
      state.withLock { $0.document = nil }
      // Where another answer has taken its place, that goes on.
      guard client.cache.document(of: start)?.id != document.answer.id else { return .failure(error) }
      return await keptPage(cursor, use, leastByteCount: leastByteCount)
    }
  }

  private func page(of document: KeptDocument, _ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    var page = try await document.page(cursor).get()
    page.savedAt = document.answer.fetched
    guard page.next == nil else { return page }
    // One that only leads to videos is no page.
    guard cursor.isItem || !page.videos.isEmpty else { throw .notKept }
    // What follows a whole document is for its kind to say.
    let whole = try? await keptFeed.page(.start, client.visiting(CacheVisit(client.cache, .onlyIfCached))).get()
    page.next = whole?.next
    page.total = whole?.total
    return page
  }

  private func document(for cursor: FeedCursor, _ use: CacheUse, _ leastByteCount: Int) -> KeptDocument? {
    switch cursor {
    case .item:
      if let document = state.withLock({ $0.document }) { return document }
      let document = document(leastByteCount)
      state.withLock { $0.document = document }
      return document
    case .start:
      guard use != .revalidated, let document = document(leastByteCount),
        use == .onlyIfCached || document.answer.isFresh(at: .now, since: nil)
      else { return nil }
      state.withLock { $0.document = document }
      return document
    case .page, .offset, .address: return nil
    }
  }

  private func document(_ leastByteCount: Int) -> KeptDocument? {
    guard let answer = client.cache.document(of: start), answer.byteCount >= leastByteCount else { return nil }
    return KeptDocument(answer, in: client.cache)
  }
}

extension FeedCursor {
  fileprivate var isItem: Bool { if case .item = self { true } else { false } }
}
