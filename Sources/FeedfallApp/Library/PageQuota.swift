import FeedfallText

/// The number of pages, first or further ones, that may still be requested at once.
public struct PageQuota: Sendable {
  /// Where the pages of a source come from.
  public struct Origin: Equatable, Sendable {
    public let isLocal: Bool
    /// Its hash, which is compared for thousands of sources; nil if the address does not name one.
    fileprivate let host: Int?

    public init(isLocal: Bool, address: String) {
      (self.isLocal, host) = (isLocal, isLocal ? nil : WebAddress(typed: address)?.host.hashValue)
    }
  }

  private var remoteRoom = 8
  /// Requesting local pages one by one would take longer than reading them.
  private var localRoom = 32
  /// The hosts of the pending pages.
  private var hosts: [Int] = []

  private static let maximumPerHost = 2

  public init() {}

  /// - Parameter pending: the origins of the pending pages.
  init(pending: some Sequence<Origin>) { for origin in pending { add(origin) } }

  /// Whether another page may be requested.
  func allows(_ origin: Origin) -> Bool {
    if origin.isLocal { return localRoom > 0 }
    return remoteRoom > 0 && origin.host.map { host in hosts.count { $0 == host } < Self.maximumPerHost } ?? true
  }

  /// Returns whether another page may be requested, and reduces the room.
  public mutating func acquire(_ origin: Origin) -> Bool {
    guard allows(origin) else { return false }
    add(origin)
    return true
  }

  /// Takes back an `acquire` whose page was not requested.
  mutating func release(_ origin: Origin) {
    if origin.isLocal { localRoom += 1 } else { remoteRoom += 1 }
    if let place = hosts.firstIndex(where: { $0 == origin.host }) { hosts.remove(at: place) }
  }

  private mutating func add(_ origin: Origin) {
    if origin.isLocal { localRoom -= 1 } else { remoteRoom -= 1 }
    if let host = origin.host { hosts.append(host) }
  }
}
