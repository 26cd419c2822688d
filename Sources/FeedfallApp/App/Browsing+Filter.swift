import FeedfallFilters
import FeedfallScreen

extension Browsing {
  var isFilterSearchPaused: Bool {
    isFiltered && tabs.selected.filter.searchedPageCount >= TabFilter.maximumSearchedPageCount
      && shownSources.contains { !$0.isLocal }
  }

  mutating func clearFilter() -> [AppEffect] {
    changeFilter { $0.clear() }
    return completeDetails()
  }

  /// Clears the filter; without one, stops the refresh.
  mutating func clearFilterOrStop() -> [AppEffect] {
    tabs.selected.filter.isActive || !library.waiting.hasRefreshes ? clearFilter() : stopRefresh()
  }

  mutating func chooseNextOrder() -> [AppEffect] {
    library.store.prepareUsedFacts()
    let name = tabs.selected.chooseNextOrder(library)
    // The status line names every other order, by itself or in the filter.
    let isOwn = tabs.selected.orderName == nil && tabs.selected.filter.query.order == nil
    if isOwn { toast.show(Words.order(name)) }
    return completeDetails()
  }

  mutating func handlePrompt(_ input: Prompt.Input) -> [AppEffect] {
    let isApplied = input == .command(.accept)
    guard let filter = tabs.selected.filter.prompt else {
      if isApplied { searchHistory.add(tabs.selected.cards.needle) }
      if let message = tabs.selected.cards.handlePrompt(input, in: library.store) { toast.show(message) }
      return []
    }
    changeFilter { $0.handle(input) }
    if isApplied, !tabs.selected.hasPrompt { filterHistory.add(filter.needle) }
    return completeDetails()
  }

  /// Selects the match beside the selected card.
  mutating func selectMatch(forward: Bool) {
    guard !tabs.selected.cards.needle.isEmpty else { return toast.show(words.noActiveSearch) }
    if let message = tabs.selected.cards.selectMatch(forward: forward, in: library.store) { toast.show(message) }
  }

  mutating func paste(_ text: String) {
    if tabs.selected.filter.prompt == nil {
      tabs.selected.cards.paste(text, in: library.store)
    } else {
      changeFilter { $0.paste(text) }
    }
  }

  mutating func changeFilter(_ change: (inout TabFilter) -> Void) {
    var filter = tabs.selected.filter
    change(&filter)
    if filter.prompt != nil, filter.query != tabs.selected.filter.query { library.store.prepareFacts() }
    tabs.selected.setFilter(filter, library)
    library.store.usesFacts = tabs.hasFilter
  }

  /// Prepares the facts in batches with pauses while the prompt is open, so that opening it does not wait for all. A
  /// key that filters earlier prepares the rest at once.
  mutating func prepareFacts(_ tickets: inout TicketOffice) -> [AppEffect] {
    guard tabs.selected.filter.prompt != nil, !factsPause.isRunning, library.store.lacksFacts else { return [] }
    return factsPause.begin(Self.factsPauseTime, &tickets, Wait.facts)
  }

  mutating func factsPauseElapsed(_ ticket: Ticket) {
    guard factsPause.end(ticket), tabs.selected.filter.prompt != nil else { return }
    library.store.prepareFacts(ofCount: Self.factsBatchCount)
  }

  /// Pending keys are handled during the pause.
  private static let factsPauseTime = Duration.milliseconds(1)
  private static let factsBatchCount = 10_000
}

extension Browsing {
  /// The loaded videos that the filter of a tab may include: hidden ones count only if it asks for them. A tab of
  /// several sources counts each video once.
  struct Candidates: Equatable, Sendable {
    private struct Version: Equatable {
      var content: TabContent
      var lists: Library.Version
      var recordRevision: Int
      var asksForHidden: Bool
    }

    private var version: Version?
    private(set) var count = 0

    /// - Complexity: O(n) in the loaded videos after a change, if any is hidden or has several cards.
    mutating func update(of content: TabContent, for filter: Filter, in library: Library) {
      let version = Version(
        content: content, lists: library.version, recordRevision: library.store.revision,
        asksForHidden: filter.asksForHidden)
      guard version != self.version else { return }
      (self.version, count) = (version, library.candidateCount(of: content, for: filter))
    }
  }
}
