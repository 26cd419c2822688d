import FeedfallText

/// Puts the videos of several sources in one order, the newest first, and holds back those before which others may
/// come still; those without a date come at the end, as they arrived.
struct DateMerge: Sendable {
  private struct Dated: Sendable {
    var date: UnixTime
    var arrival: Int
    var card: Card

    /// Whether the other is to be shown before.
    func isBehind(_ other: Dated) -> Bool {
      date == other.date ? arrival > other.arrival : date < other.date
    }
  }

  /// Held back, the newest last once they are sorted.
  private var dated: [Dated] = []
  private var isSorted = true
  private var undated: [Card] = []
  private var taken: Set<CardID> = []
  private var arrivals = 0
  /// How far back the dates of each source go.
  private var oldest: [SourceID: UnixTime] = [:]
  /// The date of what was given out last.
  private var reached: UnixTime?

  /// Takes in the next cards of a source; those that were taken before are left out.
  /// - Complexity: O(n).
  mutating func add(_ cards: [Card], of source: SourceID) {
    // Where nothing is new its source goes on where it was.
    guard !cards.isEmpty else { return }
    // A page without any date bounds nothing: who waited for its dates would wait for ever.
    oldest[source] = Self.oldestDate(of: cards).map { min($0, oldest[source] ?? $0) }
    hold(cards.filter { taken.insert($0.id).inserted })
  }

  /// Takes in a first page that came anew and gives out what of it belongs above what is shown. `replacesAll` tells
  /// whether its source goes on behind it, and not behind what it gave before.
  mutating func addAnew(_ cards: [Card], of source: SourceID, replacesAll: Bool) -> [Card] {
    if replacesAll { oldest[source] = Self.oldestDate(of: cards) }
    let unknown = cards.filter { taken.insert($0.id).inserted }
    guard let reached else {
      hold(unknown)
      return []
    }
    let isAbove = { (card: Card) in card.video.published.map { $0 > reached } ?? false }
    hold(unknown.filter { !isAbove($0) })
    return sorted(unknown.filter(isAbove)).reversed().map(\.card)
  }

  /// Gives out what nothing can come before any more, as long as these sources go on behind what is loaded.
  /// - Complexity: O(n log n) in what is held back where cards came, else O(n) in what is given out.
  mutating func release(whileMoreComesFrom sources: [SourceID]) -> [Card] {
    sortHeld()
    let horizon = horizon(of: sources)
    var released: [Card] = []
    while let newest = dated.last, horizon.map({ newest.date >= $0 }) ?? true {
      released.append(newest.card)
      reached = min(reached ?? newest.date, newest.date)
      dated.removeLast()
    }
    if horizon == nil {
      released += undated
      undated = []
    }
    return released
  }

  /// Those of these sources whose next page must come before more can be given out.
  func holders(among sources: [SourceID]) -> [SourceID] {
    guard let horizon = horizon(of: sources) else { return sources }
    return sources.filter { oldest[$0] == horizon }
  }

  /// Before this date none of these sources has told all.
  private func horizon(of sources: [SourceID]) -> UnixTime? { sources.compactMap { oldest[$0] }.max() }

  private mutating func hold(_ cards: [Card]) {
    undated += cards.filter { $0.video.published == nil }
    let added = sorted(cards)
    isSorted = isSorted && added.isEmpty
    dated += added
  }

  /// Sorts once for all that came: what was there and what each source added are runs that are only merged.
  private mutating func sortHeld() {
    guard !isSorted else { return }
    dated.sort { $0.isBehind($1) }
    isSorted = true
  }

  /// The newest last.
  private mutating func sorted(_ cards: [Card]) -> [Dated] {
    var result: [Dated] = []
    for card in cards {
      guard let date = card.video.published else { continue }
      result.append(Dated(date: date, arrival: arrivals, card: card))
      arrivals += 1
    }
    return result.sorted { $0.isBehind($1) }
  }

  private static func oldestDate(of cards: [Card]) -> UnixTime? { cards.compactMap(\.video.published).min() }
}
