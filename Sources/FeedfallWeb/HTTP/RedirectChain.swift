import FeedfallText

/// The redirects of a request: only to http and https, and never from https to http.
struct RedirectChain {
  static let maximumCount = 10

  private(set) var address: WebAddress
  private let knownTarget: WebAddress?
  private var count = 0
  private var isPermanentSoFar = true

  /// Starts at the address of a request, or at its known permanent target.
  init(from request: WebAddress, knownTarget: WebAddress?) {
    address = knownTarget ?? request
    self.knownTarget = knownTarget
  }

  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// - Parameter target: the absolute address named by the server.
  mutating func follow(_ target: String, status: Int) throws(WebFailure) {
    count += 1
    guard count <= Self.maximumCount else { throw .redirect(.tooMany) }
    guard let next = WebAddress(target) else { throw .redirect(.notWeb) }
    guard address.scheme == "http" || next.scheme == "https" else { throw .redirect(.notEncrypted) }
    address = next
    isPermanentSoFar = isPermanentSoFar && [301, 308].contains(status)
  }

  /// Whether all redirects to the current address were permanent.
  var isPermanent: Bool { count > 0 && isPermanentSoFar }

  /// Whether the current address is the known target, without further redirects.
  var isAtKnownTarget: Bool { count == 0 && knownTarget != nil }
}
