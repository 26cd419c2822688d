import FeedfallFeeds
import FeedfallScreen

/// A card's place in the store, which never changes.
struct CardSlot: Hashable, Sendable {
  fileprivate let number: Int32
}

/// The facts about a card that decide its size; a card keeps them when its video changes.
struct CardShape: Equatable, Sendable {
  /// The title's width in cells on one line.
  var titleWidth: Int32
  /// The number of columns that the card spans at most.
  var span: Int32
  /// The cover's width divided by its height.
  var aspect: Double

  init(of video: Video) {
    titleWidth = Int32(cellWidth(of: video.title))
    span = Int32(clamping: CardMetrics.span(of: video))
    aspect = CardMetrics.aspect(of: video)
  }
}

/// Every card of the session, each once.
struct CardStore: Sendable {
  private var cards: [Card] = []
  private var shapes: [CardShape] = []
  private var slots: [CardID: Int32] = [:]

  subscript(slot: CardSlot) -> Card {
    _read { yield cards[Int(slot.number)] }
  }

  func shape(of slot: CardSlot) -> CardShape { shapes[Int(slot.number)] }

  func slot(of id: CardID) -> CardSlot? { slots[id].map(CardSlot.init) }

  /// Inserts cards, or updates them, and returns their slots; the cards for which `isKnown` holds are left out, as are
  /// further cards with the same id.
  mutating func insert(_ cards: [Card], unless isKnown: (CardSlot) -> Bool) -> [CardSlot] {
    var inserted: [CardSlot] = []
    inserted.reserveCapacity(cards.count)
    var updated: Set<CardSlot> = []
    for card in cards {
      let known = slots[card.id].map(CardSlot.init)
      if let known {
        guard !isKnown(known), updated.insert(known).inserted else { continue }
        self.cards[Int(known.number)] = card
        shapes[Int(known.number)] = CardShape(of: card.video)
        inserted.append(known)
      } else {
        let slot = CardSlot(number: Int32(self.cards.count))
        slots[card.id] = slot.number
        self.cards.append(card)
        shapes.append(CardShape(of: card.video))
        updated.insert(slot)
        inserted.append(slot)
      }
    }
    return inserted
  }

  /// Replaces a card's video by the completed one; the title stays, so that no card changes its height.
  mutating func complete(_ card: Card) {
    guard let slot = slot(of: card.id) else { return }
    let title = self[slot].video.title
    cards[Int(slot.number)] = card
    cards[Int(slot.number)].video.title = title
  }
}

/// The cards of one tab in their order, each once, with the shapes that they are laid out with.
struct CardList: Sendable {
  private(set) var slots: [CardSlot] = []
  private(set) var shapes: [CardShape] = []
  private var indexes: [CardSlot: Int32] = [:]

  var count: Int { slots.count }
  var isEmpty: Bool { slots.isEmpty }

  subscript(index: Int) -> CardSlot { slots[index] }

  func index(of slot: CardSlot) -> Int? { indexes[slot].map(Int.init) }

  func contains(_ slot: CardSlot) -> Bool { indexes[slot] != nil }

  /// Appends the cards that are new and returns their number.
  mutating func append(_ added: [CardSlot], from store: CardStore) -> Int {
    let before = count
    for slot in added where indexes[slot] == nil {
      indexes[slot] = Int32(count)
      slots.append(slot)
      shapes.append(store.shape(of: slot))
    }
    return count - before
  }

  /// Puts the cards that are new before all others and returns their number. O(count).
  mutating func prepend(_ added: [CardSlot], from store: CardStore) -> Int {
    var all = CardList()
    let count = all.append(added.filter { indexes[$0] == nil }, from: store)
    guard count > 0 else { return 0 }
    for (slot, shape) in zip(slots, shapes) {
      all.indexes[slot] = Int32(all.count)
      all.slots.append(slot)
      all.shapes.append(shape)
    }
    self = all
    return count
  }
}
