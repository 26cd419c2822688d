import FeedfallText

/// The number of first pages that may still be requested.
public struct FirstLoads: Sendable {
  /// Where the pages of a source come from.
  public struct Origin: Equatable, Sendable {
    public let isLocal: Bool
    /// Nil if the address does not name one.
    let host: String?

    public init(isLocal: Bool, address: String) {
      (self.isLocal, host) = (isLocal, isLocal ? nil : WebAddress(typed: address)?.host)
    }
  }

  private var remoteRoom = 8
  /// Requesting local pages one by one would take longer than reading them.
  private var localRoom = 32
  private var counts: [String: Int] = [:]

  private static let maximumPerHost = 2

  public init() {}

  /// - Parameter pending: the origins of the pending first pages.
  init(pending: some Sequence<Origin>) { for origin in pending { acquire(origin, by: 1) } }

  /// Whether another first page may be requested.
  func allows(_ origin: Origin) -> Bool {
    if origin.isLocal { return localRoom > 0 }
    return remoteRoom > 0 && origin.host.map { counts[$0, default: 0] < Self.maximumPerHost } ?? true
  }

  /// Returns whether another first page may be requested, and reduces the room.
  public mutating func acquire(_ origin: Origin) -> Bool {
    guard allows(origin) else { return false }
    acquire(origin, by: 1)
    return true
  }

  /// Takes back an `acquire` whose page was not requested.
  mutating func release(_ origin: Origin) { acquire(origin, by: -1) }

  private mutating func acquire(_ origin: Origin, by count: Int) {
    if origin.isLocal { localRoom -= count } else { remoteRoom -= count }
    if let host = origin.host { counts[host, default: 0] += count }
  }
}
