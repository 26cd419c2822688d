/// The headers that a list demands for the request of a file; others than these two are ignored.
public struct RequestHeaders: Equatable, Sendable {
  /// 1 to 400 printable ASCII characters.
  public let userAgent: String?
  public let referrer: WebAddress?

  private static let longestUserAgent = 400

  /// Returns nil if neither value is valid.
  public init?(userAgent: String?, referrer: String?) {
    self.userAgent = userAgent.flatMap { text in
      (1...Self.longestUserAgent).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        ? text : nil
    }
    self.referrer = referrer.flatMap { WebAddress($0) }
    if self.userAgent == nil, self.referrer == nil { return nil }
  }
}
