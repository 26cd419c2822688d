import VideoFeed

/// The rule for following redirects: at most ten, to http and https alone, and never from https back to http.
enum Redirect {
  static let maximumCount = 10

  /// The address to go on to, given the absolute address that a server named; `hop` counts from 1.
  static func next(
    from address: WebAddress, to target: String, hop: Int
  ) throws(FeedFailure) -> WebAddress {
    guard hop <= maximumCount else {
      throw FeedFailure(
        .permanent, "the server redirects more than \(maximumCount) times", advice: "check the address")
    }
    guard let next = WebAddress(target) else {
      throw FeedFailure(.permanent, "the server redirects to something that is no web address")
    }
    guard address.scheme == "http" || next.scheme == "https" else {
      throw FeedFailure(
        .permanent, "the server redirects from https to http, which is not encrypted",
        advice: "to trust it all the same, give the http address")
    }
    return next
  }

  /// Whether an answer with this status says only where to go.
  static func isAnnounced(by status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }
}
