/// Why a page or the details of a video could not be had, in words for a person.
public struct FeedFailure: Error, Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// The network or the server failed; asking again may help.
    case temporary
    /// The server asks to wait this many seconds before it is asked again.
    case wait(seconds: Int)
    /// Asking again gives the same.
    case permanent
  }
  public var kind: Kind
  /// What happened, as in `the server answered 404 Not Found`; no full stop.
  public var reason: String
  /// What a person can do, as in `check the address`; nil where trying again is all.
  public var advice: String?

  public init(_ kind: Kind, _ reason: String, advice: String? = nil) {
    self.kind = kind
    self.reason = reason
    self.advice = advice
  }
}
