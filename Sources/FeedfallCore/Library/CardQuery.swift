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

/// The order of a tab's videos.
enum CardOrder: Equatable, Sendable {
  /// The order of the source.
  case feed
  /// By date; videos without one come last, as they arrived.
  case newest
  /// By a column of the list; videos without a value come last.
  case column(CardColumn, isDescending: Bool)

  /// Whether sources deliver their videos about in this order. If not, each page orders the whole tab anew.
  var isDelivered: Bool { column == nil }

  var column: CardColumn? {
    if case .column(let column, _) = self { column } else { nil }
  }

  fileprivate var hasKey: Bool { self == .newest }

  /// Larger keys come first. Without any key, the order is that of the source.
  fileprivate func key(of video: Video) -> Int? { hasKey ? video.published?.seconds : nil }
}

/// A change of a tab's cards.
enum CardChange: Sendable {
  case append([CardSlot])
  /// These cards go above all others; no visible card moves.
  case prepend([CardSlot])
  case replace([CardSlot])
}

/// The cards of one tab: sources, filter and order.
///
/// Cards of several sources are held back while a source can still deliver one that belongs before them. Each source is
/// expected to deliver its cards roughly in the query's order, so its lowest key so far bounds the following ones. The
/// highest of these bounds is the horizon. In an order that sources do not deliver, nothing is held back; new cards only
/// make the query stale, and all are sorted again when the tab is shown.
struct CardQuery: Sendable {
  let content: TabContent
  private let filter: CardFilter
  let order: CardOrder

  private struct Ranked: Sendable {
    var key: Int
    var arrival: Int
    var slot: CardSlot

    func isBehind(_ other: Ranked) -> Bool { key == other.key ? arrival > other.arrival : key < other.key }
  }

  /// Whether the cards must be collected from the sources before the tab is shown.
  private(set) var isStale = false
  /// The cards held back, the first in the order at the end once they are sorted.
  private var held: [Ranked] = []
  private var isSorted = true
  /// The cards held back without a key.
  private var unranked: [CardSlot] = []
  private var arrivals = 0
  /// The lowest key of each source.
  private var lowest: [SourceID: Int] = [:]
  /// The lowest key released.
  private var reached: Int?

  init(_ content: TabContent, filter: CardFilter = .none, order: CardOrder) {
    (self.content, self.filter, self.order) = (content, filter, order)
  }

  /// The cards held back.
  var pending: [CardSlot] { held.map(\.slot) + unranked }

  /// Whether the filter includes a card that the user has not hidden.
  private func includes(_ slot: CardSlot, in store: CardStore) -> Bool {
    filter.includes(store[slot].video) && !store.record(of: slot).isHidden
  }

  func included(_ slots: [CardSlot], in store: CardStore) -> [CardSlot] {
    slots.filter { includes($0, in: store) }
  }

  /// Postpones all changes until the tab is shown.
  mutating func invalidate() { isStale = true }

  /// Adds the next cards of a source to the held ones.
  /// - Complexity: O(n log n).
  mutating func append(_ slots: [CardSlot], of source: SourceID, in store: CardStore) {
    // Without new cards the source keeps its old bound.
    guard !isStale, !slots.isEmpty else { return }
    if order.isDelivered { add(slots, of: source, in: store) } else { invalidate() }
  }

  private mutating func add(_ slots: [CardSlot], of source: SourceID, in store: CardStore) {
    // A page without keys sets no bound: otherwise its source would hold back the others forever.
    lowest[source] = lowestKey(of: slots, in: store).map { min($0, lowest[source] ?? $0) }
    hold(slots, in: store)
  }

  /// Adds the cards of a first page to the held ones, and returns those that belong above the released ones, in order.
  /// `added` are the page's new cards. If it `replacesList`, the source's bound is reset, because it continues after
  /// this page.
  mutating func insertFirstPage(
    _ slots: [CardSlot], added: [CardSlot], of source: SourceID, replacesList: Bool, in store: CardStore
  ) -> CardChange? {
    guard order.isDelivered else {
      invalidate()
      return nil
    }
    if replacesList { lowest[source] = lowestKey(of: slots, in: store) }
    if !order.hasKey { return .prepend(included(added, in: store)) }
    guard let reached else {
      hold(added, in: store)
      return nil
    }
    let order = order
    let isAbove = { (slot: CardSlot) in order.key(of: store[slot].video).map { $0 > reached } ?? false }
    hold(added.filter { !isAbove($0) }, in: store)
    return .prepend(ranked(added.filter(isAbove), in: store).reversed().map(\.slot))
  }

  /// Collects the cards from the lists of the sources.
  /// - Complexity: O(n log n).
  mutating func collect(from library: Library) -> CardChange {
    self = CardQuery(content, filter: filter, order: order)
    if case .column(let column, let isDescending) = order {
      let slots = library.sources(of: content).flatMap { included($0.slots, in: library.store) }
      return .replace(column.sorted(slots, isDescending: isDescending, content, in: library))
    }
    for feed in library.sources(of: content) { add(feed.slots, of: feed.id, in: library.store) }
    return .replace(releasable(whileContinuing: library.continuing))
  }

  /// Releases the cards before which no source can deliver another, as long as `sources` continue.
  /// - Complexity: O(n log n) in the cards held back if some have arrived, else O(n) in those released.
  mutating func release(whileContinuing sources: [SourceID]) -> CardChange? {
    let released = releasable(whileContinuing: sources)
    return released.isEmpty ? nil : .append(released)
  }

  private mutating func releasable(whileContinuing sources: [SourceID]) -> [CardSlot] {
    guard !held.isEmpty || !unranked.isEmpty else { return [] }
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
    return released
  }

  /// Returns the sources whose next pages must arrive before more cards can be released.
  func holders(among sources: [SourceID]) -> [SourceID] {
    guard let horizon = horizon(of: sources) else { return sources }
    return sources.filter { lowest[$0] == horizon }
  }

  private func horizon(of sources: [SourceID]) -> Int? {
    sources.compactMap { lowest[$0] }.max()
  }

  private mutating func hold(_ slots: [CardSlot], in store: CardStore) {
    if !order.hasKey {
      unranked += included(slots, in: store)
      return
    }
    unranked += slots.filter { order.key(of: store[$0].video) == nil && includes($0, in: store) }
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
      guard let key = order.key(of: store[slot].video), includes(slot, in: store) else { continue }
      result.append(Ranked(key: key, arrival: arrivals, slot: slot))
      arrivals += 1
    }
    return result.sorted { $0.isBehind($1) }
  }

  private func lowestKey(of slots: [CardSlot], in store: CardStore) -> Int? {
    guard order.hasKey else { return nil }
    return slots.lazy.compactMap { order.key(of: store[$0].video) }.min()
  }
}
