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
  /// What must be collected from the sources before the tab is shown.
  private var staleness = Staleness.none
  /// Whether only pages have made it stale, which may wait for others.
  private var awaitsPages = false
  /// The video whose changed record alone has made it stale.
  private(set) var changedKey: VideoKey?
  /// Whether all cards that were released are released again then, even if a failed source resumes.
  private var keepsReleased = true
  /// The cards held back, the first in the order at the end once they are sorted.
  private var waiting: [Ranked] = []
  private var isSorted = true
  private var released: [Ranked] = []
  private var lowestBySource: [SourceID: Int] = [:]
  /// What to collect anew with the next cards, because facts, names or places in lists have changed.
  private var outdated = Staleness.none
  /// The lowest key released.
  private var reached: Int?
  private var hasReleasedUndated = false
  /// Whether a regular expression in the filter was too slow to be compared with all cards.
  private(set) var isIncomplete = false
  /// All cards of the tab, sorted for the next filter.
  private var sorted = Sorted()
  /// Cards between the released ones: they wait until all are collected, because visible cards must not move.
  private var lateCards: [Ranked] = []

  init(_ content: TabContent, filter: Filter = .everything, order: CardOrder) {
    (self.content, self.filter, self.order) = (content, filter, order)
  }

  /// Whether the cards must be collected from the sources before the tab is shown.
  var isStale: Bool { staleness != .none }

  var lateCount: Int { lateCards.count }
  var late: [CardSlot] { lateCards.map(\.slot) }

  var pending: [CardSlot] { waiting.map(\.slot) + late }

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
    let former = kept
    kept = nil
    if let slot, included([slot], in: library).isEmpty { kept = slot }
    if let former, former != kept { outdated.insert([library.store.brief(of: former).source]) }
  }

  /// Call it after the facts of a source's cards have changed. Its cards stay until others are collected.
  mutating func factsChanged(of source: SourceID) { outdated.insert([source]) }

  /// Call it after the names of sources have changed.
  mutating func namesChanged() { outdated = .all }

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
      !isStale && !isIncomplete && !mayHaveTwins && lateCards.isEmpty && filter.isNarrower(than: self.filter)
      && !(library.hidesWatched && filter.states.contains(.watched))
    self.filter = filter
    guard isNarrower else {
      invalidate()
      return collect(from: library)
    }
    var matcher = matcher(in: library)
    defer { isIncomplete = matcher.budget.isExhausted }
    let shown = matcher.included(shown, in: library)
    waiting = matcher.included(waiting, in: library)
    let isShown = SlotFlags(of: shown)
    released.removeAll { !isShown[$0.slot] }
    return .replace(shown)
  }

  mutating func setOrder(_ order: CardOrder, _ filter: Filter, in library: Library) -> Change {
    let sorted = sorted
    self = CardQuery(content, filter: filter, order: order)
    self.sorted = sorted
    invalidate()
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
    (staleness, awaitsPages) = (.all, false)
    keepsReleased = keepsReleased && isRecordChange
  }

  /// Postpones the changes by pages of some sources until the tab is shown and enough of them have arrived.
  mutating func invalidate(pagesOf sources: Set<SourceID>, isRecordChange: Bool = false) {
    awaitsPages = awaitsPages || !isStale
    staleness.insert(sources)
    changedKey = nil
    keepsReleased = keepsReleased && isRecordChange
  }

  /// Ends the wait for further pages: the cards are needed now.
  mutating func endPageWait() { awaitsPages = false }

  private static let partCount = 64

  /// Whether the cards must be collected now. While pages are awaited, a 64th of all cards are collected together: for
  /// each page, n pages would take O(n²).
  func isDue(in library: Library) -> Bool {
    guard awaitsPages, case .sources(let changed) = staleness, library.isLoading else { return isStale }
    let changedCount = changed.reduce(0) { $0 + library[$1].slots.count }
    return changedCount * Self.partCount >= library.loadedCount(of: content)
  }

  /// Ends the staleness: the cards of the video of `changedKey` have left the tab.
  mutating func settle(without slots: [CardSlot]) {
    (staleness, keepsReleased, changedKey) = (.none, true, nil)
    released.removeAll { slots.contains($0.slot) }
  }

  /// O(n log n).
  mutating func append(_ slots: [CardSlot], of source: SourceID, in library: Library) {
    // Without new cards the source keeps its old bound.
    guard !slots.isEmpty else { return }
    if isStale {
      staleness.insert([source])
      changedKey = nil
      // The user or the player awaits this page.
      return endPageWait()
    }
    guard order.isDelivered else { return invalidate() }
    var matcher = matcher(in: library)
    add(slots, of: source, from: library[source].slots.count - slots.count, &matcher, in: library)
  }

  /// `start` is the place of the first card in the list of its source.
  private mutating func add(
    _ slots: [CardSlot], of source: SourceID, from start: Int = 0, _ matcher: inout Matcher, in library: Library
  ) {
    // A page without keys sets no bound: otherwise its source would hold back the others forever.
    lowestBySource[source] = lowestKey(of: slots, in: library.store).map { min($0, lowestBySource[source] ?? $0) }
    hold(ranked(matcher.included(slots, in: library), of: source, from: start, in: library.store))
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
    let store = library.store
    let added = ranked(included(added, in: library), of: source, in: store)
    outdated.insert([source])
    if replacesList { lowestBySource[source] = lowestKey(of: slots, in: store) }
    if !order.hasKey {
      released += added
      return .prepend(added.map(\.slot))
    }
    guard let first, reached != nil || hasReleasedUndated else {
      hold(added)
      return nil
    }
    var above: [Ranked] = []
    for card in added {
      switch place(of: card.key, first: order.key(of: first, in: store) ?? Ranked.lastKey) {
      case .above: above.append(card)
      case .between: lateCards.append(card)
      case .below: hold([card])
      }
    }
    released += above
    return .prepend(above.sorted { $1.isBehind($0) }.map(\.slot))
  }

  private enum Place { case above, between, below }

  private func place(of key: Int, first: Int) -> Place {
    if key == Ranked.lastKey { return .below }
    if key > first { return .above }
    return key > reached ?? .max || hasReleasedUndated ? .between : .below
  }

  /// - Complexity: O(n log n); O(n) if only pages of a few sources have arrived, and from the third call on, while only
  ///   the filter changes.
  mutating func collect(from library: Library) -> Change {
    let old = self
    self = CardQuery(content, filter: filter, order: order)
    (kept, sorted) = (old.kept, old.sorted)
    var matcher = matcher(in: library)
    defer { isIncomplete = isIncomplete || matcher.budget.isExhausted }
    let feeds = library.sources(of: content)
    if let isChanged = old.changedSources(in: library) {
      (lowestBySource, isIncomplete) = (old.lowestBySource, old.isIncomplete)
      waiting.reserveCapacity(old.released.count + old.waiting.count)
      for cards in [old.released, old.waiting, old.lateCards] {
        for card in cards where !isChanged[Int(card.number)] { waiting.append(card) }
      }
      isSorted = false
      for index in feeds.indices where isChanged[feeds[index].id.number] {
        lowestBySource[feeds[index].id] = nil
        add(feeds[source: index].slots, of: feeds[index].id, &matcher, in: library)
      }
    } else {
      let isRepeated = sorted.update(library.version)
      if !order.isDelivered { return .replace(sortedSlots(isRepeated: isRepeated, &matcher, library)) }
      if order.hasKey, isRepeated {
        let ranking = sorted.ranking ?? rankedCards(library)
        sorted.ranking = ranking
        (waiting, lowestBySource) = (matcher.included(ranking.cards, in: library), ranking.lowestBySource)
      } else {
        for index in feeds.indices { add(feeds[source: index].slots, of: feeds[index].id, &matcher, in: library) }
      }
    }
    let keepsReleased = old.isStale && old.keepsReleased
    return .replace(
      releasable(
        whileContinuing: library.continuing(content), downTo: keepsReleased ? old.reached : nil,
        withUndated: keepsReleased && old.hasReleasedUndated))
  }

  /// A flag for each source whose cards may have changed since the others were collected; nil if all may have, also
  /// because time has passed.
  func changedSources(in library: Library) -> [Bool]? {
    let dependsOnTime = filter.dependsOnTime || library.sources(of: content).contains(where: \.dependsOnTime)
    guard order.isDelivered, !dependsOnTime, var changed = staleness.sources, let others = outdated.sources else {
      return nil
    }
    changed.formUnion(others)
    if content.isOfJoined, library.store.hasTwins {
      // A card may take the place of one of the same video, or lose it.
      let old = (released + waiting + lateCards).filter { changed.contains($0.source) }.map(\.slot)
      let slots = old + changed.flatMap { library[$0].slots }
      changed.formUnion(library.store.sources(of: Set(slots.map { library.store[$0].key })) ?? [])
    }
    var flags = [Bool](repeating: false, count: library.sources.count)
    for source in changed where source != .records { flags[source.number] = true }
    return flags
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
      let (id, slots) = (feeds[index].id, feeds[source: index].slots)
      all.lowestBySource[id] = lowestKey(of: slots, in: library.store)
      all.hold(ranked(slots, of: id, in: library.store))
    }
    all.sortWaiting()
    return Sorted.Ranking(cards: all.waiting, lowestBySource: all.lowestBySource)
  }

  private static func unique(_ slots: [CardSlot], in store: CardStore) -> [CardSlot] {
    var keys: Set<VideoKey> = []
    return slots.filter { keys.insert(store[$0].key).inserted }
  }

  /// `sources` are those that continue. O(n log n) in the cards held back if some have arrived, else O(n).
  mutating func release(whileContinuing sources: @autoclosure () -> [SourceID]) -> Change? {
    guard !waiting.isEmpty else { return nil }
    let released = releasable(whileContinuing: sources())
    return released.isEmpty ? nil : .append(released)
  }

  /// Releases all cards with keys from `floor` on, and those without a key if `isWithUndated`.
  private mutating func releasable(
    whileContinuing sources: [SourceID], downTo floor: Int? = nil, withUndated isWithUndated: Bool = false
  ) -> [CardSlot] {
    guard !waiting.isEmpty else { return [] }
    sortWaiting()
    let horizon = horizon(of: sources)
    let limit = horizon.map { min($0, floor ?? $0) } ?? Ranked.lastKey
    let undatedCount = waiting.firstIndex { $0.key != Ranked.lastKey } ?? waiting.count
    let start = waiting[undatedCount...].firstIndex { $0.key >= limit } ?? waiting.count
    if start < waiting.count { reached = min(reached ?? .max, waiting[start].key) }
    let count = released.count
    release(start..<waiting.count)
    if horizon == nil || isWithUndated {
      hasReleasedUndated = hasReleasedUndated || undatedCount > 0
      release(0..<undatedCount)
    }
    return released[count...].map(\.slot)
  }

  private mutating func release(_ range: Range<Int>) {
    let cards: ReversedCollection<ArraySlice<Ranked>> = waiting[range].reversed()
    released.append(contentsOf: cards)
    waiting.removeSubrange(range)
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

  private mutating func hold(_ cards: [Ranked]) {
    isSorted = isSorted && cards.isEmpty
    waiting += cards
  }

  /// Sorts once for all arrivals: the runs of the sources are only merged.
  private mutating func sortWaiting() {
    guard !isSorted else { return }
    waiting.sort { $0.isBehind($1) }
    isSorted = true
  }

  private func ranked(
    _ slots: [CardSlot], of source: SourceID, from start: Int = 0, in store: CardStore
  ) -> [Ranked] {
    slots.enumerated().map { index, slot in
      Ranked(
        key: order.key(of: slot, in: store) ?? Ranked.lastKey, number: Int32(clamping: source.number),
        place: Int32(clamping: start + index), slot: slot)
    }
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
    /// That of cards without a key, which come last.
    static let lastKey = Int.min

    let key: Int
    /// The number of its source, and the place in the source's list: they order cards with the same key.
    fileprivate let (number, place): (Int32, Int32)
    let slot: CardSlot

    var source: SourceID { SourceID(Int(number)) }

    func isBehind(_ other: Ranked) -> Bool {
      if key != other.key { return key < other.key }
      return number == other.number ? place > other.place : number > other.number
    }
  }

  private enum Staleness: Equatable, Sendable {
    case none
    /// Pages of these sources have arrived.
    case sources(Set<SourceID>)
    case all

    /// Nil for all.
    var sources: Set<SourceID>? {
      switch self {
      case .none: []
      case .sources(let sources): sources
      case .all: nil
      }
    }

    mutating func insert(_ new: Set<SourceID>) {
      switch self {
      case .none: self = .sources(new)
      case .sources(let old): self = .sources(old.union(new))
      case .all: break
      }
    }
  }

  /// All cards of a tab in its orders, whatever the filter, so that a key in the filter's prompt sorts nothing.
  struct Sorted: Equatable, Sendable {
    struct Ranking: Equatable, Sendable {
      var cards: [Ranked]
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
