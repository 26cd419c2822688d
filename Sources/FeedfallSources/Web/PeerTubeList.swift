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

  /// The count of videos in an answer to a request without `count`.
  private static let defaultCount = 15

  /// Continues after the requested count, because PeerTube omits hidden videos from a page.
  ///
  /// A full page is always followed by another one, because the total shrinks when videos are deleted.
  func cursor(after cursor: FeedCursor, _ answer: DecodedDocument) -> FeedCursor? {
    let seen = answer.videos.count + answer.skippedCount
    let (start, asked, full) =
      switch (cursor, place) {
      case (.offset(let start), _): (start, count, count)
      case (_, .endpoint): (0, count, count)
      case (_, .address(let address)):
        (0, seen, address.queryValue("count").flatMap { Int($0) } ?? Self.defaultCount)
      }
    let (next, isTooFar) = start.addingReportingOverflow(asked)
    guard !isSingleVideo, !answer.isEmpty, !isTooFar, seen >= full || next < answer.total ?? .max else { return nil }
    return .offset(next)
  }

  private var isSingleVideo: Bool {
    if case .endpoint(let endpoint) = place { endpoint.isSingleVideo } else { false }
  }
}
