import FeedfallFilters
import FeedfallText
import FeedfallUserData

/// Compares cards with a filter and, except in a tab of records, with the filters of their sources.
struct CardMatcher {
  private let filter: Filter
  /// A card that is included in any case.
  private let kept: CardSlot?
  /// Whether the filters of the sources apply: the user's own marks outweigh them.
  private let includesSources: Bool
  /// That of the last card's source.
  private var adopted = Adopted(source: nil, filter: .everything, context: FilterContext(now: nil), states: [])
  /// Those of the sources before, because cards of several sources alternate in a mixed tab.
  private var known: [Adopted] = []
  /// For each source, its place in `known`.
  private var places: [SourceID: Int] = [:]
  private var budget = PatternBudget()

  /// The filter for the cards of a source, and the facts beside theirs.
  private struct Adopted {
    var source: SourceID?
    var filter: Filter
    var context: FilterContext
    /// The states that the filter depends on, as far as any card may have them.
    var states: VideoStates
  }

  init(_ filter: Filter, keeping kept: CardSlot? = nil, withFiltersOfSources includesSources: Bool = true) {
    (self.filter, self.kept, self.includesSources) = (filter, kept, includesSources)
  }

  mutating func includes(_ slot: CardSlot, in library: Library) -> Bool {
    guard slot != kept else { return true }
    let source = library.store.brief(of: slot).source
    if source != adopted.source { adopt(source, library) }
    if !adopted.states.isEmpty { adopted.context.states = library.states(of: slot, among: adopted.states) }
    if adopted.filter.isEmpty { return !adopted.context.states.contains(.hidden) }
    return library.store.includes(slot, adopted.filter, adopted.context, &budget)
  }

  private mutating func adopt(_ source: SourceID, _ library: Library) {
    if let place = places[source] {
      adopted = known[place]
      return
    }
    let filter = includesSources ? filter.and(library[source].settings.query.filter) : filter
    let new = Adopted(
      source: source, filter: filter,
      context: FilterContext(now: library.now, sourceName: folded(library[source].name)),
      states: library.possibleStates(of: source).intersection(filter.states))
    adopted = new
    places[source] = known.count
    known.append(new)
  }
}

extension Library {
  /// The states of the user and the session that any card of a source may have.
  fileprivate func possibleStates(of source: SourceID) -> VideoStates {
    let states = VideoStates(changedBy: UserField.allCases.filter(store.userData.hasValues))
    return self[source].newCards.isEmpty ? states : states.union(.new)
  }

  /// The states of the user and the session, among some.
  fileprivate func states(of slot: CardSlot, among wanted: VideoStates) -> VideoStates {
    var states: VideoStates = wanted == .new ? [] : store.states(of: slot)
    if wanted.contains(.new), self[store[slot].source].newCards.contains(slot) { states.insert(.new) }
    return states
  }
}
