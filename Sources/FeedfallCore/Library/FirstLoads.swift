import FeedfallLoading

/// The room for further requests for first pages.
public struct FirstLoads: Sendable {
  private var remoteRoom = 4
  /// One for each source of the workers in the runtime. The requests for local documents take longer one after the other
  /// than the documents.
  private var localRoom = 32

  public init() {}

  /// - Parameter pending: for each pending first page whether it comes from this machine.
  init(pending: some Sequence<Bool>) {
    for isLocal in pending { _ = acquire(isLocal: isLocal) }
  }

  /// Returns whether another first page may be requested, and reduces the room.
  public mutating func acquire(isLocal: Bool) -> Bool {
    isLocal ? Self.acquire(&localRoom) : Self.acquire(&remoteRoom)
  }

  private static func acquire(_ room: inout Int) -> Bool {
    room -= 1
    return room >= 0
  }
}
