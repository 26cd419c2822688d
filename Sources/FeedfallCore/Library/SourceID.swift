/// Tells the sources that are open from each other.
public struct SourceID: Hashable, Sendable {
  /// The source's place among the open ones, from 0 on.
  public let number: Int

  public init(_ number: Int) {
    self.number = number
  }
}
