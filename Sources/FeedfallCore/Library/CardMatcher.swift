import FeedfallFilters
import FeedfallText

/// Compares cards with a filter and, except in a tab of records, with the filters of their sources.
struct CardMatcher {
  private let filter: Filter
  /// A card that is included in any case.
  private let kept: CardSlot?
  /// Whether the filters of the sources apply: the user's own marks outweigh them.
  private let includesSources: Bool
  private var source: SourceID?
  /// That of the last card's source.
  private var adopted = Adopted(filter: .everything, context: FilterContext(now: nil))
  /// Those of the sources before, because cards of several sources alternate in a mixed tab.
  private var known: [SourceID: Adopted] = [:]
  private var budget = PatternBudget()

  /// The filter for the cards of a source, and the facts beside theirs.
  private struct Adopted {
    var filter: Filter
    var context: FilterContext
  }

  init(_ filter: Filter, keeping kept: CardSlot? = nil, withFiltersOfSources includesSources: Bool = true) {
    (self.filter, self.kept, self.includesSources) = (filter, kept, includesSources)
  }

  mutating func includes(_ slot: CardSlot, in library: Library) -> Bool {
    guard slot != kept else { return true }
    let source = library.store[slot].source
    if source != self.source { adopt(source, library) }
    if adopted.filter.isEmpty { return !library.store.record(of: slot).isHidden }
    adopted.context.states = library.states(of: slot)
    return adopted.filter.includes(library.store.facts(of: slot), adopted.context, &budget)
  }

  private mutating func adopt(_ source: SourceID, _ library: Library) {
    self.source = source
    if let known = known[source] {
      adopted = known
      return
    }
    adopted = Adopted(
      filter: includesSources ? filter.and(library[source].settings.query.filter) : filter,
      context: FilterContext(now: library.now, sourceName: folded(library[source].name)))
    known[source] = adopted
  }
}

extension Library {
  /// The states of the user and the session.
  func states(of slot: CardSlot) -> VideoStates {
    let states = VideoStates(store.record(of: slot))
    return self[store[slot].source].newCards.contains(slot) ? states.union(.new) : states
  }
}
