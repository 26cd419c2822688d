import FeedfallText

/// The path of a request from address to address: to http and https alone, and never from https back to http.
struct RedirectChain {
  static let maximumCount = 10

  private(set) var address: WebAddress
  private let knownTarget: WebAddress?
  private var count = 0
  private var isPermanentSoFar = true

  /// Begins at a request's address, or at its known permanent target.
  init(from request: WebAddress, knownTarget: WebAddress?) {
    address = knownTarget ?? request
    self.knownTarget = knownTarget
  }

  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// - Parameter target: the absolute address that the server named.
  mutating func follow(_ target: String, status: Int) throws(WebFailure) {
    count += 1
    guard count <= Self.maximumCount else { throw .redirect(.tooMany) }
    guard let next = WebAddress(target) else { throw .redirect(.notWeb) }
    guard address.scheme == "http" || next.scheme == "https" else { throw .redirect(.notEncrypted) }
    address = next
    isPermanentSoFar = isPermanentSoFar && [301, 308].contains(status)
  }

  /// Whether the request has moved for good to the present address.
  var isPermanent: Bool { count > 0 && isPermanentSoFar }

  /// Whether the present address is the known target, without a redirect since.
  var isAtKnownTarget: Bool { count == 0 && knownTarget != nil }
}
