import FeedfallLoading

extension AppState {
  /// How many sources are asked for their first page at once, beside the one that is seen.
  public static let maximumFirstLoads = 4

  mutating func showTab(by step: Int) -> [AppEffect] {
    showTab((seen + step + tabs.count) % tabs.count)
  }

  mutating func showTab(_ tab: Int) -> [AppEffect] {
    guard tabs.indices.contains(tab), tab != seen else { return [] }
    pull.spring()
    tabs[seen].newsCount = 0
    seen = tab
    tabs[seen].newsCount = 0
    return completeShownVideo()
  }

  /// Asks the sources for their first pages, that of the tab that is seen first, and no more at once than may be.
  mutating func beginLoading() -> [AppEffect] {
    guard !toAsk.isEmpty else { return [] }
    var effects: [AppEffect] = []
    if case .source(let source) = tabs[seen].content, let place = toAsk.firstIndex(of: source) {
      toAsk.remove(at: place)
      effects += begin(source)
    }
    while let next = toAsk.first, firstLoadCount < Self.maximumFirstLoads {
      toAsk.removeFirst()
      effects += begin(next)
    }
    return effects + recallWaiting()
  }

  /// Asks for what is known of the sources that wait for their turn, of no more at once than may be.
  private mutating func recallWaiting() -> [AppEffect] {
    var room = Self.maximumFirstLoads - sources.count { $0.recall.isUnderWay }
    var effects: [AppEffect] = []
    for source in toAsk {
      guard room > 0 else { break }
      let asking = recallFirst(of: source)
      room -= asking.count
      effects += asking
    }
    return effects
  }

  private var firstLoadCount: Int { sources.count { $0.isRefreshing } }

  private mutating func begin(_ source: SourceID) -> [AppEffect] {
    recallFirst(of: source) + load(.refreshAsked, of: source)
  }
}
