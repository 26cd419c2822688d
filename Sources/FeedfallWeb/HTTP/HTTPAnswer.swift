import FeedfallText

/// The answer of a server, after all redirects.
package struct HTTPAnswer: Equatable, Sendable {
  package var status: Int
  package var body: [UInt8]
  /// Whether the end of the body is missing.
  package var isCut = false
  package var contentType: String
  package var address: WebAddress
  /// Seconds to wait before the next request, from `Retry-After`.
  package var retryAfter: Int?
  /// Whether the server itself named a time to wait.
  package var asksToWait = false
  /// The `Link` header (RFC 8288).
  package var link: String?
  /// The time of the answer by the server's clock.
  package var date: UnixTime?
  /// Whether this is a failure that this server sends at random for pages that exist.
  package var isTransientFailure = false
  package var login = LoginUse.none
  /// Whether it is from a WebDAV server (RFC 4918).
  package var isDAV = false
  /// The caching headers of a status 200 or 304, if the load bypasses the cache.
  package var caching: CacheHeaders?

  package enum LoginUse: Equatable, Sendable {
    case none
    case sent
    /// A redirect led to another server, which must not receive it.
    case withheld
  }

  /// Nil for 200 to 299.
  package var failure: WebFailure? {
    if (200...299).contains(status) { return nil }
    switch (status, login) {
    case (401, .sent): return .loginRefused
    case (401, .withheld): return .loginWithheld(origin: address.origin)
    default: break
    }
    return isTransientFailure
      ? .transient(status: status, host: address.shownHost) : .status(status, retryAfter: retryAfter)
  }
}

package struct HTTPHeaders: Equatable, Sendable {
  private var values: [String: [String]] = [:]

  /// One header per line. Other lines, such as the status line, are skipped.
  init(lines: String) {
    for line in lines.utf8.split(whereSeparator: { $0 == 0x0D || $0 == 0x0A }) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { continue }
      let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
      let value = Array(line[line.index(after: colon)...]).trimmingBlanks()
      values[name, default: []].append(String(decoding: value, as: UTF8.self))
    }
  }

  /// Of the header with this lower-case name, joined by commas; nil if it is missing.
  package subscript(name: String) -> String? { values[name]?.joined(separator: ", ") }

  /// The values of each `Set-Cookie` header, which may contain commas.
  var cookies: [String] { values["set-cookie"] ?? [] }
}

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
