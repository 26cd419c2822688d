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

  /// A source is new if neither the records know it nor the cache has shown a page of it. Call it before its cards are
  /// shown.
  mutating func recordSource(of arrival: PageArrival, _ change: PageArrival.Change?, at now: UnixTime) {
    guard let count = settings.newSourceCount, case .replace = arrival.purpose, !arrival.page.videos.isEmpty,
      arrival.page.savedAt == nil, library[arrival.source].isKnowable, let scope = library[arrival.source].scope
    else { return }
    // Another source of the same address may have become known before.
    defer { library.updateReadBefore(of: arrival.source) }
    guard library.store.userData.readBefore(ofSource: scope) == nil else { return }
    let isNew = if case .replaced(_, added: nil) = change { true } else { false }
    addSource(scope, readBefore: isNew ? arrival.page.readBefore(exceptNewest: count, at: now) : nil, at: now)
  }

  /// An opened source that becomes one of the configuration is new as well. Before its first page, that page decides.
  mutating func recordSubscription(to source: SourceID, at now: UnixTime) {
    guard let count = settings.newSourceCount, library[source].isKnowable, let scope = library[source].scope,
      !library[source].slots.isEmpty, library.store.userData.readBefore(ofSource: scope) == nil
    else { return }
    let page = FeedPage(videos: library[source].slots.map { library.store[$0].video }, next: nil)
    addSource(scope, readBefore: page.readBefore(exceptNewest: count, at: now), at: now)
    library.updateReadBefore(of: source)
  }

  private mutating func addSource(_ scope: String, readBefore time: UnixTime?, at now: UnixTime) {
    let time = time ?? UnixTime(seconds: 0)
    unsavedSources += library.store.userData.addSources([scope], readBefore: time, at: now.seconds * 1_000)
    if time.seconds > 0 { tabs.invalidate(.watched) }
  }
}
