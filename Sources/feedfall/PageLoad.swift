import FeedfallFeeds
import FeedfallRuntime
import FeedfallSources
import FeedfallSystem
import FeedfallText

/// Loads the pages of a source for a list, one after the other. If the first one fails, the cached pages replace it.
struct PageLoad: Sendable {
  enum Answer: Sendable {
    case page(FeedPage)
    /// The cached first page, in place of one that could not be loaded.
    case cached(FeedPage, FeedFailure)
    case failure(FeedFailure, isFirst: Bool)
  }

  private let source: PageSource
  /// The longest time that a server may ask to wait.
  private let timeoutSeconds: Double
  /// The number of pages that are still to be loaded.
  private var leftCount: Int
  private var cursor: FeedCursor? = .start
  private(set) var isFromCache = false
  private var loaded: [Answer] = []

  /// Whether further pages follow the loaded ones.
  var hasMore: Bool { cursor != nil }

  init(_ source: PageSource, pageCount: Int, timeoutSeconds: Double) {
    self.source = source
    self.timeoutSeconds = timeoutSeconds
    leftCount = pageCount
  }

  /// Prefetches pages.
  mutating func readAhead(_ count: Int) async {
    while loaded.count < count, let answer = await load() { loaded.append(answer) }
  }

  /// Returns the next page; nil after the last one or a failure.
  mutating func next() async -> Answer? { loaded.isEmpty ? await load() : loaded.removeFirst() }

  private mutating func load() async -> Answer? {
    guard leftCount > 0, let requested = cursor else { return nil }
    leftCount -= 1
    switch await page(requested) {
    case .success(let page):
      return .page(adopt(page, at: requested))
    case .failure(let failure):
      if requested == .start, case .success(let page) = await source.page(.start, .onlyIfCached) {
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
    return page
  }

  /// Requests a page. A server that asks to wait is asked again, as long as all waits are shorter than the time-out.
  private func page(_ cursor: FeedCursor) async -> Result<FeedPage, FeedFailure> {
    var remainingSeconds = timeoutSeconds
    while true {
      let result = await source.page(cursor, isFromCache ? .onlyIfCached : .revalidated)
      guard case .failure(let failure) = result, case .wait(let seconds) = failure.kind else { return result }
      let pause = max(1, Double(seconds))
      guard pause < remainingSeconds else { return result }
      remainingSeconds -= pause
      try? await Task.sleep(for: .seconds(pause))
    }
  }
}

extension Worker {
  /// The number of sources that are loaded at the same time.
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
