import FeedfallFeeds

/// The tab of all sources, which is brought up to date only while it is seen.
extension AppState {
  private static let all = 0

  /// Takes in what a source has just added behind its other cards.
  mutating func mergeMore(_ cards: [Card], of source: SourceID) {
    guard hasSeveralSources, !tabs[Self.all].isStale else { return }
    merge.add(cards, of: source)
  }

  /// Takes in a first page. At the top everything falls into its order; who looks further down, or reads a card, finds
  /// what is new above.
  /// `news` is how much its source had not told before; nil where it had told nothing.
  mutating func mergeNews(_ cards: [Card], of source: SourceID, replacesAll: Bool, news: Int?) {
    guard hasSeveralSources else { return }
    var news = news
    if tabs[Self.all].isStale || (tabs[Self.all].waterfall.isAtTop && !tabs[Self.all].isCardRead) {
      tabs[Self.all].isStale = true
    } else {
      let above = merge.addAnew(cards, of: source, replacesAll: replacesAll)
      let count = tabs[Self.all].waterfall.prepend(above)
      tabs[Self.all].search?.origin += count
      if news == nil, count > 0 { news = count }
    }
    if let news { announceInAll(news) }
  }

  /// Tells how many videos the refreshes brought together so far.
  private mutating func announceInAll(_ count: Int) {
    tabs[Self.all].newsCount += count
    guard seen == Self.all else { return }
    let sum = tabs[Self.all].newsCount
    // The answer that this is about has come already.
    let areOthersAwaited = !toAsk.isEmpty || sources.count { $0.isRefreshing } > 1
    if sum > 0 || !areOthersAwaited { message = NewsWords.text(sum) }
  }

  /// Shows what may be shown by now.
  mutating func showMerged() {
    guard hasSeveralSources, seen == Self.all else { return }
    let names = sources.map { $0.name }
    if waterfall.sourceNames != names { waterfall.sourceNames = names }
    let isAnew = tabs[Self.all].isStale
    if isAnew { collect() }
    let released = merge.release(whileMoreComesFrom: sourcesToCome)
    if isAnew {
      _ = waterfall.replace(with: released)
    } else if !released.isEmpty {
      _ = waterfall.append(released)
    }
  }

  private mutating func collect() {
    tabs[Self.all].isStale = false
    merge = DateMerge()
    for source in sources {
      let cards = tabs[tab(of: source.id)].waterfall.cards
      merge.add(cards.cards(0..<cards.count), of: source.id)
    }
  }

  /// The sources that go on behind what is loaded, and are not out of reach.
  private var sourcesToCome: [SourceID] { sources.filter { $0.hasMore && !$0.hasFailed }.map(\.id) }

  /// The sources to be asked for more when what is seen comes to its end.
  var sourcesToContinue: [SourceID] {
    switch tabs[seen].content {
    case .source(let source): [source]
    case .all:
      // Those whose first page is still to be asked for go on behind that.
      (merge.holders(among: sourcesToCome) + sources.filter { $0.hasMore && $0.hasFailed }.map(\.id))
        .filter { !toAsk.contains($0) }
    }
  }
}
