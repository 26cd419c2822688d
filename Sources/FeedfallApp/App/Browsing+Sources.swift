import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText

/// Which sources are known. Of a new one, all but the newest videos count as watched.
extension Browsing {
  /// The sources of earlier versions are known as they are, and so are those of a user without records until there is
  /// one. O(1) unless no source is known.
  mutating func recordKnownSources(at now: Int) -> [AppEffect] {
    guard settings.newSourceCount != nil, library.store.userData.lacksSources else { return [] }
    return [.saveEvents(library.store.userData.beginKnowingSources(library.knowableScopes, at: now))]
  }

  /// A source is new if neither the records know it nor the cache has shown a page of it. Call it before its cards are
  /// shown.
  mutating func recordSource(
    of arrival: PageArrival, _ change: PageArrival.Change?, at now: UnixTime
  ) -> [AppEffect] {
    guard let count = settings.newSourceCount, case .replace = arrival.purpose, !arrival.page.videos.isEmpty,
      arrival.page.savedAt == nil, library[arrival.source].isKnowable, let scope = library[arrival.source].scope,
      library.store.userData.readBefore(ofSource: scope) == nil
    else { return [] }
    let isNew = if case .replaced(_, added: nil) = change { true } else { false }
    let time = isNew ? arrival.page.readBefore(exceptNewest: count, at: now) : UnixTime(seconds: 0)
    let events = library.store.userData.addSources([scope], readBefore: time, at: now.seconds * 1_000)
    library.updateReadBefore()
    if time.seconds > 0 { tabs.invalidate(.watched) }
    return [.saveEvents(events)]
  }
}
