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

    fileprivate func message(_ proxy: ProxyAddress) -> Message {
      let check = "check \(proxy.setting)"
      switch self {
      case .nameNotFound: return ("the name of the proxy \(proxy) was not found", check)
      case .unreachable(let cause):
        let (reason, advice) = cause.message("the proxy \(proxy)")
        return (reason, cause == .noRoute ? advice : cause == .refused ? "\(check) and whether the proxy runs" : check)
      case .needsPassword:
        return (
          "the proxy \(proxy) requires a password (407)", "set \(proxy.setting) to http://name:password@\(proxy)"
        )
      case .refused(let host, let status):
        let answer = status.map { " (\(WebFailure.words(ofStatus: $0)))" } ?? ""
        return ("the proxy \(proxy) refused to connect to \(host)\(answer)", check)
      }
    }
  }

  package enum CertificateFault: Equatable, Sendable { case expired, otherName, untrusted, unreadableFile }

  package enum RedirectFault: Equatable, Sendable {
    case tooMany, circle, notWeb
    case notEncrypted(UnencryptedRedirect)
    /// The request has a form, which another server must not receive.
    case withForm(origin: String)

    fileprivate var message: Message {
      switch self {
      case .tooMany: ("the server redirects more than \(RedirectChain.maximumCount) times", WebFailure.checkAddress)
      case .circle: ("the server redirects in a loop", WebFailure.checkAddress)
      case .notWeb: ("the server redirects to an address that is not http or https", WebFailure.checkAddress)
      case .notEncrypted(let redirect): (redirect.reason, "to allow that, use the http address")
      case .withForm(let origin):
        (
          "the server redirects to \(origin), which must not receive the login",
          "if the login is meant for \(origin), use an address that begins with it"
        )
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
  package var reason: String { message.reason }
  /// Such as `check the address`; nil if a retry is the only remedy.
  package var advice: String? { message.advice }

  fileprivate typealias Message = (reason: String, advice: String?)

  fileprivate static let checkAddress = "check the address"

  private var message: Message {
    switch self {
    case .cancelled: ("the request was cancelled", nil)
    case .notCached: ("there is no cached answer", nil)
    case .paused(let host, _): ("requests to \(host) are paused", nil)
    case .status(let status, _):
      (
        "the server answered \(Self.words(ofStatus: status))"
          + (RedirectChain.isRedirect(status) ? " without a Location header" : ""), Self.advice(forStatus: status)
      )
    case .loginRefused:
      ("the server refused the login (401 Unauthorized)", "check user and password-command of this source")
    case .loginWithheld(let origin):
      (
        "the server redirects to \(origin), which requires a login (401 Unauthorized)",
        "if the login is meant for \(origin), use an address that begins with it"
      )
    case .transient(let status, let host):
      ("\(host) answered \(status), which it sometimes does for existing feeds", "retry later")
    case .tooLarge(let limit): ("the answer is larger than \(limit >> 20) MB", Self.checkAddress)
    case .timedOut(let seconds): ("no answer in \(Self.time(seconds))", nil)
    case .tooSlow(let seconds): ("the answer was not complete after \(Self.time(seconds))", nil)
    case .noLibrary: ("libcurl is not installed", "install it: apt install libcurl4")
    case .tooManyOpenFiles(inSystem: false):
      ("the program has too many open files", "raise the limit with ulimit -n")
    case .tooManyOpenFiles(inSystem: true): ("the system has too many open files", "close other programs")
    case .nameNotFound(let host): ("the name \(host) was not found", "check the address and the network")
    case .unreachable(let cause, let host): cause.message(host)
    case .proxy(let fault, let proxy): fault.message(proxy)
    case .certificate(let fault, let host): fault.message(host)
    case .notEncrypted(let host, let detail):
      (
        "the encrypted connection to \(host) failed: \(detail)",
        "check whether the address begins with http rather than https"
      )
    case .cut: ("the connection closed before the end of the answer", nil)
    case .unreadable(let host, let detail):
      ("\(host) sent an invalid answer: \(detail)", "check the address and its port")
    case .redirect(let fault): fault.message
    case .invalidAddress: ("the address is invalid", Self.checkAddress)
    case .other(let detail): ("the request failed: \(detail)", nil)
    }
  }

  private static func advice(forStatus status: Int) -> String? {
    switch status {
    case 401: "set user and password-command of this source in config.toml"
    case 403: "check whether you have access"
    case 404, 410: checkAddress
    default: nil
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

extension WebFailure.Unreachable {
  fileprivate func message(_ host: String) -> WebFailure.Message {
    switch self {
    case .refused: ("\(host) refused the connection", "check the address and whether the server runs")
    case .noRoute: ("there is no route to \(host)", "check whether the network is up")
    case .other: ("could not connect to \(host)", "check the network")
    }
  }
}

extension WebFailure.CertificateFault {
  fileprivate func message(_ host: String) -> WebFailure.Message {
    switch self {
    case .expired: ("the certificate of \(host) has expired", "check this computer's clock")
    case .otherName: ("the certificate of \(host) is for another name", WebFailure.checkAddress)
    case .untrusted:
      (
        "the certificate of \(host) is not trusted",
        "to trust your own certificate, name its file in SSL_CERT_FILE"
      )
    case .unreadableFile:
      ("the certificates that SSL_CERT_FILE names could not be read", "check that file's name")
    }
  }
}
