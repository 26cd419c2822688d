import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords

/// Cards of several sources are held back while a source can still deliver one that belongs before them. Each source is
/// expected to deliver its cards roughly in the query's order, so its lowest key so far bounds the following ones. The
/// highest of these bounds is the horizon. In an order that sources do not deliver, nothing is held back; new cards
/// only make the query stale, and all are sorted again when the tab is shown.
struct CardQuery: Equatable, Sendable {
  let content: TabContent
  private(set) var filter: Filter
  let order: CardOrder

  /// A card that is included whatever the filter says, because the user reads it.
  private(set) var kept: CardSlot?
  /// Whether the cards must be collected from the sources before the tab is shown.
  private(set) var isStale = false
  /// Whether only pages have made it stale, which may wait for others.
  private var awaitsPages = false
  /// The cards of the sources when they were collected.
  private var collectedCount = 0
  /// The video whose changed record alone has made it stale.
  private(set) var changedKey: VideoKey?
  /// Whether all cards that were released are released again then, even if a failed source resumes.
  private var keepsReleased = true
  /// The cards held back, the first in the order at the end once they are sorted.
  private var waiting: [Ranked] = []
  private var isSorted = true
  private var undated: [CardSlot] = []
  private var arrivals = 0
  private var lowestBySource: [SourceID: Int] = [:]
  /// The lowest key released.
  private var reached: Int?
  private var hasReleasedUndated = false
  /// Whether a regular expression in the filter was too slow to be compared with all cards.
  private(set) var isIncomplete = false
  /// All cards of the tab, sorted for the next filter.
  private var sorted = Sorted()
  /// Cards between the released ones: they wait until all are collected, because visible cards must not move.
  private(set) var late: [CardSlot] = []

  init(_ content: TabContent, filter: Filter = .everything, order: CardOrder) {
    (self.content, self.filter, self.order) = (content, filter, order)
  }

  var lateCount: Int { late.count }

  var pending: [CardSlot] { waiting.map(\.slot) + undated + late }

  func included(_ slots: [CardSlot], in library: Library) -> [CardSlot] {
    var matcher = matcher(in: library)
    return matcher.included(slots, in: library)
  }

  /// Those of shown cards that another filter includes.
  static func included(_ slots: [CardSlot], by filter: Filter, in library: Library) -> [CardSlot] {
    var matcher = Matcher(filter: filter, kept: nil, includesSources: false, hidesTwins: false)
    return matcher.included(slots, in: library)
  }

  /// Includes videos that match as new or as not new, because each refresh changes that.
  func includedIgnoringNewState(_ slots: [CardSlot], in library: Library) -> [CardSlot] {
    guard filter.states.contains(.new) else { return included(slots, in: library) }
    return [true, false].flatMap { isNew in
      var matcher = matcher(in: library)
      matcher.isNew = isNew
      return matcher.included(slots, in: library)
    }
  }

  private func matcher(in library: Library) -> Matcher {
    let isOfRecords = library.requiredField(of: content) != nil
    return Matcher(
      filter: filter, kept: kept, includesSources: !isOfRecords, hidesTwins: !isOfRecords && content.isOfJoined)
  }

  mutating func keep(_ slot: CardSlot?, in library: Library) {
    kept = nil
    if let slot, included([slot], in: library).isEmpty { kept = slot }
  }

  mutating func releaseKept() {
    guard kept != nil else { return }
    kept = nil
    invalidate()
  }

  /// A narrower filter only examines the `shown` cards and those held back, unless other cards wait.
  mutating func setFilter(_ filter: Filter, shown: [CardSlot], in library: Library) -> Change? {
    guard filter != self.filter else { return nil }
    // Another card of a video may be included.
    let mayHaveTwins = content.isOfJoined && library.store.hasTwins
    let isNarrower =
      !isStale && !isIncomplete && !mayHaveTwins && late.isEmpty && filter.isNarrower(than: self.filter)
      && !(library.hidesWatched && filter.states.contains(.watched))
    self.filter = filter
    guard isNarrower else { return collect(from: library) }
    var matcher = matcher(in: library)
    defer { isIncomplete = matcher.budget.isExhausted }
    let shown = matcher.included(shown, in: library)
    waiting = matcher.included(waiting, in: library)
    undated = matcher.included(undated, in: library)
    return .replace(shown)
  }

  mutating func setOrder(_ order: CardOrder, _ filter: Filter, in library: Library) -> Change {
    let sorted = sorted
    self = CardQuery(content, filter: filter, order: order)
    self.sorted = sorted
    return collect(from: library)
  }

  var dependsOnLengths: Bool { if case .column(.length, _) = order { true } else { filter.dependsOnLength } }

  func depends(on states: VideoStates) -> Bool {
    !filter.states.isDisjoint(with: states) || order == .other(.watched) && states.contains(.watched)
      || order == .other(.played) && states.contains(.played) || order == .other(.queue) && states.contains(.queued)
      || order == .other(.downloaded) && states.contains(.download)
  }

  /// Postpones all changes until the tab is shown. Only changed records keep the released cards in their places.
  mutating func invalidate(isRecordChange: Bool = false, of key: VideoKey? = nil) {
    changedKey = isStale && changedKey != key ? nil : key
    (isStale, awaitsPages) = (true, false)
    keepsReleased = keepsReleased && isRecordChange
  }

  /// Postpones the change until enough of the awaited pages have arrived.
  mutating func invalidateByPage(isRecordChange: Bool = false) {
    let waits = !isStale || awaitsPages
    invalidate(isRecordChange: isRecordChange)
    awaitsPages = waits
  }

  /// Ends the postponement: the cards are needed now.
  mutating func endPageWait() { awaitsPages = false }

  private static let leastPostponedCount = 1_000
  private static let lastPageCount = 8

  /// Whether the cards must be collected now. While many pages are awaited, many cards are collected only for an eighth
  /// more of them, or once the spinner has turned: for each page, n pages would take O(n²).
  func isDue(in library: Library) -> Bool {
    guard isStale, awaitsPages, collectedCount >= Self.leastPostponedCount,
      library.awaitedPageCount > Self.lastPageCount
    else { return isStale }
    return (library.loadedCount(of: content) - collectedCount) * 8 >= collectedCount
  }

  /// Ends the staleness: the change of `changedKey` was applied.
  mutating func settle() { (isStale, keepsReleased, changedKey) = (false, true, nil) }

  /// O(n log n).
  mutating func append(_ slots: [CardSlot], of source: SourceID, in library: Library) {
    // Without new cards the source keeps its old bound.
    guard !slots.isEmpty else { return }
    // The user or the player awaits this page.
    if isStale { return endPageWait() }
    var matcher = matcher(in: library)
    if order.isDelivered { add(slots, of: source, &matcher, in: library) } else { invalidate() }
  }

  private mutating func add(
    _ slots: [CardSlot], of source: SourceID, _ matcher: inout Matcher, in library: Library
  ) {
    // A page without keys sets no bound: otherwise its source would hold back the others forever.
    lowestBySource[source] = lowestKey(of: slots, in: library.store).map { min($0, lowestBySource[source] ?? $0) }
    hold(matcher.included(slots, in: library), in: library.store)
  }

  /// Returns the cards that belong above the `first` shown one, in order. A page that `replacesList` resets the bound
  /// of its source, which continues after it.
  mutating func insertFirstPage(
    _ slots: [CardSlot], added: [CardSlot], of source: SourceID, replacesList: Bool, above first: CardSlot?,
    in library: Library
  ) -> Change? {
    guard order.isDelivered else {
      invalidate()
      return nil
    }
    let (store, added) = (library.store, included(added, in: library))
    if replacesList { lowestBySource[source] = lowestKey(of: slots, in: store) }
    if !order.hasKey { return .prepend(added) }
    guard let first, reached != nil || hasReleasedUndated else {
      hold(added, in: store)
      return nil
    }
    var above: [CardSlot] = []
    for slot in added {
      switch place(of: order.key(of: slot, in: store), first: order.key(of: first, in: store)) {
      case .above: above.append(slot)
      case .between: late.append(slot)
      case .below: hold([slot], in: store)
      }
    }
    return .prepend(ranked(above, in: store).ranked.reversed().map(\.slot))
  }

  private enum Place { case above, between, below }

  private func place(of key: Int?, first: Int?) -> Place {
    guard let key else { return .below }
    guard let first else { return .above }
    if key > first { return .above }
    return key > reached ?? .max || hasReleasedUndated ? .between : .below
  }

  /// - Complexity: O(n log n); O(n) from the third call on, while only the filter changes.
  mutating func collect(from library: Library) -> Change {
    let old = self
    self = CardQuery(content, filter: filter, order: order)
    (kept, sorted, collectedCount) = (old.kept, old.sorted, library.loadedCount(of: content))
    var matcher = matcher(in: library)
    defer { isIncomplete = matcher.budget.isExhausted }
    let isRepeated = sorted.update(library.version)
    if !order.isDelivered { return .replace(sortedSlots(isRepeated: isRepeated, &matcher, library)) }
    if order.hasKey, isRepeated {
      let ranking = sorted.ranking ?? rankedCards(library)
      sorted.ranking = ranking
      (waiting, arrivals) = (matcher.included(ranking.cards, in: library), ranking.cards.count)
      lowestBySource = ranking.lowestBySource
      undated = matcher.included(ranking.undated, in: library)
    } else {
      let feeds = library.sources(of: content)
      for index in feeds.indices { add(feeds[source: index].slots, of: feeds[index].id, &matcher, in: library) }
    }
    let floor = old.isStale && old.keepsReleased ? old.reached : nil
    let released = releasable(
      whileContinuing: library.continuing(content), downTo: floor,
      withUndated: old.isStale && old.keepsReleased && old.hasReleasedUndated)
    return .replace(released)
  }

  private mutating func sortedSlots(
    isRepeated: Bool, _ matcher: inout Matcher, _ library: Library
  ) -> [CardSlot] {
    let feeds = library.sources(of: content)
    let all = feeds.indices.flatMap { feeds[source: $0].slots }
    guard library.requiredField(of: content) == nil else {
      let slots = matcher.included(all + library.restoredSlots(of: content), in: library)
      return order.sorted(Self.unique(slots, in: library.store), content, in: library)
    }
    if let slots = sorted.lists[order] { return matcher.included(slots, in: library) }
    let wanted = isRepeated ? all : matcher.included(all, in: library)
    let slots = order.sorted(wanted, content, in: library)
    // Changes of the records do not change the version.
    if slots.count == all.count, !order.dependsOnRecord { sorted.lists[order] = slots }
    return isRepeated ? matcher.included(slots, in: library) : slots
  }

  private func rankedCards(_ library: Library) -> Sorted.Ranking {
    var all = CardQuery(content, order: order)
    let feeds = library.sources(of: content)
    for index in feeds.indices {
      all.lowestBySource[feeds[index].id] = lowestKey(of: feeds[source: index].slots, in: library.store)
      all.hold(feeds[source: index].slots, in: library.store)
    }
    all.sortWaiting()
    return Sorted.Ranking(cards: all.waiting, undated: all.undated, lowestBySource: all.lowestBySource)
  }

  private static func unique(_ slots: [CardSlot], in store: CardStore) -> [CardSlot] {
    var keys: Set<VideoKey> = []
    return slots.filter { keys.insert(store[$0].key).inserted }
  }

  /// `sources` are those that continue. O(n log n) in the cards held back if some have arrived, else O(n).
  mutating func release(whileContinuing sources: @autoclosure () -> [SourceID]) -> Change? {
    guard !waiting.isEmpty || !undated.isEmpty else { return nil }
    let released = releasable(whileContinuing: sources())
    return released.isEmpty ? nil : .append(released)
  }

  /// Releases all cards with keys from `floor` on, and those without a key if `isWithUndated`.
  private mutating func releasable(
    whileContinuing sources: [SourceID], downTo floor: Int? = nil, withUndated isWithUndated: Bool = false
  ) -> [CardSlot] {
    guard !waiting.isEmpty || !undated.isEmpty else { return [] }
    sortWaiting()
    let horizon = horizon(of: sources)
    let limit = horizon.map { min($0, floor ?? $0) }
    let start = limit.map { limit in waiting.firstIndex { $0.key >= limit } ?? waiting.count } ?? 0
    var released = waiting[start...].reversed().map(\.slot)
    if start < waiting.count { reached = min(reached ?? .max, waiting[start].key) }
    waiting.removeSubrange(start...)
    if horizon == nil || isWithUndated {
      hasReleasedUndated = hasReleasedUndated || !undated.isEmpty
      released += undated
      undated = []
    }
    return released
  }

  /// Whether cards are released before which a source may deliver others, because it had failed or ended.
  func isAhead(of source: SourceID) -> Bool {
    guard order.holdsBack, let lowest = lowestBySource[source] else { return false }
    return hasReleasedUndated || reached.map { $0 < lowest } == true
  }

  /// Returns the sources whose next pages must arrive before more cards can be released.
  func holders(among sources: [SourceID]) -> [SourceID] {
    guard let horizon = horizon(of: sources) else { return sources }
    return sources.filter { lowestBySource[$0] == horizon }
  }

  private func horizon(of sources: [SourceID]) -> Int? {
    order.holdsBack ? sources.compactMap { lowestBySource[$0] }.max() : nil
  }

  private mutating func hold(_ slots: [CardSlot], in store: CardStore) {
    guard order.hasKey else {
      undated += slots
      return
    }
    let (added, undated) = ranked(slots, in: store)
    self.undated += undated
    isSorted = isSorted && added.isEmpty
    waiting += added
  }

  /// Sorts once for all arrivals: the runs of the sources are only merged.
  private mutating func sortWaiting() {
    guard !isSorted else { return }
    waiting.sort { $0.isBehind($1) }
    isSorted = true
  }

  /// The cards that have a key, the first in the order at the end, and the others.
  private mutating func ranked(
    _ slots: [CardSlot], in store: CardStore
  ) -> (ranked: [Ranked], undated: [CardSlot]) {
    var result: (ranked: [Ranked], undated: [CardSlot]) = ([], [])
    result.ranked.reserveCapacity(slots.count)
    for slot in slots {
      guard let key = order.key(of: slot, in: store) else {
        result.undated.append(slot)
        continue
      }
      result.ranked.append(Ranked(key: key, arrival: arrivals, slot: slot))
      arrivals += 1
    }
    result.ranked.sort { $0.isBehind($1) }
    return result
  }

  private func lowestKey(of slots: [CardSlot], in store: CardStore) -> Int? {
    guard order.hasKey else { return nil }
    return slots.lazy.compactMap { order.key(of: $0, in: store) }.min()
  }
}

extension CardQuery {
  enum Change: Sendable {
    case append([CardSlot])
    /// These cards go above all others; no visible card moves.
    case prepend([CardSlot])
    case replace([CardSlot])
  }

  struct Ranked: Equatable, Sendable {
    var key: Int
    /// Distinguishes cards with the same key: the earlier one comes first.
    var arrival: Int
    var slot: CardSlot

    func isBehind(_ other: Ranked) -> Bool { key == other.key ? arrival > other.arrival : key < other.key }
  }

  /// All cards of a tab in its orders, whatever the filter, so that a key in the filter's prompt sorts nothing.
  struct Sorted: Equatable, Sendable {
    struct Ranking: Equatable, Sendable {
      var cards: [Ranked]
      var undated: [CardSlot]
      var lowestBySource: [SourceID: Int]
    }

    private var version: Library.Version?
    /// The cards in the order in which the sources roughly deliver them; the first card is the last element.
    var ranking: Ranking?
    var lists: [CardOrder: [CardSlot]] = [:]

    /// Returns whether this version is known, so that sorting all cards is worthwhile.
    mutating func update(_ version: Library.Version) -> Bool {
      if version == self.version { return true }
      self = Sorted()
      self.version = version
      return false
    }
  }
}
