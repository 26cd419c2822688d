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
