import FeedfallCore
import FeedfallFeeds
import FeedfallText
import Synchronization

extension Services {
  /// Starts loading the first page of a source, and returns services whose first identical request gets that result.
  public func beginning(_ source: SourceID, _ use: CacheUse, on worker: Worker) -> Services {
    let begun = BegunPage(Task.detached(executorPreference: worker) { [page] in await page(source, .start, use) })
    var services = self
    services.page = { [page] askedSource, cursor, askedUse in
      guard askedSource == source, cursor == .start, askedUse == use, let task = begun.take() else {
        return await page(askedSource, cursor, askedUse)
      }
      return await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
    }
    return services
  }
}

/// A prefetched page. Only one request gets it, because a later refresh needs current data.
private final class BegunPage: Sendable {
  typealias Loading = Task<Result<FeedPage, FeedFailure>, Never>

  private let task: Mutex<Loading?>

  init(_ task: Loading) { self.task = Mutex(task) }

  func take() -> Loading? {
    task.withLock { task in
      defer { task = nil }
      return task
    }
  }
}
