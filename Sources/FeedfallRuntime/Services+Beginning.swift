import FeedfallCore
import FeedfallFeeds
import FeedfallText
import Synchronization

extension Services {
  /// Begins to load the first page of a source now, before anybody asks: who asks for it first in the same way gets
  /// that answer.
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

/// A page that is loading; it can be taken once, since a refresh wants the page as it is by then.
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
