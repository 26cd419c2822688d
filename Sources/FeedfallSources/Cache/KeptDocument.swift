import FeedfallFeeds
import FeedfallText

/// A kept answer whose videos are given out in pages, whatever pages its server makes.
struct KeptDocument: Sendable {
  let answer: KeptAnswer
  private let cache: AnswerCache
  private let whole: LocalDocument

  init(_ answer: KeptAnswer, in cache: AnswerCache) {
    self.answer = answer
    self.cache = cache
    whole = .kept(KeptBytes(cache: cache, answer: answer, byteCount: answer.byteCount))
  }

  func page(_ cursor: FeedCursor) async -> Result<FeedPage, FeedFailure> {
    if cursor == .start, let page = await pageOfStart() { return .success(page) }
    return await whole.page(cursor)
  }

  /// The first page from the document's first part, as if it broke off there: of forms that are read when all of them is
  /// there as little has to be read. Only a page is good that more follows, since then all of it is whole.
  private func pageOfStart() async -> FeedPage? {
    var byteCount = DocumentLimits.pieceByteCount
    while byteCount < answer.byteCount {
      let start = LocalDocument.kept(KeptBytes(cache: cache, answer: answer, byteCount: byteCount))
      let page = try? await start.page(.start).get()
      if let page, page.videos.count == LocalDocument.firstCount, page.next != nil { return page }
      byteCount *= 4
    }
    return nil
  }
}
