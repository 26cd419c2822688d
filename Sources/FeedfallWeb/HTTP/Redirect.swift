import FeedfallText

/// The rule for following redirects: at most ten, to http and https alone, and never from https back to http.
enum Redirect {
  static let maximumCount = 10

  /// The address to request next, given the absolute address that a server named; `hop` counts from 1.
  static func next(
    from address: WebAddress, to target: String, hop: Int
  ) throws(WebFailure) -> WebAddress {
    guard hop <= maximumCount else { throw .redirect(.tooMany) }
    guard let next = WebAddress(target) else { throw .redirect(.notWeb) }
    guard address.scheme == "http" || next.scheme == "https" else { throw .redirect(.notEncrypted) }
    return next
  }

  static func isAnnounced(by status: Int) -> Bool {
    [301, 302, 303, 307, 308].contains(status)
  }
}

/// The path of a request from address to address.
struct RedirectChain {
  private(set) var address: WebAddress
  private let knownTarget: WebAddress?
  private var hop = 0
  private var isPermanentSoFar = true

  /// Begins at a request's address, or at its known permanent target.
  init(from request: WebAddress, knownTarget: WebAddress?) {
    address = knownTarget ?? request
    self.knownTarget = knownTarget
  }

  mutating func follow(_ target: String, status: Int) throws(WebFailure) {
    hop += 1
    address = try Redirect.next(from: address, to: target, hop: hop)
    isPermanentSoFar = isPermanentSoFar && [301, 308].contains(status)
  }

  /// Whether the request has moved for good to the present address.
  var isPermanent: Bool { hop > 0 && isPermanentSoFar }

  /// Whether the present address is the known target, without a redirect since.
  var isAtKnownTarget: Bool { hop == 0 && knownTarget != nil }
}
