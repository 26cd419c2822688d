/// The sources whose pages are requested once others have answered.
struct WaitingSources: Equatable, Sendable {
  /// The facts that each search for the next source reads, possibly of thousands of sources.
  private struct Entry: Equatable {
    let source: SourceID
    let origin: PageQuota.Origin
    let isRefresh: Bool
    var publishInterval: Int

    /// The user waits for further pages.
    var rank: (Int, Int) { (isRefresh ? 1 : 0, publishInterval) }
  }

  private var entries: [Entry] = []
  /// The events that request their pages.
  private var events: [SourceID: FeedLoader.Event] = [:]

  /// A week in seconds, for sources without dates.
  private static let usualInterval = 604_800

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  var hasRefreshes: Bool { entries.contains(where: \.isRefresh) }
  /// Those that wait for their first pages. O(n).
  var refreshes: [SourceID] { entries.map(\.source).filter(isRefresh) }

  func contains(_ source: SourceID) -> Bool { events[source] != nil }

  func isRefresh(_ source: SourceID) -> Bool { events[source] == .refreshRequested }

  /// A refresh replaces a request for another page. O(1) unless it does.
  mutating func append(_ source: SourceState, for event: FeedLoader.Event = .refreshRequested) {
    let isRefresh = event == .refreshRequested
    if isRefresh, !self.isRefresh(source.id) { remove(source.id) }
    guard !contains(source.id) else { return }
    events[source.id] = event
    let interval = source.publishInterval ?? Self.usualInterval
    entries.append(
      Entry(source: source.id, origin: source.origin, isRefresh: isRefresh, publishInterval: interval))
  }

  /// Call it after a page has arrived.
  mutating func update(_ source: SourceState) {
    guard let place = place(of: source.id) else { return }
    entries[place].publishInterval = source.publishInterval ?? Self.usualInterval
  }

  @discardableResult
  mutating func remove(_ source: SourceID) -> FeedLoader.Event? {
    guard let place = place(of: source) else { return nil }
    entries.remove(at: place)
    return events.removeValue(forKey: source)
  }

  /// O(n).
  mutating func remove(_ sources: Set<SourceID>) {
    entries.removeAll { sources.contains($0.source) }
    for source in sources { events[source] = nil }
  }

  /// That which publishes most often, of the `preferred` ones if possible, and of further pages before refreshes. O(n).
  mutating func dequeue(
    _ room: PageQuota, preferred: [SourceID]
  ) -> (source: SourceID, event: FeedLoader.Event)? {
    guard let place = placeOfNext(room, preferred) else { return nil }
    let source = entries.remove(at: place).source
    return events.removeValue(forKey: source).map { (source: source, event: $0) }
  }

  private func placeOfNext(_ room: PageQuota, _ preferred: [SourceID]) -> Int? {
    next(among: preferred.compactMap { place(of: $0) }.sorted(), room) ?? next(among: entries.indices, room)
  }

  private func next(among places: some Sequence<Int>, _ room: PageQuota) -> Int? {
    places.lazy.filter { room.allows(entries[$0].origin) }
      .min { entries[$0].rank < entries[$1].rank }
  }

  private func place(of source: SourceID) -> Int? {
    contains(source) ? entries.firstIndex { $0.source == source } : nil
  }
}
