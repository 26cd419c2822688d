/// Lists that a filter showed while it was typed, with their layouts, so that deleting a character lays out nothing.
struct LayoutCache: Sendable {
  /// The last one is at the end.
  private var entries: [(cards: CardList, layout: CardLayout)] = []
  /// The revision of the store's cards for which the entries are valid.
  private var cardRevision = 0

  /// The number of cards in all lists together, at about 45 bytes each.
  static let maximumCardCount = 250_000

  /// The oldest lists make room for the new one; a list that is too long is not added.
  mutating func insert(_ cards: CardList, _ layout: CardLayout, _ store: CardStore) {
    discardOutdated(store)
    guard cards.count <= Self.maximumCardCount else { return }
    entries.append((cards, layout))
    while entries.reduce(0, { $0 + $1.cards.count }) > Self.maximumCardCount { entries.removeFirst() }
  }

  /// Removes and returns the list of these cards, if one was laid out as they would be now; `current` has the options.
  /// - Complexity: O(n).
  mutating func remove(
    _ slots: [CardSlot], like current: CardLayout, _ store: CardStore
  ) -> (cards: CardList, layout: CardLayout)? {
    discardOutdated(store)
    let index = entries.lastIndex { entry in
      entry.layout.isCurrent(like: current, store) && entry.cards.slots == slots && entry.cards.isCurrent(in: store)
    }
    return index.map { entries.remove(at: $0) }
  }

  /// A slot may belong to another card since.
  private mutating func discardOutdated(_ store: CardStore) {
    if store.cardRevision != cardRevision { self = LayoutCache() }
    cardRevision = store.cardRevision
  }
}
