import FeedfallFilters

/// The number of loaded videos that the filter of a tab may include: hidden ones count only if it asks for them.
///
/// It is counted once for each version of the cards, the records and the filter, because each key in the prompt shows it.
struct CandidateCount: Sendable {
  private struct Version: Equatable, Sendable {
    var content: TabContent
    var lists: Library.Version
    var recordRevision: Int
    var asksForHidden: Bool
  }

  private var version: Version?
  private(set) var value = 0

  /// - Complexity: O(n) in the loaded videos after a change, if any video is hidden.
  mutating func update(of content: TabContent, for filter: Filter, in library: Library) {
    let version = Version(
      content: content, lists: library.version, recordRevision: library.store.revision,
      asksForHidden: filter.asksForHidden)
    guard version != self.version else { return }
    (self.version, value) = (version, library.candidateCount(of: content, for: filter))
  }
}

extension Library {
  fileprivate func candidateCount(of content: TabContent, for filter: Filter) -> Int {
    guard store.userData.hasValues(of: .hidden), !filter.asksForHidden else { return loadedCount(of: content) }
    let hasOwnFilters = requiredField(of: content) == nil
    return sources(of: content).reduce(shownCount(of: restoredSlots(of: content))) { count, feed in
      let isComplete = hasOwnFilters && feed.settings.query.filter.asksForHidden
      return count + (isComplete ? feed.slots.count : shownCount(of: feed.slots))
    }
  }

  /// The number of cards that are not hidden.
  private func shownCount(of slots: [CardSlot]) -> Int {
    slots.count { !store.states(of: $0).contains(.hidden) }
  }
}
