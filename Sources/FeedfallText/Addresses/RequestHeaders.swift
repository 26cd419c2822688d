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

/// A proof of identity for one server. It is for requests alone: no description and no reflection contains the secret.
public enum Authorization: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// A user name and a password (RFC 7617).
  case basic(user: String, password: String)
  /// The value of the `Authorization` header of another kind.
  case other(HeaderValue)

  public var description: String { "Authorization" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }

  package var user: String? { if case .basic(let user, _) = self { user } else { nil } }
  package var password: String? { if case .basic(_, let password) = self { password } else { nil } }
  package var header: HeaderValue? { if case .other(let value) = self { value } else { nil } }
}

extension WebAddress {
  /// Whether scheme, host and port are those of another address.
  public func hasSameOrigin(as other: WebAddress) -> Bool {
    scheme == other.scheme && host == other.host && effectivePort == other.effectivePort
  }

  private var effectivePort: Int { port ?? (scheme == "https" ? 443 : 80) }

  package func naming(user: String, password: String) -> WebAddress {
    let login = [user, password].map { PercentCoding.encode($0.utf8, except: "") }.joined(separator: ":")
    let rest = text.removingUser.utf8.dropFirst(scheme.utf8.count + 3)
    let address = "\(scheme)://\(login)@" + String(decoding: rest, as: UTF8.self)
    return WebAddress(unchecked: address)
  }
}

/// The value of a request's header. It has no control characters, so it cannot end its line and begin another header
/// (RFC 9110, 5.5).
public struct HeaderValue: Hashable, Sendable {
  public let text: String

  static let maximumByteCount = 8_192

  /// Returns nil for a text that cannot be sent unchanged: an empty or very long one, or one with control characters or
  /// replacement characters.
  public init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount,
      text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) && $0 != "\u{FFFD}" })
    else { return nil }
    self.text = text
  }
}
