import FeedfallFeeds

/// First pages: which sources wait for theirs, and when they are refreshed by time.
extension Library {
  mutating func start() {
    recalled = sources.map(\.id).reversed()
    enqueue(
      sources.indices.filter { sources[$0].settings.isLocal || sources[$0].settings.refresh != .manual }.map(
        SourceID.init))
  }

  mutating func enqueue(_ new: [SourceID]) {
    let known = Set(waiting)
    waiting += new.filter { !known.contains($0) }
    progress.begin(new)
  }

  /// The sources that wait are not refreshed. Returns their number.
  mutating func stopRefresh() -> Int {
    defer { waiting = [] }
    progress.cancel(waiting)
    return waiting.count
  }

  mutating func requestFirstPages(selected content: TabContent) -> [AppEffect] {
    guard !waiting.isEmpty || !recalled.isEmpty else { return [] }
    var effects: [AppEffect] = []
    // In a group, none waits for another one.
    if !content.isOfJoined {
      let selected = sources(of: content).ids { waiting.contains($0.id) }
      waiting.removeAll(where: selected.contains)
      for source in selected { effects += requestFirstPage(of: source) }
    }
    waiting = waiting.filter { !self[$0].isRefreshing }
    var room = FirstLoads(
      pending: sources.indices.lazy.filter { [sources] in sources[$0].isRefreshing }.map { [sources] in
        sources[$0].origin
      })
    while let place = placeOfNext(room) {
      let source = waiting.remove(at: place)
      _ = room.acquire(self[source].origin)
      effects += requestFirstPage(of: source)
      if !self[source].isRefreshing { room.release(self[source].origin) }
    }
    return effects + requestCachedFirstPages()
  }

  /// That of the source that publishes most often. O(n).
  private func placeOfNext(_ room: FirstLoads) -> Int? {
    waiting.indices.lazy.filter { room.allows(self[waiting[$0]].origin) }.min { one, other in
      publishInterval(of: waiting[one]) < publishInterval(of: waiting[other])
    }
  }

  private func publishInterval(of source: SourceID) -> Int { self[source].publishInterval ?? Self.usualInterval }

  /// A week in seconds, for sources without dates.
  private static let usualInterval = 604_800
  private static let maximumCachedLoads = 8

  private mutating func requestCachedFirstPages() -> [AppEffect] {
    guard !recalled.isEmpty else { return [] }
    var room = Self.maximumCachedLoads - sources.count { $0.cached.isPending }
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

  // MARK: - Refresh by time

  /// Begins the time before the next refresh.
  mutating func refreshEnded(_ source: SourceID, hasFailed: Bool) -> [AppEffect] {
    progress.end(source, hasFailed: hasFailed)
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
