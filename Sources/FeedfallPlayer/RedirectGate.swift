import FeedfallApp
import FeedfallSystem
import FeedfallText

/// Asks a server where a film leads, because mpv follows redirects from https to http by itself: requests only the
/// headers, and follows redirects as long as they stay on https. A cancelled task answers nothing.
public typealias RouteRequest =
  @Sendable (WebAddress, RequestHeaders?, _ answer: @escaping @Sendable (FileRoute) -> Void) -> Task<Void, Never>

/// Holds a load back until its server has answered where the film leads, as a value without clock or network.
/// A server that sends a film itself is not asked again. One that redirects is, because its films may lead elsewhere.
struct RedirectGate {
  typealias Instant = SuspendingClock.Instant

  private var question: (request: PlayRequest, due: Instant)?
  /// The servers that send films themselves, the newest at the end.
  private var direct: [WebAddress] = []

  /// How long a load waits; then mpv plays it as it is. One with a password waits longer, and then fails.
  var waitingTime = Duration.seconds(2)
  private static let waitingTimeOfLogin = Duration.seconds(10)
  static let maximumServerCount = 100

  var isHolding: Bool { question != nil }
  /// When `expire` must be called at the latest; nil if no load is held back.
  var due: Instant? { question?.due }

  /// Begins with a new load. Returns the address to ask for; nil if the load may be sent at once.
  mutating func begin(_ request: PlayRequest, at now: Instant) -> WebAddress? {
    question = nil
    guard !request.isPage, let address = request.address.web, address.scheme == "https",
      !request.allowsHTTP || request.hasLogin, request.hasLogin || !direct.contains(where: address.hasSameOrigin)
    else { return nil }
    question = (request, now + (request.hasLogin ? Self.waitingTimeOfLogin : waitingTime))
    return address
  }

  mutating func cancel() { question = nil }

  mutating func handle(_ route: FileRoute, for id: PlayID) -> PlayFailure? {
    guard let request = question?.request, request.id == id else { return nil }
    question = nil
    switch route {
    case .direct:
      if let address = request.address.web { direct = direct.suffix(Self.maximumServerCount - 1) + [address] }
      return nil
    case .leavesHTTPS(let redirect): return request.hasLogin ? .loginLeavesHTTPS(redirect) : .leavesHTTPS(redirect)
    case .other: return nil
    }
  }

  mutating func expire(at now: Instant) -> (id: PlayID, failure: PlayFailure)? {
    guard let expired = question, expired.due <= now else { return nil }
    question = nil
    return expired.request.hasLogin ? (expired.request.id, .timedOut) : nil
  }
}
