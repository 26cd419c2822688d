import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText

/// Records the known sources. All but the newest videos of a new source count as watched.
extension Browsing {
  /// Saves the sources that have become known. Those of earlier versions are known as they are, and so are those of a
  /// user without records until there is one. O(1) unless no source is known.
  mutating func recordKnownSources(at now: Int) -> [AppEffect] {
    if settings.newSourceCount != nil, library.store.userData.lacksSources {
      unsavedSources += library.store.userData.beginKnowingSources(library.knowableScopes, at: now)
    }
    guard !unsavedSources.isEmpty else { return [] }
    defer { unsavedSources = [] }
    return [.saveEvents(unsavedSources)]
  }

  /// A source is new if the records do not know it. Call it once the cards of its page are listed, and before they are
  /// shown.
  mutating func recordSource(of arrival: PageArrival, at now: UnixTime) {
    guard case .replace = arrival.purpose, !arrival.page.videos.isEmpty, arrival.page.savedAt == nil else { return }
    recordSource(arrival.source, startingWith: arrival.page, at: now)
  }

  /// An opened source that becomes one of the configuration is new as well. Before its first page, that page decides.
  mutating func recordSubscription(to source: SourceID, at now: UnixTime) {
    let slots = library[source].slots
    guard !slots.isEmpty else { return }
    recordSource(source, startingWith: FeedPage(videos: slots.map { library.store[$0].video }), at: now)
  }

  /// Of the videos without dates, those after the first ones of the page are marked as watched.
  private mutating func recordSource(_ source: SourceID, startingWith page: FeedPage, at now: UnixTime) {
    guard let count = settings.newSourceCount, library[source].isKnowable, let scope = library[source].scope else {
      return
    }
    // Another source of the same address may have become known before.
    defer { library.updateReadBefore(of: source) }
    guard library.store.userData.readBefore(ofSource: scope) == nil else { return }
    let time = page.readBefore(exceptNewest: count, at: now)
    let undated = page.videos.dropFirst(count).filter { $0.published == nil && $0.list == nil }
    let keys = undated.compactMap { library.store.slot(of: $0, of: source) }.map { library.store[$0].key }
    unsavedSources += library.store.userData.addSources([scope], readBefore: time, at: now.seconds * 1_000)
    unsavedSources += library.store.userData.addWatched(keys, at: now)
    guard time.seconds > 0 || !keys.isEmpty else { return }
    if !keys.isEmpty { library.marksChanged(of: keys) }
    tabs.invalidate(.watched, ofPageFor: (library.store.sources(of: keys) ?? []).union([source]), library)
  }

  // MARK: - Missed videos

  /// Counts the videos without a record that have left a feed on one page, except those that another source lists.
  /// `former` is the list before the page. Call it before the time of the list changes. O(n) for a changed list.
  mutating func recordMissed(
    among former: [CardSlot], of arrival: PageArrival, _ change: PageArrival.Change?, at now: UnixTime
  ) {
    guard case .replaced = change, arrival.page.next == nil, !arrival.page.videos.isEmpty,
      arrival.page.savedAt == nil, library[arrival.source].isKnowable, let scope = library[arrival.source].scope,
      let listed = library[arrival.source].updatedAt
    else { return }
    let missed = former.filter { slot in
      !library.store.isListed(slot) && !library.store[slot].isList
        && library.store.record(of: slot) == UserRecord() && library.store.listedTwins(of: slot).isEmpty
    }
    let count = CardQuery.included(missed, by: library[arrival.source].settings.query.filter, in: library).count
    guard count > 0 else { return }
    unsavedSources += library.store.userData.addMissed(
      count, ofSource: scope, listed: listed, at: now.seconds * 1_000)
  }

  /// Reports the number of the source whose tab is opened, and clears it.
  mutating func reportMissed() -> [AppEffect] {
    guard let source = content.source, let scope = library[source].scope else { return [] }
    let count = library.missedCount(of: source)
    guard count > 0 else { return [] }
    toast.show(Words.leftUnwatched(count))
    let cleared = library.store.userData.clearedMissed(ofSources: [scope])
    return [.saveEvents(library.store.userData.change(cleared, at: now))]
  }
}
