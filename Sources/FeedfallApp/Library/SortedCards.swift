struct RankedCard: Sendable {
  var key: Int
  /// Distinguishes cards with the same key: the earlier one comes first.
  var arrival: Int
  var slot: CardSlot

  func isBehind(_ other: RankedCard) -> Bool { key == other.key ? arrival > other.arrival : key < other.key }
}

/// All cards of a tab in its orders, whatever the filter, so that a key in the filter's prompt sorts nothing.
struct SortedCards: Sendable {
  /// The cards ordered by a key that the sources deliver about in this order.
  struct Ranking: Sendable {
    /// The first in the order is at the end.
    var cards: [RankedCard]
    /// Those without a key.
    var unranked: [CardSlot]
    var lowest: [SourceID: Int]
  }

  private var version: Library.Version?
  var ranking: Ranking?
  private var lists: [(order: CardOrder, slots: [CardSlot])] = []

  /// Discards the cards of another version. Returns whether this one is known, so that sorting all cards is worthwhile.
  mutating func update(_ version: Library.Version) -> Bool {
    if version == self.version { return true }
    self = SortedCards()
    self.version = version
    return false
  }

  /// The cards in an order that the sources do not deliver.
  subscript(order: CardOrder) -> [CardSlot]? {
    get { lists.first { $0.order == order }?.slots }
    set {
      lists.removeAll { $0.order == order }
      // Changes of the records do not change the version.
      if let newValue, !order.dependsOnRecord { lists.append((order, newValue)) }
    }
  }
}
