import FeedfallFeeds

/// First pages: which sources wait for theirs, and when they are refreshed by time.
extension Library {
  mutating func start() {
    recalled = sources.map(\.id).reversed()
    enqueue(
      sources.indices.filter { sources[$0].settings.isLocal || sources[$0].settings.refresh != .manual }
        .map(SourceID.init))
  }

  mutating func enqueue(_ new: [SourceID]) {
    for source in new where !self[source].isRefreshing { waiting.append(sources[source.number]) }
    progress.begin(new)
  }

  /// The sources that wait are not refreshed before their time.
  mutating func stopRefresh() -> (effects: [AppEffect], count: Int) {
    let stopped = waiting.ids
    waiting = WaitingSources()
    progress.cancel(stopped)
    return (stopped.flatMap { beginTime(of: $0) }, stopped.count)
  }

  /// The page of the selected tab is requested first, then those of the `visible` sources.
  mutating func requestFirstPages(selected content: TabContent, visible: [SourceID]) -> [AppEffect] {
    waiting.isEmpty ? requestCachedFirstPages() : requestWaiting(selected: content, visible: visible)
  }

  private mutating func requestWaiting(selected content: TabContent, visible: [SourceID]) -> [AppEffect] {
    var effects: [AppEffect] = []
    // In a group, none waits for another one.
    if case .group = content {
      for source in sources(of: content).ids(where: { waiting.contains($0.id) }) {
        waiting.remove(source)
        effects += requestFirstPage(of: source)
      }
    }
    if let source = content.source, waiting.contains(source) { effects += requestCachedFirstPage(of: source) }
    let preferred = [content.source].compactMap(\.self) + visible
    var room = FirstLoads(pending: sources.statuses.filter(\.isRefreshing).map { self[$0.id].origin })
    while let source = waiting.dequeue(room, preferred: preferred) {
      _ = room.acquire(self[source].origin)
      effects += requestFirstPage(of: source)
      if !self[source].isRefreshing { room.release(self[source].origin) }
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

  private mutating func requestFirstPage(of source: SourceID) -> [AppEffect] {
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
    let (retries, held) = loadUnlessHeld(.retryRequested, of: failed)
    guard !others.isEmpty else { return (retries, held) }
    let isRetrying = !retries.isEmpty || failed.contains { waiting.contains($0) }
    let (refreshes, notice) = refresh(others)
    if case .refreshedJustNow? = notice, isRetrying { return (retries + refreshes, held) }
    return (retries + refreshes, held ?? notice)
  }

  mutating func requestLastPages(_ content: TabContent) -> ([AppEffect], notice: Notice?) {
    let (free, notice) = withoutHold(sources(of: content).ids())
    let due = free.filter { self[$0].refreshPause == nil && self[$0].isExhausted }
    return (pauseRefreshes(of: due) + due.flatMap { load(.loadMoreRequested, of: $0) }, notice)
  }

  /// First pages that failed wait for each other, like those of a refresh.
  mutating func loadUnlessHeld(_ event: FeedLoader.Event, of sources: [SourceID]) -> ([AppEffect], notice: Notice?) {
    let (free, notice) = withoutHold(sources)
    let firstPages = free.filter { self[$0].loader.retriesFirstPage(event) }
    if !firstPages.isEmpty { enqueue(firstPages) }
    return (free.filter { !self[$0].loader.retriesFirstPage(event) }.flatMap { load(event, of: $0) }, notice)
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

  private mutating func beginTime(of source: SourceID) -> [AppEffect] {
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
