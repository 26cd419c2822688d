import FeedfallText

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

/// The way of a request from address to address.
struct RedirectWay {
  private(set) var address: WebAddress
  private let knownTarget: WebAddress?
  private var hop = 0
  private var isPermanentSoFar = true

  /// Begins at a request's address, or at the one that is known to have taken its place.
  init(from request: WebAddress, knownTarget: WebAddress?) {
    address = knownTarget ?? request
    self.knownTarget = knownTarget
  }

  /// Goes on to where a server points.
  mutating func follow(_ target: String, status: Int) throws(FeedFailure) {
    hop += 1
    address = try Redirect.next(from: address, to: target, hop: hop)
    isPermanentSoFar = isPermanentSoFar && [301, 308].contains(status)
  }

  /// Whether all that was gone is to be gone at once the next time.
  var isPermanent: Bool { hop > 0 && isPermanentSoFar }

  /// Whether only what was known before has led here.
  var isStillKnownAlone: Bool { hop == 0 && knownTarget != nil }
}
