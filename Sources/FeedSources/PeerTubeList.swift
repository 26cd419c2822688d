import VideoFeed

/// A list that is asked for by `start` and `count`.
enum PeerTubeList: Equatable, Sendable {
  case endpoint(PeerTubeEndpoint)
  /// Another address that turned out to hold such a list.
  case address(WebAddress)

  func address(start: Int, count: Int) -> WebAddress {
    switch self {
    case .endpoint(let endpoint): endpoint.address(start: start, count: count)
    case .address(let address):
      address.setting(query: "start", to: String(start)).setting(query: "count", to: String(count))
    }
  }

  var isSingleVideo: Bool {
    switch self {
    case .endpoint(let endpoint): endpoint.isSingleVideo
    case .address: false
    }
  }

  /// Where the next page begins: after what was asked for, since PeerTube leaves hidden videos out of a page.
  func next(start: Int, asked count: Int, answer: DecodedDocument) -> FeedCursor? {
    let isEmpty = answer.videos.isEmpty && answer.skippedCount == 0
    let (next, isTooFar) = start.addingReportingOverflow(count)
    guard !isSingleVideo, !isEmpty, !isTooFar, next < answer.total ?? .max else { return nil }
    return .offset(next)
  }
}
