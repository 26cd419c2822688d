import FeedfallText

/// A cached answer without its body.
package struct CachedAnswer: Equatable, Sendable {
  /// Unique for each answer, so that it also identifies the version.
  package var id: Int
  /// The address that answered, after all redirects.
  package var address: WebAddress
  package var contentType: String
  var link: String?
  var entityTag: String?
  var lastModified: String?
  /// The time at which its server last sent or confirmed it.
  package var fetched: UnixTime
  var freshUntil: UnixTime
  package var byteCount: Int

  /// Whether it can be used without a request. A later page of a feed must not be older than the first page.
  package func isFresh(at now: UnixTime, since first: UnixTime?) -> Bool {
    fetched <= now && now < freshUntil && first.map { $0 <= fetched } ?? true
  }
}

extension CachedAnswer {
  private static let shortestExtension = 600

  /// Returns the end of its freshness after a random failure of its server: its age again, so that the longer the
  /// server fails, the less often it is requested.
  func endOfFreshness(afterFailureAt now: UnixTime) -> UnixTime {
    let age = now.seconds - fetched.seconds
    return UnixTime(seconds: now.seconds + min(max(age, Self.shortestExtension), CacheHeaders.longestFreshness))
  }
}

/// The validators of an answer, by which its server can confirm it (RFC 9110, 8.8).
package struct AnswerVersion: Hashable, Sendable {
  /// The address that answered, after all redirects, without its secrets.
  package let address: WebAddress
  package let entityTag: String?
  package let lastModified: String?

  /// Returns nil without a validator.
  package init?(of address: WebAddress, entityTag: String?, lastModified: String?) {
    (self.entityTag, self.lastModified) = (
      entityTag.flatMap(CacheHeaders.validator), lastModified.flatMap(CacheHeaders.validator)
    )
    self.address = address.forStorage
    if self.entityTag == nil, self.lastModified == nil { return nil }
  }
}

enum CacheChange: Equatable, Sendable {
  case answered(request: WebAddress, HTTPAnswer, CacheHeaders)
  case confirmed(CachedAnswer, CacheHeaders)
  case notStorable(request: WebAddress)
  case moved(request: WebAddress, target: WebAddress)
  /// The address that the user gave leads to a document at another address.
  case leads(request: WebAddress, document: WebAddress)
}
