/// An order of cards that a seed determines, without repeats until each card has been played.
struct ShuffledOrder: Equatable, Sendable {
  private let seed: UInt64
  /// Each round has an order of its own.
  private var round: UInt64 = 0
  /// The cards played in this round, in order.
  private var played: [CardID] = []

  init(seed: UInt64) {
    self.seed = seed
  }

  /// Returns the card after the current one among those that can be played; nil if all were played and the order does not
  /// start over.
  /// - Complexity: O(n) in the number of cards.
  mutating func next(after current: CardID, among cards: [CardID], startsOver: Bool) -> CardID? {
    let (place, known) = (place(of: current), Set(cards))
    if let later = played[(place + 1)...].first(where: known.contains) { return later }
    if let next = first(of: cards) { return next }
    guard startsOver else { return nil }
    (round, played) = (round &+ 1, [current])
    return first(of: cards) ?? cards.first
  }

  /// Returns the card that was played before the current one; nil if there is none.
  mutating func previous(before current: CardID, among cards: [CardID]) -> CardID? {
    let (place, known) = (place(of: current), Set(cards))
    return played[..<place].last(where: known.contains)
  }

  /// The index of a card among those played; one that is not there was played last.
  private mutating func place(of card: CardID) -> Int {
    if let place = played.lastIndex(of: card) { return place }
    played.append(card)
    return played.count - 1
  }

  private func first(of cards: [CardID]) -> CardID? {
    let played = Set(played)
    return cards.lazy.filter { !played.contains($0) }.map { (rank: rank(of: $0), card: $0) }.min { $0.rank < $1.rank }?
      .card
  }

  /// FNV-1a with the finalizer of SplitMix64.
  private func rank(of card: CardID) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed ^ (round &* 0x9E37_79B9_7F4A_7C15) ^ UInt64(card.source.number)
    for byte in card.video.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}
