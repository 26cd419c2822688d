import FeedfallText

/// The redirects of a request: only to http and https, and from https to http only if that is allowed. Their cookies
/// end with them, and those of https are never sent to http.
struct RedirectChain {
  static let maximumCount = 10

  private(set) var address: WebAddress
  /// The address to which permanent redirects alone have led; nil for none.
  private var permanentTarget: WebAddress?
  /// Whether it began at a known target, which is only a hint.
  let followsHint: Bool
  private let mayLeaveHTTPS: Bool
  private var visited: Set<Visit> = []
  private var jar = CookieJar()

  /// A redirect to the same address with another cookie is no circle.
  private struct Visit: Hashable {
    let address: WebAddress
    let cookies: String?
  }

  init(from request: WebAddress, knownTarget: WebAddress? = nil, mayLeaveHTTPS: Bool = false) {
    address = knownTarget ?? request
    self.mayLeaveHTTPS = mayLeaveHTTPS
    permanentTarget = knownTarget
    followsHint = knownTarget != nil
  }

  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  var cookies: String? { jar.header(for: address) }

  /// - Parameter target: the absolute address named by the server.
  mutating func follow(
    _ target: String, status: Int, cookies: [String] = [], at now: UnixTime = .now
  ) throws(WebFailure) {
    visited.insert(Visit(address: address, cookies: self.cookies))
    jar.store(cookies, from: address, at: now)
    guard visited.count <= Self.maximumCount else { throw .redirect(.tooMany) }
    guard let next = WebAddress(target) else { throw .redirect(.notWeb) }
    guard !visited.contains(Visit(address: next, cookies: jar.header(for: next))) else { throw .redirect(.circle) }
    guard mayLeaveHTTPS || address.scheme == "http" || next.scheme == "https" else {
      throw .redirect(.notEncrypted(UnencryptedRedirect(from: address, to: next)))
    }
    let isPermanentSoFar = visited.count == 1 || address == permanentTarget
    if isPermanentSoFar, next != address, [301, 308].contains(status) { permanentTarget = next }
    address = next
  }

  /// Whether only permanent redirects have led here, and the address does not receive their cookies.
  var isPermanent: Bool { address == permanentTarget && cookies == nil }
}
