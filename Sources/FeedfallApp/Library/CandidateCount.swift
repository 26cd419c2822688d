import FeedfallFilters
import FeedfallRecords

/// The number of loaded videos that the filter of a tab may include: hidden ones count only if it asks for them. A tab
/// of several sources counts each video once.
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

  /// - Complexity: O(n) in the loaded videos after a change, if any video is hidden or has several cards.
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
    let countsHidden = !store.userData.hasValues(of: .hidden) || filter.asksForHidden
    let hasTwins = !content.isSource && store.hasTwins
    if countsHidden, !hasTwins { return loadedCount(of: content) }
    let hasOwnFilters = requiredField(of: content) == nil
    var slots = countable(restoredSlots(of: content), withHidden: countsHidden)
    for feed in sources(of: content) {
      let isComplete = countsHidden || hasOwnFilters && feed.settings.query.filter.asksForHidden
      slots += countable(feed.slots, withHidden: isComplete)
    }
    return hasTwins ? Set(slots.lazy.map { self.store[$0].key }).count : slots.count
  }

  private func countable(_ slots: [CardSlot], withHidden: Bool) -> [CardSlot] {
    withHidden ? slots : slots.filter { !store.states(of: $0).contains(.hidden) }
  }
}
