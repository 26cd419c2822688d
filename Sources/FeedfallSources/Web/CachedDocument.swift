import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// A cached answer, divided into pages independently of its server's pagination.
struct CachedDocument: Sendable {
  let answer: CachedAnswer
  private let cache: AnswerCache
  private let scope: FeedScope?
  private let whole: LocalDocument

  /// - Parameter scope: the feed within which its IDs may be unique.
  init(_ answer: CachedAnswer, in cache: AnswerCache, scope: FeedScope?) {
    (self.answer, self.cache, self.scope) = (answer, cache, scope)
    whole = .cached(Bytes(cache: cache, answer: answer, byteCount: answer.byteCount), scope: scope)
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    if cursor == .start, let page = await pageOfStart() { return page }
    return try await whole.page(cursor)
  }

  /// Reads the first page from the start of the document as if it ended there, because some formats are decoded only as
  /// a whole. The page is valid only if more videos follow, because then none of its videos is cut off.
  private func pageOfStart() async -> FeedPage? {
    var byteCount = LocalDocument.pieceByteCount
    while byteCount < answer.byteCount {
      let start = LocalDocument.cached(
        Bytes(cache: cache, answer: answer, byteCount: byteCount), scope: scope)
      let page = try? await start.page(.start)
      if let page, page.videos.count == LocalDocument.firstCount, page.next != nil { return page }
      byteCount *= 4
    }
    return nil
  }
}

extension CachedDocument {
  struct Bytes: DocumentBytes {
    let cache: AnswerCache
    let answer: CachedAnswer
    let byteCount: Int

    var isGrowing: Bool { false }

    func read(at offset: Int, timeoutMilliseconds: Int?) async -> DocumentPiece {
      if Task.isCancelled { return .failed(.cancelled) }
      guard offset < byteCount else { return .end }
      guard let bytes = cache.bytes(of: answer, at: offset), !bytes.isEmpty else {
        return .failed(FeedFailure(.cachedFeedGone))
      }
      return .bytes(Array(bytes))
    }
  }
}
