import FeedfallApp
import FeedfallFeeds
import FeedfallText

/// First pages whose loading begins before the main loop. Each answers one request: a later refresh needs current data.
public struct PagePrefetch {
  typealias Answer = Result<FeedPage, FeedFailure>

  private struct Request: Hashable {
    var source: SourceID
    var use: CacheUse
  }

  private var tasks: [Request: Task<Answer, Never>] = [:]

  public init() {}

  /// Starts loading the first page of a source, on the source's worker.
  public mutating func begin(_ source: SourceID, _ use: CacheUse, by services: Services, on worker: Worker) {
    tasks[Request(source: source, use: use)] = Task.detached(executorPreference: worker.worker(of: source)) {
      [page = services.page] in
      await page(source, .start, use)
    }
  }

  /// Removes the page for a request and returns a wait for it, whose cancellation ends the loading; nil for a page that
  /// was not begun.
  mutating func dequeue(
    _ source: SourceID, _ cursor: FeedCursor, _ use: CacheUse
  ) -> (@Sendable () async -> Answer)? {
    guard cursor == .start, let task = tasks.removeValue(forKey: Request(source: source, use: use)) else { return nil }
    return {
      await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }
}
