import FeedfallFeeds
import FeedfallSources
import FeedfallSystem
import FeedfallText
import Synchronization

extension Listing {
  /// Loads the pages of a source for a list, one after the other. If the first one fails, the cached pages replace it.
  struct PageLoad: Sendable {
    enum Answer: Sendable {
      case page(FeedPage)
      /// The cached first page, in place of one that could not be loaded.
      case cached(FeedPage, FeedFailure)
      case failure(FeedFailure, isFirst: Bool)
    }

    private let source: RetryingSource
    private var leftCount: Int
    private var cursor: FeedCursor? = .start
    private(set) var isFromCache = false
    /// The number of consecutive pages without an item.
    private var emptyCount = 0
    private var loaded: [Answer] = []

    var hasMore: Bool { cursor != nil }

    /// A server may have any number of pages without an item. A pipe has its own end.
    private static let maximumEmptyCount = 10

    init(_ source: RetryingSource, pageCount: Int) {
      self.source = source
      leftCount = pageCount
    }

    mutating func readAhead(_ count: Int) async {
      while loaded.count < count, let answer = await load() { loaded.append(answer) }
    }

    /// Returns the next page; nil after the last one or a failure.
    mutating func next() async -> Answer? { loaded.isEmpty ? await load() : loaded.removeFirst() }

    private mutating func load() async -> Answer? {
      guard leftCount > 0, let requested = cursor else { return nil }
      leftCount -= 1
      switch await source.page(requested, isFromCache ? .onlyIfCached : .revalidated) {
      case .success(let page):
        return .page(adopt(page, at: requested))
      case .failure(let failure):
        if requested == .start, case .success(let page) = await source.pages.page(.start, .onlyIfCached) {
          isFromCache = true
          return .cached(adopt(page, at: requested), failure)
        }
        leftCount = 0
        // The failure of the server was reported already.
        return isFromCache ? nil : .failure(failure, isFirst: requested == .start)
      }
    }

    private mutating func adopt(_ page: FeedPage, at requested: FeedCursor) -> FeedPage {
      cursor = page.next == requested ? nil : page.next
      emptyCount = page.videos.isEmpty && page.skippedCount == 0 ? emptyCount + 1 : 0
      if emptyCount >= Self.maximumEmptyCount, !source.pages.isLocal { leftCount = 0 }
      return page
    }
  }
}

/// Requests pages of a source for a command. Retries after a wait that the server asks for, as long as all waits for a
/// page together are shorter than the time-out. Prints the first wait.
final class RetryingSource: Sendable {
  let pages: PageSource
  /// The prefix of the message, with a colon; empty for a single source.
  private let name: String
  /// The longest time that a server may ask to wait.
  private let timeoutSeconds: Double
  private let hasReported = Atomic(false)

  init(_ pages: PageSource, called name: String = "", timeoutSeconds: Double) {
    (self.pages, self.name, self.timeoutSeconds) = (pages, name, timeoutSeconds)
  }

  func page(_ cursor: FeedCursor, _ use: CacheUse) async -> Result<FeedPage, FeedFailure> {
    var leftSeconds = timeoutSeconds
    while true {
      let result = await pages.page(cursor, use)
      guard case .failure(let failure) = result, case .wait(let seconds) = failure.kind else { return result }
      let pause = max(1, Double(seconds))
      guard pause < leftSeconds else { return result }
      leftSeconds -= pause
      if !hasReported.exchange(true, ordering: .relaxed) {
        printError("\(name)Waiting \(seconds) s: \(failure.reason).")
      }
      do { try await Task.sleep(for: .seconds(pause)) } catch { return result }
    }
  }
}

extension Worker {
  private static let sourceCount = 8

  /// Loads several sources at the same time, and calls `body` with the number and the result of each in their order, as
  /// soon as it and those before are there. Ends when `body` returns false.
  func load<Loaded: Sendable>(
    _ count: Int, _ load: @escaping @Sendable (Int) async -> Loaded, _ body: (Int, Loaded) -> Bool
  ) {
    let results = (0..<count).map { _ in Promise<Loaded?>() }
    Task.detached(executorPreference: self) {
      await withTaskGroup(of: Void.self) { group in
        for (number, result) in results.enumerated() {
          if number >= Self.sourceCount { await group.next() }
          group.addTask { _ = result.fulfill(await load(number)) }
        }
      }
    }
    for (number, result) in results.enumerated() {
      guard let loaded = wait(for: { await result.value(whenCancelled: nil) }), body(number, loaded) else { return }
    }
  }
}
