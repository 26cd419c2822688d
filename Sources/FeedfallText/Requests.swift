/// The reason why a page, or the details or the cover of a video, could not be loaded, in words for the user.
public struct FeedFailure: Error, Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// The network or the server failed; a retry may help.
    case temporary
    /// The server asked to wait this number of seconds before the next request.
    case wait(seconds: Int)
    /// A retry has the same result.
    case permanent
    /// There is nothing to load, such as the cover of a sound without one. The user sees no failure.
    case absent
  }
  public var kind: Kind
  /// The cause, such as `the server answered 404 Not Found`, without a full stop. One that a server or another program
  /// has written is removed.
  public var reason: String { didSet { reason = reason.withoutFullStop } }
  /// The remedy, such as `check the address`, without a full stop; nil if a retry is the only one.
  public var advice: String? { didSet { advice = advice?.withoutFullStop } }
  /// Whether no server was reached: its name was not found, there is no route to it, or the proxy cannot be reached.
  public var isOffline = false
  /// The redirect that the user may allow; nil for any other failure.
  public var redirect: UnencryptedRedirect?

  public init(_ kind: Kind, _ reason: String, advice: String? = nil) {
    self.kind = kind
    self.reason = reason.withoutFullStop
    self.advice = advice?.withoutFullStop
  }
}

/// A redirect from https to http.
public struct UnencryptedRedirect: Equatable, Sendable {
  /// The server that redirects, as it is shown.
  public let host: String
  /// The scheme, the host and the port to which it redirects, as they are shown.
  public let target: String

  public init(from address: WebAddress, to target: WebAddress) {
    host = address.shownHost
    self.target = "http://\(target.shownHost)" + (target.port.map { ":\($0)" } ?? "")
  }

  public var reason: String { "\(host) redirects to \(target), which is not encrypted" }
}

/// Where the address of a file leads.
public enum FileRoute: Equatable, Sendable {
  /// Its server sends the file itself.
  case direct
  case leavesHTTPS(UnencryptedRedirect)
  /// Neither: an http address, redirects within https, an error or no answer.
  case other
}

extension String {
  fileprivate var withoutFullStop: String {
    let marks = ".!。 "
    guard let last, marks.contains(last) else { return self }
    return String(reversed().drop(while: marks.contains).reversed())
  }
}

/// When a cached answer may be used (RFC 9111).
public enum CacheUse: Equatable, Sendable {
  /// While it is fresh.
  case whileFresh
  /// Only after the server has confirmed it.
  case revalidated
  /// Always, however stale. Without a cached answer the request fails; the network is not used.
  case onlyIfCached
}

/// When a cached cover may be shown without a request.
public enum CoverUse: Hashable, Sendable {
  /// However stale it is.
  case always
  case whileFresh
  /// For the shortest time only, because the user asked again. An address without a picture is requested again, too.
  /// `press` numbers the user's retries.
  case retried(press: Int)
}

/// How soon the cover of a video may change.
public enum CoverPace: Hashable, Sendable {
  case settled
  /// The video is less than a day old: its cover may not exist yet.
  case new
  case live
}
