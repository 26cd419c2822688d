import FeedfallText

/// A cached answer without its body.
package struct CachedAnswer: Equatable, Sendable {
  /// Unique for every answer, so that it names a version too.
  package var id: Int
  /// The address that answered, after all redirects.
  package var address: WebAddress
  package var contentType: String
  var link: String?
  var entityTag: String?
  var lastModified: String?
  /// When its server last sent or confirmed it.
  package var fetched: UnixTime
  var freshUntil: UnixTime
  package var byteCount: Int

  /// Whether it stands for a new answer; a later page of a feed must not be older than the first one.
  package func isFresh(at now: UnixTime, since first: UnixTime?) -> Bool {
    fetched <= now && now < freshUntil && first.map { $0 <= fetched } ?? true
  }
}

extension CachedAnswer {
  private static let shortestExtension = 600

  /// The end of its freshness after its server failed at random: as long again as it is old, so that the server is asked
  /// less and less often.
  func endOfFreshness(afterFailureAt now: UnixTime) -> UnixTime {
    let age = now.seconds - fetched.seconds
    return UnixTime(seconds: now.seconds + min(max(age, Self.shortestExtension), CacheHeaders.longestFreshness))
  }
}

/// A change of the cache by a load.
enum CacheChange: Equatable, Sendable {
  case answered(request: WebAddress, HTTPAnswer, CacheHeaders)
  case confirmed(CachedAnswer, CacheHeaders)
  case notStorable(request: WebAddress)
  case moved(request: WebAddress, target: WebAddress)
  /// The address that the user gave leads to a document at another address.
  case leads(request: WebAddress, document: WebAddress)
}
