/// Whether an answer that is kept may stand for a new one, in the words of HTTP's caching (RFC 9111).
public enum CacheUse: Equatable, Sendable {
  /// While it is fresh, as its server promised.
  case whileFresh
  /// Never before the server was asked, be it only whether anything has changed.
  case revalidated
  /// However old it is; where none is kept, the request fails and the network is not asked.
  case onlyIfCached
}
