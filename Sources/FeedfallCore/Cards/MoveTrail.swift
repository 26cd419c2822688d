import WaterfallEngine

/// The moves from card to neighbor since the selection last changed in another way.
struct MoveTrail: Sendable {
  /// The column or row that moves along the other axis keep.
  var goal: NavigationGoal?
  /// The card before each move.
  private var steps: [(card: Int, direction: Direction)] = []

  private static let maximumCount = 100

  /// The next move starts from the selected card alone.
  mutating func forget() { self = MoveTrail() }

  mutating func append(_ card: Int, _ direction: Direction) {
    if steps.count == Self.maximumCount { steps.removeFirst() }
    steps.append((card, direction))
  }

  /// Returns the card before the last move and removes that move, if the key is opposite to it.
  mutating func dequeue(oppositeTo direction: Direction) -> Int? {
    guard let last = steps.last, last.direction == direction.opposite else { return nil }
    steps.removeLast()
    // The columns of the way back are found anew.
    goal = nil
    return last.card
  }
}
