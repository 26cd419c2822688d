import WaterfallEngine

/// The moves from card to neighbor since the selection last changed in another way.
///
/// A tree of stops: the stop before a move is the neighbor in the opposite direction of the stop behind it. A move leads
/// to the same stop each time, so the opposite moves in the opposite order lead home from any walk, even one that began by
/// going back.
struct MoveTrail: Sendable {
  private struct Stop {
    var card: Int
    /// The indices of the stops in each direction; -1 for none.
    var neighbors = SIMD4<Int32>(repeating: -1)
  }

  /// The column or row that moves along the other axis keep.
  var goal: NavigationGoal?
  private var stops: [Stop] = []
  private var current = 0

  static let maximumCount = 4_096

  /// The next move starts from the selected card alone.
  mutating func forget() { self = MoveTrail() }

  /// Returns the card to which this move has led from the selected card before, or from which the opposite one has led
  /// to it.
  mutating func revisit(from card: Int, _ direction: Direction) -> Int? {
    guard stops.indices.contains(current), stops[current].card == card else { return nil }
    let next = Int(stops[current].neighbors[direction.number])
    guard stops.indices.contains(next) else { return nil }
    current = next
    // The columns of the way back are found anew.
    goal = nil
    return stops[next].card
  }

  /// Adds a move that was not made before. Beyond `maximumCount`, earlier ones are forgotten.
  mutating func append(_ direction: Direction, from card: Int, to next: Int) {
    if !stops.indices.contains(current) || stops[current].card != card || stops.count == Self.maximumCount {
      (stops, current) = ([Stop(card: card)], 0)
    }
    var stop = Stop(card: next)
    stop.neighbors[direction.opposite.number] = Int32(current)
    stops[current].neighbors[direction.number] = Int32(stops.count)
    current = stops.count
    stops.append(stop)
  }

  /// Adapts the trail to other numbers of the same cards. The rows of the goal are no longer valid.
  mutating func renumber(_ number: (Int) -> Int) {
    for index in stops.indices { stops[index].card = number(stops[index].card) }
    goal = nil
  }
}

extension Direction {
  fileprivate var number: Int {
    switch self {
    case .left: 0
    case .right: 1
    case .up: 2
    case .down: 3
    }
  }
}
