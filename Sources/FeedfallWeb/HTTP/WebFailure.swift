import FeedfallText
import Glibc

package enum WebFailure: Error, Equatable, Sendable {
  case cancelled
  /// Only a cached answer was requested, and there is none.
  case notCached
  /// The server asked to wait; these seconds remain.
  case paused(host: String, seconds: Int)
  case status(Int, retryAfter: Int?)
  /// Status 401 although the authorization of the source was sent.
  case loginRefused
  /// Status 401 of a server to which the source's own redirects, and which must not receive its authorization.
  case loginWithheld(origin: String)
  case transient(status: Int, host: String)
  case tooLarge(limit: Int)
  case timedOut(seconds: Double)
  /// The answer was still arriving at the end of its time.
  case tooSlow(seconds: Double)
  case noLibrary
  case tooManyOpenFiles(inSystem: Bool)
  case nameNotFound(host: String)
  case unreachable(Unreachable, host: String)
  case proxy(ProxyFault, ProxyAddress)
  case certificate(CertificateFault, host: String)
  /// No encrypted connection could be made. `detail` is libcurl's message, here and below.
  case notEncrypted(host: String, detail: String)
  case cut
  /// The answer is not HTTP, or its encoding is invalid.
  case unreadable(host: String, detail: String)
  case redirect(RedirectFault)
  case invalidAddress
  case other(detail: String)

  package enum Unreachable: Equatable, Sendable { case refused, noRoute, other }

  package enum ProxyFault: Equatable, Sendable {
    case nameNotFound
    case unreachable(Unreachable)
    case needsPassword
    /// The proxy does not connect to the host. The status is nil for a SOCKS proxy.
    case refused(host: String, status: Int?)

    fileprivate func reason(_ proxy: ProxyAddress) -> String {
      switch self {
      case .nameNotFound: "the name of the proxy \(proxy) was not found"
      case .unreachable(let cause): cause.reason("the proxy \(proxy)")
      case .needsPassword: "the proxy \(proxy) requires a password (407)"
      case .refused(let host, let status):
        "the proxy \(proxy) refused to connect to \(host)"
          + (status.map { " (\(WebFailure.words(ofStatus: $0)))" } ?? "")
      }
    }
  }

  package enum CertificateFault: Equatable, Sendable { case expired, otherName, untrusted, unreadableFile }

  package enum RedirectFault: Equatable, Sendable {
    case tooMany, circle, notWeb
    case notEncrypted(UnencryptedRedirect)
    /// The request has a form, which another server must not receive.
    case withForm(origin: String)

    fileprivate var reason: String {
      switch self {
      case .tooMany: "the server redirects more than \(RedirectChain.maximumCount) times"
      case .circle: "the server redirects in a loop"
      case .notWeb: "the server redirects to an address that is not http or https"
      case .notEncrypted(let redirect): redirect.reason
      case .withForm(let origin): "the server redirects to \(origin), which must not receive the login"
      }
    }
  }

  package var retry: FeedFailure.Kind {
    switch self {
    case .paused(_, let seconds): .wait(seconds: seconds)
    case .status(429, let seconds): .wait(seconds: seconds ?? Backoff.shortestSeconds)
    case .status(503, let seconds?): .wait(seconds: seconds)
    case .status(let status, _): [408, 425].contains(status) || (500...599).contains(status) ? .temporary : .permanent
    case .cancelled, .transient, .timedOut, .tooSlow, .tooManyOpenFiles, .nameNotFound, .unreachable, .notEncrypted,
      .cut, .other:
      .temporary
    case .proxy(let fault, _): fault == .needsPassword ? .permanent : .temporary
    case .loginRefused, .loginWithheld, .notCached, .tooLarge, .noLibrary, .certificate, .unreadable, .redirect,
      .invalidAddress:
      .permanent
    }
  }

  /// The part of the world that a failure concerns: other requests to it would fail in the same way.
  package enum Scope: Equatable, Sendable {
    case address
    /// The server: it is down, busy, or refuses the login.
    case host
    /// This computer: its network, its disk or its programs.
    case machine
  }

  package var scope: Scope {
    switch self {
    case .notCached, .tooLarge, .unreadable, .redirect, .invalidAddress: .address
    case .status(let status, _):
      [408, 425, 429].contains(status) || (500...599).contains(status) && status != 501 ? .host : .address
    case .paused, .transient, .loginRefused, .loginWithheld, .timedOut, .tooSlow, .notEncrypted, .cut, .other: .host
    case .certificate(let fault, _): fault == .unreadableFile ? .machine : .host
    case .unreachable(let cause, _): cause == .noRoute ? .machine : .host
    case .cancelled, .noLibrary, .tooManyOpenFiles, .nameNotFound, .proxy: .machine
    }
  }

  /// Whether no server was reached, as without a network.
  package var isOffline: Bool {
    switch self {
    case .nameNotFound, .unreachable(.noRoute, _), .proxy(.nameNotFound, _), .proxy(.unreachable, _): true
    default: false
    }
  }

  /// Such as `the server answered 404 Not Found`, without a full stop.
  package var reason: String {
    switch self {
    case .cancelled: "the request was cancelled"
    case .notCached: "there is no cached answer"
    case .paused(let host, _): "requests to \(host) are paused"
    case .status(let status, _):
      "the server answered \(Self.words(ofStatus: status))"
        + (RedirectChain.isRedirect(status) ? " without a Location header" : "")
    case .loginRefused: "the server refused the login (401 Unauthorized)"
    case .loginWithheld(let origin): "the server redirects to \(origin), which requires a login (401 Unauthorized)"
    case .transient(let status, let host):
      "\(host) answered \(status), which it sometimes does for existing feeds"
    case .tooLarge(let limit): "the answer is larger than \(limit >> 20) MB"
    case .timedOut(let seconds): "no answer in \(Self.time(seconds))"
    case .tooSlow(let seconds): "the answer was not complete after \(Self.time(seconds))"
    case .noLibrary: "libcurl is not installed"
    case .tooManyOpenFiles(inSystem: false): "the program has too many open files"
    case .tooManyOpenFiles(inSystem: true): "the system has too many open files"
    case .nameNotFound(let host): "the name \(host) was not found"
    case .unreachable(let cause, let host): cause.reason(host)
    case .proxy(let fault, let proxy): fault.reason(proxy)
    case .certificate(let fault, let host): fault.reason(host)
    case .notEncrypted(let host, let detail): "the encrypted connection to \(host) failed: \(detail)"
    case .cut: "the connection closed before the end of the answer"
    case .unreadable(let host, let detail): "\(host) sent an invalid answer: \(detail)"
    case .redirect(let fault): fault.reason
    case .invalidAddress: "the address is invalid"
    case .other(let detail): "the request failed: \(detail)"
    }
  }

  /// Such as `check the address`; nil if a retry is the only remedy.
  package var advice: String? {
    switch self {
    case .transient: "retry later"
    case .status(let status, _):
      switch status {
      case 401: "set user and password-command of this source in config.toml"
      case 403: "check whether you have access"
      case 404, 410: "check the address"
      default: nil
      }
    case .loginRefused: "check user and password-command of this source"
    case .loginWithheld(let origin): "if the login is meant for \(origin), use an address that begins with it"
    case .noLibrary: "install it: apt install libcurl4"
    case .tooManyOpenFiles(inSystem: false): "raise the limit with ulimit -n"
    case .tooManyOpenFiles(inSystem: true): "close other programs"
    case .nameNotFound: "check the address and the network"
    case .unreachable(let cause, _): cause.advice
    case .proxy(.needsPassword, let proxy): "set \(proxy.setting) to http://name:password@\(proxy)"
    case .proxy(.unreachable(.refused), let proxy): "check \(proxy.setting) and whether the proxy runs"
    case .proxy(.unreachable(.noRoute), _): Unreachable.noRoute.advice
    case .proxy(_, let proxy): "check \(proxy.setting)"
    case .certificate(let fault, _): fault.advice
    case .notEncrypted: "check whether the address begins with http rather than https"
    case .unreadable: "check the address and its port"
    case .redirect(.notWeb): "check the address"
    case .redirect(.notEncrypted): "to allow that, use the http address"
    case .redirect(.withForm(let origin)): "if the login is meant for \(origin), use an address that begins with it"
    case .tooLarge, .redirect(.tooMany), .redirect(.circle), .invalidAddress: "check the address"
    case .cancelled, .notCached, .paused, .timedOut, .tooSlow, .cut, .other: nil
    }
  }

  fileprivate static func words(ofStatus status: Int) -> String {
    "\(status)" + (phrase(status).map { " " + $0 } ?? "")
  }

  private static func time(_ seconds: Double) -> String {
    let rounded = (seconds * 100).rounded() / 100
    guard rounded.isFinite, abs(rounded) < 1e6 else { return "time" }
    return rounded == rounded.rounded() ? "\(Int(rounded)) s" : "\(rounded) s"
  }

  /// The usual name of a status, because HTTP/2 sends none (RFC 9110, 15).
  private static func phrase(_ status: Int) -> String? {
    let phrases = [
      300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
      307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
      402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
      406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout", 410: "Gone",
      418: "I'm a teapot", 425: "Too Early",
      429: "Too Many Requests", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
      501: "Not Implemented",
      502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
    return phrases[status]
  }
}

// MARK: - Retrying

// MARK: - Messages

extension WebFailure.Unreachable {
  fileprivate func reason(_ host: String) -> String {
    switch self {
    case .refused: "\(host) refused the connection"
    case .noRoute: "there is no route to \(host)"
    case .other: "could not connect to \(host)"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .refused: "check the address and whether the server runs"
    case .noRoute: "check whether the network is up"
    case .other: "check the network"
    }
  }
}

extension WebFailure.CertificateFault {
  fileprivate func reason(_ host: String) -> String {
    switch self {
    case .expired: "the certificate of \(host) has expired"
    case .otherName: "the certificate of \(host) is for another name"
    case .untrusted: "the certificate of \(host) is not trusted"
    case .unreadableFile: "the certificates that SSL_CERT_FILE names could not be read"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .expired: "check this computer's clock"
    case .otherName: "check the address"
    case .untrusted: "to trust your own certificate, name its file in SSL_CERT_FILE"
    case .unreadableFile: "check that file's name"
    }
  }
}
