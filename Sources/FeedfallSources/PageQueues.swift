import FeedfallFeeds
import FeedfallText

/// The remaining items of a server's lists, keyed by the number of the page that continues them.
struct PageQueues<Rest> {
  private var rests: [Int: Rest] = [:]
  private var lastPage = 0
  /// The first number of the list that begins with the last first page.
  private var firstPage = 0

  mutating func store(_ rest: Rest) -> FeedCursor {
    lastPage += 1
    rests[lastPage] = rest
    return .page(lastPage)
  }

  /// The preceding list remains, because it is displayed until the new one is.
  mutating func startList() {
    rests = rests.filter { $0.key >= firstPage }
    firstPage = lastPage + 1
  }

  func rest(at page: Int) throws(FeedFailure) -> Rest {
    guard let rest = rests[page] else { throw FeedFailure(.noSuchPage) }
    return rest
  }
}
