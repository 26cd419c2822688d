import FeedfallFeeds

/// Which sources wait for their pages, and when they are refreshed by time.
extension Library {
  mutating func start() {
    recalled = sources.map(\.id).reversed()
    enqueue(
      sources.indices.filter { sources[$0].settings.isLocal || sources[$0].settings.refresh != .manual }
        .map(SourceID.init))
  }

  /// Only first pages are a refresh.
  mutating func enqueue(_ new: [SourceID], for event: FeedLoader.Event = .refreshRequested) {
    let refreshed = new.filter { self[$0].loader.requestsFirstPage(event) }
    for source in refreshed where !self[source].isRefreshing { waiting.append(sources[source.number]) }
    progress.begin(refreshed)
    for source in new where !self[source].loader.requestsFirstPage(event) {
      waiting.append(sources[source.number], for: event)
    }
  }

  /// The sources that wait are not refreshed before their time. Further pages are still requested.
  mutating func stopRefresh() -> (effects: [AppEffect], count: Int) {
    let stopped = waiting.refreshes
    waiting.remove(Set(stopped))
    progress.cancel(stopped)
    // The wait of such a page has ended.
    for source in stopped where sources.statuses[source.number].isDebouncing {
      waiting.append(sources[source.number], for: .loadMoreRequested)
    }
    return (stopped.flatMap { beginTime(of: $0) }, stopped.count)
  }

  /// The pages of the selected tab of a source or a group are requested at once, then those of the `visible` sources.
  mutating func requestPages(selected content: TabContent, visible: [SourceID]) -> [AppEffect] {
    waiting.isEmpty ? requestCachedFirstPages() : requestWaiting(selected: content, visible: visible)
  }

  /// Above the quota, for the tabs that the user opens while servers do not answer.
  private static let maximumPendingCount = 64

  private mutating func requestWaiting(selected content: TabContent, visible: [SourceID]) -> [AppEffect] {
    var effects: [AppEffect] = []
    // The user waits for these, so the quota of the refreshes in the background does not delay them.
    if !content.isOfJoined, sources.statuses.count(where: \.isPageRequested) < Self.maximumPendingCount {
      for source in sources(of: content).ids(where: { waiting.contains($0.id) }) {
        if let event = waiting.remove(source) { effects += requestPage(of: source, for: event) }
      }
    }
    if let source = content.source, waiting.contains(source) { effects += requestCachedFirstPage(of: source) }
    let preferred = [content.source].compactMap(\.self) + visible
    var room = PageQuota(pending: sources.statuses.filter(\.isPageRequested).map { self[$0.id].origin })
    while let (source, event) = waiting.dequeue(room, preferred: preferred) {
      _ = room.acquire(self[source].origin)
      effects += requestPage(of: source, for: event)
      if !self[source].isPageRequested { room.release(self[source].origin) }
    }
    return effects + requestCachedFirstPages()
  }

  private static let maximumCachedLoads = 8

  private mutating func requestCachedFirstPages() -> [AppEffect] {
    guard !recalled.isEmpty else { return [] }
    var room = Self.maximumCachedLoads - sources.statuses.count(where: \.isCachedPending)
    var effects: [AppEffect] = []
    while room > 0, let source = recalled.popLast() {
      let requests = requestCachedFirstPage(of: source)
      room -= requests.count
      effects += requests
    }
    return effects
  }

  private mutating func requestPage(of source: SourceID, for event: FeedLoader.Event) -> [AppEffect] {
    guard event == .refreshRequested else { return load(event, of: source) }
    let effects = requestCachedFirstPage(of: source) + load(.refreshRequested, of: source)
    return self[source].isRefreshing ? effects : effects + refreshEnded(source, hasFailed: self[source].hasFailed)
  }

  // MARK: - Requests of the user

  /// The reason why sources are not requested now.
  enum Notice {
    case refreshedJustNow
    /// The server of a source, and those of others, asked to wait.
    case held(SourceID, Duration, continues: Bool, otherCount: Int)
  }

  /// Requests each server once a second at most. The notice reports the sources whose servers asked to wait.
  mutating func refresh(_ sources: [SourceID]) -> ([AppEffect], notice: Notice?) {
    let (free, notice) = withoutHold(sources)
    let due = free.filter { self[$0].refreshPause == nil }
    if due.isEmpty, !free.isEmpty { return ([], notice ?? .refreshedJustNow) }
    enqueue(due)
    return (pauseRefreshes(of: due), notice)
  }

  mutating func retryAndRefresh(_ content: TabContent) -> ([AppEffect], notice: Notice?) {
    let others = sources(of: content).ids { !$0.hasShownFailure }
    let failed = sources(of: content).ids(where: \.hasShownFailure)
    let held = loadUnlessHeld(.retryRequested, of: failed)
    guard !others.isEmpty else { return ([], held) }
    let isRetrying = failed.contains { waiting.contains($0) }
    let (effects, notice) = refresh(others)
    if case .refreshedJustNow? = notice, isRetrying { return (effects, held) }
    return (effects, held ?? notice)
  }

  /// Requests the last pages once more.
  mutating func requestLastPages(_ content: TabContent) -> [AppEffect] {
    let due = sources(of: content).ids(where: \.isExhausted).filter { self[$0].refreshPause == nil }
    enqueue(due, for: .loadMoreRequested)
    return pauseRefreshes(of: due)
  }

  /// The pages wait for each other, like those of a refresh.
  mutating func loadUnlessHeld(_ event: FeedLoader.Event, of sources: [SourceID]) -> Notice? {
    let (free, notice) = withoutHold(sources)
    enqueue(free, for: event)
    return notice
  }

  private func withoutHold(_ sources: [SourceID]) -> ([SourceID], notice: Notice?) {
    var free: [SourceID] = []
    var held: Notice?
    for source in sources {
      guard let wait = self[source].loader.wait else {
        free.append(source)
        continue
      }
      if case .held(let first, let time, let continues, let count)? = held {
        held = .held(first, time, continues: continues, otherCount: count + 1)
      } else {
        held = .held(source, wait.time, continues: wait.continues, otherCount: 0)
      }
    }
    return (free, held)
  }

  // MARK: - Refresh by time

  /// Begins the time before the next refresh.
  mutating func refreshEnded(_ source: SourceID, hasFailed: Bool) -> [AppEffect] {
    progress.end(source, hasFailed: hasFailed)
    return beginTime(of: source)
  }

  mutating func beginTime(of source: SourceID) -> [AppEffect] {
    guard let interval = self[source].settings.refresh.interval, !self[source].settings.isLocal,
      self[source].schedule == nil
    else { return [] }
    return [.wait(interval * jitter(of: source) / 1_000, .schedule(beginSchedule(of: source)))]
  }

  mutating func scheduleElapsed(_ ticket: Ticket) {
    if let source = endSchedule(ticket) { enqueue([source]) }
  }

  /// From 900 to 1,100, so that many sources are not refreshed at once.
  private func jitter(of source: SourceID) -> Int {
    let mixed = (UInt64(source.number) &+ shuffleSeed) &* 0x9E37_79B9_7F4A_7C15
    return 900 + Int((mixed >> 33) % 201)
  }
}
