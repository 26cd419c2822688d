import FeedfallLoading
import FeedfallScreen

/// What header, footer, tabs and status line tell of the sources that are seen.
extension AppState {
  /// How many rows of the header are shown.
  var headerRows: Int {
    if pull.isPulling { return pull.rows }
    switch loadHeaderState {
    case .refreshing, .holding, .failed: return 1
    case .idle, .pulling, .willRefresh, .noMoreData: return 0
    }
  }

  var headerState: RefreshState {
    guard pull.isPulling else { return loadHeaderState }
    return pull.rows == PullGesture.fullPull ? .pulling : .idle
  }

  /// The header's state but for pulling.
  var loadHeaderState: RefreshState { .together(seenSources.lazy.map { $0.loader.headerState }) }

  var footerState: RefreshState { .together(seenSources.lazy.map { $0.loader.footerState }) }

  var tabBar: TabBar {
    TabBar(items: tabs.indices.map(tabItem), seen: seen)
  }

  private func tabItem(_ tab: Int) -> TabBar.Item {
    switch tabs[tab].content {
    case .all: return TabBar.Item(name: Self.nameOfAll, newsCount: unseenNews(of: tab))
    case .source(let source):
      let feed = sources[source.number]
      return TabBar.Item(
        name: feed.name, newsCount: unseenNews(of: tab), hasFailed: feed.hasFailed,
        spinner: feed.isLoading ? spinner.picture : nil)
    }
  }

  private func unseenNews(of tab: Int) -> Int { tab == seen ? 0 : tabs[tab].newsCount }

  private static let nameOfAll = "All"

  private var statusWords: String {
    let feeds = seenSources
    let single = tabs[seen].content == .all ? nil : feeds.first
    var words = [single?.name ?? Self.nameOfAll]
    if isCountKnown { words.append(StatusLine.count(waterfall.cards.count, total: single?.total)) }
    let skippedCount = feeds.reduce(0) { $0 + $1.skippedCount }
    if skippedCount > 0 { words.append("\(skippedCount) not understood") }
    if let age = feeds.compactMap({ $0.recall.age }).max() {
      words.append(AgeWords.text(age))
      if feeds.contains(where: { $0.isRefreshing }) { words.append("refreshing") }
    }
    if case .holding(let time) = RefreshState.together([loadHeaderState, footerState]) {
      words.append("waiting \(TextFormat.wait(time)) for the server")
    }
    return words.joined(separator: " · ")
  }

  /// Whether there are cards, or are none for good.
  private var isCountKnown: Bool { !waterfall.cards.isEmpty || seenSources.allSatisfy { $0.isAtEnd } }

  var statusLine: StatusLine {
    StatusLine(
      position: waterfall.selection.map { ($0 + 1, waterfall.cards.count) },
      spinner: seenSources.contains { $0.isLoading } ? spinner.picture : nil, text: message ?? statusWords,
      needle: search?.needle, hint: message == nil && help == nil ? "? help" : "")
  }
}

extension RefreshState {
  /// The state to show for several sources: what is under way before what rests, and that before what has ended.
  fileprivate static func together(_ states: some Sequence<RefreshState>) -> RefreshState {
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
    case .noMoreData: 6
    }
  }
}
