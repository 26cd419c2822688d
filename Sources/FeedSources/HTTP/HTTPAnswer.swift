import VideoFeed

/// What a server answered, after all redirects.
struct HTTPAnswer: Equatable, Sendable {
  var status: Int
  var body: [UInt8]
  /// As sent; empty where the server says none.
  var contentType: String
  /// The values of all `Link` headers (RFC 8288); empty where the server sends none.
  var link = ""
  /// The address that answered.
  var address: WebAddress
  /// Seconds that the server asks to wait.
  var retryAfter: Int?
}
