import FeedfallFeeds
import FeedfallText

extension Library {
  func headerState(of content: TabContent) -> RefreshState {
    let sources = sources(of: content)
    // By index, because iterating copies each source.
    return .merged(sources.indices.lazy.map { sources[$0].loader.headerState })
  }

  /// The seconds since all sources were updated; nil if one never was.
  func age(of content: TabContent, at now: UnixTime) -> Int? {
    let times = sources(of: content).map(\.updatedAt)
    guard let oldest = times.compactMap(\.self).min(by: { $0.seconds < $1.seconds }), !times.contains(nil) else {
      return nil
    }
    let (age, overflow) = now.seconds.subtractingReportingOverflow(oldest.seconds)
    return overflow ? nil : max(0, age)
  }

  func footerState(of content: TabContent) -> RefreshState {
    guard requiredField(of: content) == nil else { return .noMoreData }
    let sources = sources(of: content)
    return .merged(sources.indices.lazy.map { sources[$0].loader.footerState })
  }

  func hasShownFailure(in content: TabContent) -> Bool {
    let sources = sources(of: content)
    return sources.indices.contains { sources[$0].loader.shownFailure != nil }
  }

  /// The number of loaded videos of a tab's sources, regardless of filters.
  func loadedCount(of content: TabContent) -> Int {
    sources(of: content).reduce(restoredSlots(of: content).count) { $0 + $1.slots.count }
  }

  /// The number of videos that the source of a tab states; nil in a tab of several.
  func total(of content: TabContent) -> Int? {
    if case .source(let source) = content { self[source].total } else { nil }
  }

  func status(of content: TabContent) -> [String] {
    let feeds = sources(of: content)
    var words: [String] = []
    let skippedCount = feeds.reduce(0) { $0 + $1.skippedCount }
    if skippedCount > 0 { words.append("\(skippedCount) skipped") }
    if let age = feeds.compactMap({ $0.cached.age }).max() {
      words.append("cached \(TextFormat.ago(age))")
      if feeds.contains(where: { $0.isRefreshing }) { words.append("refreshing") }
    }
    if case .holding(let time) = RefreshState.merged([headerState(of: content), footerState(of: content)]) {
      words.append("waiting \(TextFormat.wait(time)) for the server")
    }
    let held = feeds.compactMap { feed in feed.loader.hold.map { (feed.name, $0.duration) } }
    if feeds.count > 1, let (name, time) = held.first {
      words.append(LoadingWords.waits(name, time, otherCount: held.count - 1))
    }
    return words
  }
}

extension RefreshState {
  /// The state to show for several sources: pending work has priority over failures, and failures over the end.
  fileprivate static func merged(_ states: some Sequence<RefreshState>) -> RefreshState {
    states.min { $0.rank < $1.rank } ?? .idle
  }

  private var rank: Int {
    switch self {
    case .refreshing: 0
    case .willRefresh: 1
    case .holding: 2
    case .failed: 3
    case .pulling: 4
    case .idle: 5
    case .paused: 6
    case .noMoreData: 7
    }
  }
}
