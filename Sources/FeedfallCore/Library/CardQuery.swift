import FeedfallFeeds
import FeedfallText

/// The videos that a tab shows. A new filter is a case with its predicate.
enum CardFilter: Sendable {
  case none

  func includes(_ video: Video) -> Bool {
    switch self {
    case .none: true
    }
  }
}

/// The order of a tab's videos. A new order is a case with its key.
enum CardOrder: Sendable {
  /// The order of the source.
  case feed
  case newest

  /// Larger keys come first; videos without a key come last, as they arrived.
  fileprivate func key(of video: Video) -> Int? {
    switch self {
    case .feed: nil
    case .newest: video.published?.seconds
    }
  }
}

/// The change of a tab's cards that follows from a change of the sources.
enum CardChange: Sendable {
  case append([CardSlot])
  case replace([CardSlot])
}

/// The cards of one tab: sources, filter and order.
///
/// Cards of several sources are held back while a source can still deliver one that comes before them: each source
/// is expected to deliver its cards about in the query's order, so its lowest key so far bounds those that follow.
/// The highest of these bounds is the horizon.
struct CardQuery: Sendable {
  let content: TabContent
  private let filter: CardFilter
  private let order: CardOrder

  private struct Ranked: Sendable {
    var key: Int
    var arrival: Int
    var slot: CardSlot

    func isBehind(_ other: Ranked) -> Bool { key == other.key ? arrival > other.arrival : key < other.key }
  }

  /// Whether the cards are to be collected anew from the sources.
  private(set) var isStale = false
  /// Whether the next release replaces all cards.
  private var startsOver = false
  /// The cards held back, the first in the order at the end once they are sorted.
  private var held: [Ranked] = []
  private var isSorted = true
  /// The cards held back without a key.
  private var unranked: [CardSlot] = []
  private var known: Set<CardSlot> = []
  private var arrivals = 0
  /// The lowest key of each source.
  private var lowest: [SourceID: Int] = [:]
  /// The lowest key released.
  private var reached: Int?

  init(_ content: TabContent, filter: CardFilter = .none, order: CardOrder) {
    (self.content, self.filter, self.order) = (content, filter, order)
  }

  /// The cards of a source's own tab, which come in the source's order.
  func included(_ slots: [CardSlot], in store: CardStore) -> [CardSlot] {
    slots.filter { filter.includes(store[$0].video) }
  }

  /// Collects the cards anew before the tab is shown again.
  mutating func invalidate() { isStale = true }

  /// Holds the next cards of a source.
  /// - Complexity: O(n log n).
  mutating func append(_ slots: [CardSlot], of source: SourceID, in store: CardStore) {
    // Without new cards the source continues at its old bound.
    guard !isStale, !slots.isEmpty else { return }
    // A page without any key sets no bound: its source would hold back the others forever.
    lowest[source] = lowestKey(of: slots, in: store).map { min($0, lowest[source] ?? $0) }
    hold(slots.filter { known.insert($0).inserted }, in: store)
  }

  /// Holds the cards of a refreshed first page and returns those that belong above the released ones, in order.
  /// `replacesAll` tells whether the source continues behind this page, and not where it was.
  mutating func insertFirstPage(
    _ slots: [CardSlot], of source: SourceID, replacesAll: Bool, in store: CardStore
  ) -> [CardSlot] {
    if replacesAll { lowest[source] = lowestKey(of: slots, in: store) }
    let new = slots.filter { known.insert($0).inserted }
    guard let reached else {
      hold(new, in: store)
      return []
    }
    let order = order
    let isAbove = { (slot: CardSlot) in order.key(of: store[slot].video).map { $0 > reached } ?? false }
    hold(new.filter { !isAbove($0) }, in: store)
    return ranked(new.filter(isAbove), in: store).reversed().map(\.slot)
  }

  /// Starts over with all cards of the sources.
  mutating func collect(_ lists: [(source: SourceID, slots: [CardSlot])], in store: CardStore) {
    self = CardQuery(content, filter: filter, order: order)
    startsOver = true
    for (source, slots) in lists { append(slots, of: source, in: store) }
  }

  /// Releases the cards before which no source can deliver another, as long as `sources` continue.
  /// - Complexity: O(n log n) in the cards held back if some have arrived, else O(n) in those released.
  mutating func release(whileContinuing sources: [SourceID]) -> CardChange? {
    sortHeld()
    let horizon = horizon(of: sources)
    var released: [CardSlot] = []
    while let first = held.last, horizon.map({ first.key >= $0 }) ?? true {
      released.append(first.slot)
      reached = min(reached ?? first.key, first.key)
      held.removeLast()
    }
    if horizon == nil {
      released += unranked
      unranked = []
    }
    defer { startsOver = false }
    if startsOver { return .replace(released) }
    return released.isEmpty ? nil : .append(released)
  }

  /// The sources whose next pages must arrive before more cards can be released.
  func holders(among sources: [SourceID]) -> [SourceID] {
    guard let horizon = horizon(of: sources) else { return sources }
    return sources.filter { lowest[$0] == horizon }
  }

  private func horizon(of sources: [SourceID]) -> Int? { sources.compactMap { lowest[$0] }.max() }

  private mutating func hold(_ slots: [CardSlot], in store: CardStore) {
    unranked += slots.filter { order.key(of: store[$0].video) == nil && filter.includes(store[$0].video) }
    let added = ranked(slots, in: store)
    isSorted = isSorted && added.isEmpty
    held += added
  }

  /// Sorts once for all arrivals: the runs of the sources are only merged.
  private mutating func sortHeld() {
    guard !isSorted else { return }
    held.sort { $0.isBehind($1) }
    isSorted = true
  }

  /// The included cards that have a key, the first in the order at the end.
  private mutating func ranked(_ slots: [CardSlot], in store: CardStore) -> [Ranked] {
    var result: [Ranked] = []
    for slot in slots {
      let video = store[slot].video
      guard let key = order.key(of: video), filter.includes(video) else { continue }
      result.append(Ranked(key: key, arrival: arrivals, slot: slot))
      arrivals += 1
    }
    return result.sorted { $0.isBehind($1) }
  }

  private func lowestKey(of slots: [CardSlot], in store: CardStore) -> Int? {
    slots.lazy.compactMap { order.key(of: store[$0].video) }.min()
  }
}
