import FeedfallText

/// What a server answered, after all redirects.
struct HTTPAnswer: Equatable, Sendable {
  var status: Int
  var body: [UInt8]
  /// As sent; empty where the server says none.
  var contentType: String
  /// The address that answered.
  var address: WebAddress
  /// Seconds that the server asks to wait.
  var retryAfter: Int?
  /// The Link header, which may name the next page (RFC 8288).
  var link: String?
}
