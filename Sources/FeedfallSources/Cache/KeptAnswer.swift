import FeedfallText

/// What is known of an answer that is kept, all but its body.
struct KeptAnswer: Equatable, Sendable {
  /// Another one for every answer, so that it names a version too.
  var id: Int
  /// The address that answered, after all redirects.
  var address: WebAddress
  var contentType: String
  var link: String?
  var entityTag: String?
  var lastModified: String?
  /// When its server last gave it, or said that it still holds.
  var fetched: UnixTime
  var freshUntil: UnixTime
  var byteCount: Int

  /// Whether it may stand for a new answer; a page of a feed only where it is not older than the first one.
  func isFresh(at now: UnixTime, since first: UnixTime?) -> Bool {
    fetched <= now && now < freshUntil && first.map { $0 <= fetched } ?? true
  }
}

extension KeptAnswer {
  private static let shortestTrust = 600

  /// Until when it is to stand for a new one that its server failed to give: as long as it had not come before, so that
  /// the server is asked less and less.
  func end(ofTrustAfterFailureAt now: UnixTime) -> UnixTime {
    let age = now.seconds - fetched.seconds
    return UnixTime(seconds: now.seconds + min(max(age, Self.shortestTrust), CacheHeaders.longestFreshness))
  }
}

/// What a load has brought that changes what is kept.
enum CacheNews: Equatable, Sendable {
  case answered(request: WebAddress, HTTPAnswer, CacheHeaders)
  /// The server says that the kept answer still holds.
  case confirmed(KeptAnswer, CacheHeaders)
  /// An answer has come that must not be kept.
  case notToKeep(request: WebAddress)
  /// All requests for an address are to go to another one from now on.
  case moved(request: WebAddress, target: WebAddress)
  /// What a person asked for leads to a document, be it at another address.
  case leads(request: WebAddress, document: WebAddress)
}
