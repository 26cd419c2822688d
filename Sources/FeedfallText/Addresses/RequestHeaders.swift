/// The request headers for a file: `User-Agent` and `Referer` from the list, and the source's authorization. Other
/// headers are ignored.
public struct RequestHeaders: Equatable, Sendable {
  // One reference, because lists have thousands of files, nearly all without headers.
  private let values: Values

  private final class Values: Sendable {
    let userAgent: String?
    let referrer: WebAddress?
    let authorization: Authorization?
    let account: Int?

    init(userAgent: String?, referrer: WebAddress?, _ authorization: Authorization? = nil, account: Int? = nil) {
      (self.userAgent, self.referrer, self.authorization) = (userAgent, referrer, authorization)
      self.account = account
    }
  }

  /// 1 to 400 printable ASCII characters.
  public var userAgent: String? { values.userAgent }
  public var referrer: WebAddress? { values.referrer }
  public var authorization: Authorization? { values.authorization }
  /// Identifies the source whose authorization it is; two sources may have the same one. It is not sent.
  public var account: Int? { values.account }

  private static let longestUserAgent = 400

  /// Returns nil if neither value is valid.
  public init?(userAgent: String?, referrer: String?) {
    let userAgent = userAgent.flatMap { text in
      (1...Self.longestUserAgent).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        ? text : nil
    }
    let referrer = referrer.flatMap { WebAddress($0) }
    guard userAgent != nil || referrer != nil else { return nil }
    values = Values(userAgent: userAgent, referrer: referrer)
  }

  /// Adds the authorization of an account to headers, of which there may be none.
  public init(_ headers: RequestHeaders?, authorization: Authorization, account: Int? = nil) {
    values = Values(userAgent: headers?.userAgent, referrer: headers?.referrer, authorization, account: account)
  }

  public static func == (one: RequestHeaders, other: RequestHeaders) -> Bool {
    one.userAgent == other.userAgent && one.referrer == other.referrer && one.authorization == other.authorization
      && one.account == other.account
  }
}
