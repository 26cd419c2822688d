import FeedfallFeeds
import FeedfallText

/// A list that is paged by `start` and `count`.
struct PeerTubeList: Paging {
  enum Place: Equatable {
    case endpoint(PeerTubeEndpoint)
    /// Another address with such a list. The server determines the size of the first page.
    case address(WebAddress)
  }
  let place: Place
  /// The number of videos to request.
  let count: Int

  func address(of cursor: FeedCursor) -> WebAddress? {
    switch (cursor, place) {
    case (.start, .endpoint(let endpoint)): endpoint.address(start: 0, count: count)
    case (.start, .address(let address)): address
    case (.offset(let start), .endpoint(let endpoint)): endpoint.address(start: start, count: count)
    case (.offset(let start), .address(let address)):
      address.setting(query: "start", to: String(start)).setting(query: "count", to: String(count))
    case (.page, _), (.address, _), (.archive, _), (.item, _): nil
    }
  }

  /// Continues after the requested count, because PeerTube omits hidden videos from a page.
  func cursor(after cursor: FeedCursor, _ answer: DecodedDocument) -> FeedCursor? {
    let (start, asked) =
      switch (cursor, place) {
      case (.offset(let start), _): (start, count)
      case (_, .endpoint): (0, count)
      case (_, .address): (0, answer.videos.count + answer.skippedCount)
      }
    let (next, isTooFar) = start.addingReportingOverflow(asked)
    guard !isSingleVideo, !answer.isEmpty, !isTooFar, next < answer.total ?? .max else { return nil }
    return .offset(next)
  }

  private var isSingleVideo: Bool {
    if case .endpoint(let endpoint) = place { endpoint.isSingleVideo } else { false }
  }
}
