import FeedfallFeeds
import FeedfallText
import Synchronization

/// An address in the web: a feed or, where it is a page that is none and names none, the videos that yt-dlp finds in it.
final class WebSource: Sendable {
  private let feed: HTTPFeed
  private let keptFeed: CachedFeed
  /// Nil where yt-dlp is not installed.
  private let videosInPage: YtDlpFeed?
  private let isReadByYtDlp = Mutex(false)

  init(_ feed: HTTPFeed, from request: WebAddress, videosInPage: YtDlpFeed?, client: HTTPClient) {
    self.feed = feed
    keptFeed = CachedFeed(feed, from: request, client: client)
    self.videosInPage = videosInPage
  }

  func page(_ cursor: FeedCursor, _ use: CacheUse) async -> Result<FeedPage, FeedFailure> {
    if isReadByYtDlp.withLock({ $0 }), let videosInPage {
      // What a program has printed is not kept.
      guard use != .onlyIfCached else { return .failure(.notKept) }
      return await Result.of { () throws(FeedFailure) in try await videosInPage.page(cursor) }
    }
    let result = await keptFeed.page(cursor, use)
    guard case .failure(let failure) = result, feed.isWebPage, use != .onlyIfCached else { return result }
    return await Result.of { () throws(FeedFailure) in try await videos(insteadOf: failure) }
  }

  private func videos(insteadOf failure: FeedFailure) async throws(FeedFailure) -> FeedPage {
    var failure = failure
    guard let videosInPage else {
      failure.advice = "give a feed's address, or install yt-dlp, which may find videos in it"
      throw failure
    }
    do {
      let page = try await videosInPage.page(.start)
      isReadByYtDlp.withLock { $0 = true }
      return page
    } catch {
      if error == .cancelled { throw error }
      failure.kind = error.kind
      failure.reason += "; \(error.reason)"
      throw failure
    }
  }
}
