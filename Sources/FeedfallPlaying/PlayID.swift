/// Which playing something belongs to: each loading of an address has its own, so that what an older one still says is
/// recognised.
public struct PlayID: Hashable, Comparable, Sendable {
  public let number: Int

  public init(_ number: Int) { self.number = number }

  public static func < (one: PlayID, other: PlayID) -> Bool { one.number < other.number }
}
