import FeedfallFeeds
import FeedfallLoading
import FeedfallText

/// Showing what is known from earlier while the network is slow, or fails.
extension AppState {
  mutating func recall(_ cursor: FeedCursor, of source: SourceID) -> [AppEffect] {
    sources[source.number].recall.ask(for: cursor, of: source) { tickets.next() }
  }

  /// Asks for the first page that is known of a source of which nothing is there yet.
  mutating func recallFirst(of source: SourceID) -> [AppEffect] {
    let feed = sources[source.number]
    guard !feed.settings.isLocal, feed.loader.position == .nothingLoaded else { return [] }
    return recall(.start, of: source)
  }

  /// Asks for the next page that is known where the network gives none.
  mutating func recallMore(of source: SourceID) -> [AppEffect] {
    guard !sources[source.number].settings.isLocal, sources[source.number].hasFailed,
      case .next(let cursor) = sources[source.number].loader.position
    else { return [] }
    return recall(cursor, of: source)
  }

  /// Adds a page that was kept behind what is there.
  mutating func take(known page: FeedPage, of source: SourceID, at now: UnixTime) -> [AppEffect] {
    sources[source.number].recall.arrived(page, at: now)
    sources[source.number].title = page.title ?? sources[source.number].title
    sources[source.number].total = page.total ?? sources[source.number].total
    sources[source.number].skippedCount += page.skippedCount
    if tabs[tab(of: source)].waterfall.cards.isEmpty {
      _ = tabs[tab(of: source)].waterfall.append(page.cards(of: source))
      mergeNews(page.cards(of: source), of: source, replacesAll: true, news: nil)
    } else {
      append(page, of: source)
    }
    return load(.pageRecalled(next: page.next), of: source) + completeShownVideo()
  }
}
