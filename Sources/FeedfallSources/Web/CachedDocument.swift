import FeedfallFeeds
import FeedfallText
import FeedfallWeb

/// A cached answer, divided into pages independently of its server's pagination.
struct CachedDocument: Sendable {
  let answer: CachedAnswer
  private let cache: AnswerCache
  private let scope: FeedScope?
  private let whole: LocalDocument

  /// In bytes.
  private static let firstByteCount = 128 << 10

  /// - Parameter scope: the feed within which its IDs may be unique.
  init(_ answer: CachedAnswer, in cache: AnswerCache, scope: FeedScope?) {
    (self.answer, self.cache, self.scope) = (answer, cache, scope)
    whole = Self.start(of: answer, answer.byteCount, in: cache, scope: scope)
  }

  func page(_ cursor: FeedCursor) async throws(FeedFailure) -> FeedPage {
    if cursor == .start, let page = await pageOfStart() { return page }
    return try await whole.page(cursor)
  }

  /// Reads the first page from the start of the document as if it ended there. The page is valid only if more videos
  /// follow, because then none of its videos is cut off.
  private func pageOfStart() async -> FeedPage? {
    var byteCount = Self.firstByteCount
    while byteCount < answer.byteCount {
      let page = try? await Self.start(of: answer, byteCount, in: cache, scope: scope).page(.start)
      if let page, page.videos.count == LocalDocument.firstCount, page.next != nil { return page }
      byteCount *= 4
    }
    return nil
  }

  private static func start(
    of answer: CachedAnswer, _ byteCount: Int, in cache: AnswerCache, scope: FeedScope?
  ) -> LocalDocument {
    LocalDocument(
      name: "the cached feed", address: .web(answer.address), scope: scope, contentType: answer.contentType
    ) { () async throws(FeedFailure) in
      var bytes: [UInt8] = []
      while bytes.count < byteCount {
        if Task.isCancelled { throw .cancelled }
        guard let piece = cache.bytes(of: answer, at: bytes.count), !piece.isEmpty else {
          throw FeedFailure(.cachedFeedGone)
        }
        bytes += piece
      }
      return bytes
    }
  }
}
