/// The number of first pages that may still be requested.
public struct FirstLoads: Sendable {
  private var remoteRoom = 4
  /// Requesting local pages one by one would take longer than reading them.
  private var localRoom = 32

  public init() {}

  /// - Parameter pending: for each pending first page whether it comes from this machine.
  init(pending: some Sequence<Bool>) { for isLocal in pending { _ = acquire(isLocal: isLocal) } }

  /// Returns whether another first page may be requested, and reduces the room.
  public mutating func acquire(isLocal: Bool) -> Bool {
    let room = self[isLocal]
    self[isLocal] = max(0, room - 1)
    return room > 0
  }

  /// Takes back an `acquire` whose page was not requested.
  mutating func release(isLocal: Bool) { self[isLocal] += 1 }

  private subscript(isLocal: Bool) -> Int {
    get { isLocal ? localRoom : remoteRoom }
    set { if isLocal { localRoom = newValue } else { remoteRoom = newValue } }
  }
}
