import FeedfallFilters
import FeedfallText

/// Compares cards with a filter and with the filters of their sources.
struct CardMatcher {
  private let filter: Filter
  /// The source of the last card, with the filter and the facts for its cards.
  private var source: SourceID?
  private var sourceFilter = Filter.everything
  private var context = FilterContext(now: nil)

  init(_ filter: Filter) { self.filter = filter }

  mutating func includes(_ slot: CardSlot, in library: Library) -> Bool {
    let source = library.store[slot].source
    if source != self.source { adopt(source, library) }
    if sourceFilter.isEmpty { return !library.store.record(of: slot).isHidden }
    context.states = library.states(of: slot)
    return sourceFilter.includes(library.store.facts(of: slot), context)
  }

  private mutating func adopt(_ source: SourceID, _ library: Library) {
    self.source = source
    sourceFilter = filter.and(library[source].settings.query.filter)
    context = FilterContext(now: library.now, sourceName: folded(library[source].name))
  }
}

extension Library {
  /// The states of the user and the session.
  func states(of slot: CardSlot) -> VideoStates {
    let states = VideoStates(store.record(of: slot))
    return self[store[slot].source].newCards.contains(slot) ? states.union(.new) : states
  }
}
