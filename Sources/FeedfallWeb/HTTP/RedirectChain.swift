import FeedfallText

/// The redirects of a request: only to http and https, and never from https to http.
struct RedirectChain {
  static let maximumCount = 10

  private(set) var address: WebAddress
  /// The address to which permanent redirects alone have led; nil for none.
  private var permanentTarget: WebAddress?
  /// Whether it began at a known target, which is only a hint.
  let followsHint: Bool
  private var visited: Set<WebAddress> = []

  /// Starts at the address of a request, or at its known permanent target.
  init(from request: WebAddress, knownTarget: WebAddress? = nil) {
    address = knownTarget ?? request
    permanentTarget = knownTarget
    followsHint = knownTarget != nil
  }

  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// - Parameter target: the absolute address named by the server.
  mutating func follow(_ target: String, status: Int) throws(WebFailure) {
    visited.insert(address)
    guard visited.count <= Self.maximumCount else { throw .redirect(.tooMany) }
    guard let next = WebAddress(target) else { throw .redirect(.notWeb) }
    guard !visited.contains(next) else { throw .redirect(.circle) }
    guard address.scheme == "http" || next.scheme == "https" else { throw .redirect(.notEncrypted) }
    let isPermanentSoFar = visited.count == 1 || address == permanentTarget
    if isPermanentSoFar, [301, 308].contains(status) { permanentTarget = next }
    address = next
  }

  /// Whether only permanent redirects have led to the current address.
  var isPermanent: Bool { address == permanentTarget }
}
