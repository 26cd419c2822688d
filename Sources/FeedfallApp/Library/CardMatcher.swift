import FeedfallFilters
import FeedfallRecords
import FeedfallText

extension CardQuery {
  /// In a tab of several sources, includes one card of each video.
  struct Matcher {
    let filter: Filter
    /// A card that is included in any case.
    let kept: CardSlot?
    /// Whether the filters of the sources apply: the user's own marks outweigh them.
    let includesSources: Bool
    let hidesTwins: Bool
    /// Whether each video counts as new; nil to use the last refresh.
    var isNew: Bool?
    private(set) var budget = Filter.Budget()

    mutating func included(_ slots: [CardSlot], in library: Library) -> [CardSlot] {
      guard !slots.isEmpty else { return [] }
      let isIncluded = inclusion(of: slots, in: library)
      return slots.filter { isIncluded[$0] }
    }

    mutating func included(_ cards: [Ranked], in library: Library) -> [Ranked] {
      guard !cards.isEmpty else { return [] }
      let isIncluded = inclusion(of: cards.map(\.slot), in: library)
      return cards.filter { isIncluded[$0.slot] }
    }

    /// Compares the cards of each source together, because those of several alternate in a mixed tab.
    private mutating func inclusion(of slots: [CardSlot], in library: Library) -> SlotFlags {
      var isIncluded = filtered(slots, in: library)
      if let kept { isIncluded[kept] = true }
      if hidesTwins, library.store.hasTwins { removeTwins(among: slots, from: &isIncluded, in: library) }
      return isIncluded
    }

    private mutating func filtered(_ slots: [CardSlot], in library: Library) -> SlotFlags {
      var isIncluded = SlotFlags(spanning: slots)
      for group in library.groupedBySource(slots) {
        for slot in included(group, of: library.store.brief(of: group[0]).source, library) { isIncluded[slot] = true }
      }
      return isIncluded
    }

    /// The kept card stays, or else that of the first source.
    private mutating func removeTwins(among slots: [CardSlot], from isIncluded: inout SlotFlags, in library: Library) {
      let preceding = Set(slots.filter { isIncluded[$0] }.flatMap { library.precedingTwins(of: $0) })
      let isShown = filtered(Array(preceding), in: library)
      for slot in slots where library.precedingTwins(of: slot).contains(where: { isShown[$0] }) {
        isIncluded[slot] = false
      }
      guard let kept else { return }
      isIncluded[kept] = true
      for twin in library.shownTwins(of: kept) { isIncluded[twin] = false }
    }

    private mutating func included(_ slots: [CardSlot], of source: SourceID, _ library: Library) -> [CardSlot] {
      let filter = includesSources ? filter.and(library[source].settings.query.filter) : filter
      let states = library.possibleStates(of: source)
      let hidesWatched = includesSources && library.hidesWatched && states.contains(.watched)
      let slots =
        hidesWatched && !filter.states.contains(.watched) ? slots.filter { !library.store.isWatchedBefore($0) } : slots
      let possible = states.intersection(filter.states)
      if filter.isEmpty, possible.isEmpty { return slots }
      let ownName = library[source].distinction.map { _ in folded(library[source].ownName) }
      let context = Filter.Context(
        now: library.now, zone: library.store.zone, sourceName: folded(library[source].name), ownSourceName: ownName,
        tags: library[source].settings.tags.map { folded($0) })
      return library.store.included(slots, by: filter, context, &budget) { slot in
        let states = possible.isEmpty ? [] : library.states(of: slot, among: possible)
        return isNew.map { $0 ? states.union(.new) : states.subtracting(.new) } ?? states
      }
    }
  }
}

/// A flag for each of the slots from the first to the last of some; false for the others. The cards of a page are side
/// by side, so that its flags cost nothing beside all cards.
struct SlotFlags {
  private let first: Int
  private var flags: [Bool]

  init(spanning slots: [CardSlot]) {
    first = slots.lazy.map { $0.index }.min() ?? 0
    let last = slots.lazy.map { $0.index }.max() ?? -1
    flags = [Bool](repeating: false, count: last - first + 1)
  }

  init(of slots: [CardSlot]) {
    self.init(spanning: slots)
    for slot in slots { self[slot] = true }
  }

  subscript(slot: CardSlot) -> Bool {
    get { flags.indices.contains(slot.index - first) && flags[slot.index - first] }
    set { if flags.indices.contains(slot.index - first) { flags[slot.index - first] = newValue } }
  }
}

extension Library {
  fileprivate func groupedBySource(_ slots: [CardSlot]) -> [[CardSlot]] {
    guard let first = slots.first.map({ store.brief(of: $0).source }) else { return [] }
    if slots.allSatisfy({ store.brief(of: $0).source == first }) { return [slots] }
    var groups: [[CardSlot]] = []
    // The cards of records have a source behind all others.
    var places = [Int?](repeating: nil, count: sources.count + 1)
    for slot in slots {
      let number = min(store.brief(of: slot).source.number, sources.count)
      if let place = places[number] {
        groups[place].append(slot)
      } else {
        places[number] = groups.count
        groups.append([slot])
      }
    }
    return groups
  }

  fileprivate func possibleStates(of source: SourceID) -> VideoStates {
    let states = VideoStates(changedBy: UserField.allCases.filter(store.userData.hasValues))
      .union(store.readBefore[source] == nil ? [] : .watched)
    return self[source].newCards.isEmpty ? states : states.union(.new)
  }

  fileprivate func states(of slot: CardSlot, among wanted: VideoStates) -> VideoStates {
    var states: VideoStates = wanted == .new ? [] : store.states(of: slot)
    if wanted.contains(.new), isNew(slot) { states.insert(.new) }
    return states
  }
}
