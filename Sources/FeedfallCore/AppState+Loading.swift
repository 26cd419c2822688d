import FeedfallFeeds
import FeedfallLoading
import FeedfallText

extension AppState {
  /// Tells a source's loader what happened and turns its effects into the program's.
  mutating func load(_ event: FeedLoader.Event, of source: SourceID) -> [AppEffect] {
    sources[source.number].loader.handle(event).map { effect in
      switch effect {
      case .request(let cursor, let ticket):
        .requestPage(source, cursor, sources[source.number].cacheUse(for: ticket), ticket)
      case .wait(let duration, let ticket): .wait(duration, .loader(ticket))
      case .cancel(let ticket): .cancel(ticket)
      }
    }
  }

  mutating func take(_ page: FeedPage, for ticket: Ticket, at now: UnixTime) -> [AppEffect] {
    defer { if let notice = page.notice { message = notice.prefix(1).uppercased() + notice.dropFirst() } }
    if let source = sources.first(where: { $0.recall.ticket == ticket }) {
      return take(known: page, of: source.id, at: now)
    }
    for source in sources {
      guard let request = source.loader.request(of: ticket) else { continue }
      sources[source.id.number].title = page.title ?? source.title
      let overtaken = sources[source.id.number].recall.overtaken()
      let count: Int?
      switch request.purpose {
      case .append:
        sources[source.id.number].skippedCount += page.skippedCount
        sources[source.id.number].total = page.total ?? source.total
        count = append(page, of: source.id)
      case .replace: count = refresh(with: page, of: source, isFirst: request.cursor == .start)
      }
      let event = count.map { FeedLoader.Event.pageArrived(ticket, next: page.next, newItemCount: $0) }
      return overtaken + load(event ?? .newsArrived(ticket), of: source.id) + completeShownVideo()
    }
    return []
  }

  /// Adds a page behind what is there and returns how many videos of it are new.
  @discardableResult
  mutating func append(_ page: FeedPage, of source: SourceID) -> Int {
    let tab = tab(of: source)
    let before = tabs[tab].waterfall.cards.count
    let added = tabs[tab].waterfall.append(page.cards(of: source))
    mergeMore(tabs[tab].waterfall.cards.cards(before..<before + added), of: source)
    return added
  }

  /// Takes in a first page that came anew and returns how many videos there are now; nil where it joined those that
  /// are there.
  private mutating func refresh(with page: FeedPage, of source: SourceFeed, isFirst: Bool) -> Int? {
    let tab = tab(of: source.id)
    let cards = page.cards(of: source.id)
    let isRefresh = !tabs[tab].waterfall.cards.isEmpty && !cards.isEmpty
    let news = isRefresh ? announce(cards, in: tab) : nil
    if !tabs[tab].isAtStart, tabs[tab].waterfall.keepsPlace(with: cards) {
      let count = tabs[tab].waterfall.prepend(cards)
      tabs[tab].search?.origin += count
      sources[source.id.number].total = page.total ?? source.total.map { $0 + (news ?? 0) }
      mergeNews(cards, of: source.id, replacesAll: false, news: news)
      return nil
    }
    sources[source.id.number].skippedCount = page.skippedCount + (isFirst ? 0 : source.skippedCount)
    sources[source.id.number].total = page.total
    if page.videos.isEmpty, page.next != nil { return 0 }
    let count = tabs[tab].waterfall.replace(with: cards, following: tabs[tab].isCardRead)
    mergeNews(cards, of: source.id, replacesAll: true, news: news)
    return count
  }

  /// Tells how many videos of a first page that came anew were not there before.
  private mutating func announce(_ cards: [Card], in tab: Int) -> Int {
    let known = tabs[tab].waterfall.cards
    let news = Set(cards.map(\.id).filter { known.index(of: $0) == nil }).count
    if tab == seen { message = NewsWords.text(news) } else { tabs[tab].newsCount += news }
    return news
  }

  mutating func fail(_ failure: FeedFailure, for ticket: Ticket) -> [AppEffect] {
    if let source = sources.first(where: { $0.recall.ticket == ticket }) {
      sources[source.id.number].recall.failed()
      return []
    }
    guard let source = sources.first(where: { $0.loader.issued(ticket) }) else { return [] }
    switch failure.kind {
    case .wait(let seconds):
      return load(.pageFailed(ticket, failure, hold: .seconds(seconds)), of: source.id)
    case .temporary, .permanent: return load(.pageFailed(ticket, failure, hold: nil), of: source.id)
    }
  }

  /// Asks for more when little is left behind what is seen.
  mutating func readAhead() -> [AppEffect] {
    guard seenSources.contains(where: { $0.hasMore }), waterfall.isNearEnd(seenReadAhead) else { return [] }
    return sourcesToContinue.flatMap { load(.endReached, of: $0) + recallMore(of: $0) }
  }

  private var seenReadAhead: ReadAhead {
    switch tabs[seen].content {
    case .all: .screens(1)
    case .source(let source): sources[source.number].settings.readAhead
    }
  }

  // MARK: - What a person asks for

  /// `r`: what failed is tried again while its alert is up; else everything is asked for anew.
  mutating func refreshOrRetry() -> [AppEffect] {
    askAgainForCovers()
    if hasShownFailure { return unlessHeld(.retryAsked) { $0.loader.shownFailure != nil } }
    if pane != nil, let hold = details.hold {
      message = naming(selectedSource, "The " + HoldWords.goesOn(after: hold))
      return []
    }
    if pane != nil, let video = waterfall.selectedVideo, details.failure(of: video.id) != nil {
      return askDetails(of: video, .show)
    }
    return refresh()
  }

  mutating func refresh() -> [AppEffect] {
    tabs[seen].newsCount = 0
    askAgainForCovers()
    let meant = unlessAllHeld(seenSources)
    for source in meant { sources[source.id.number].refreshUse = .revalidated }
    toAsk += meant.map(\.id).filter { !toAsk.contains($0) }
    return []
  }

  private mutating func unlessHeld(_ wish: FeedLoader.Event, _ isMeant: (SourceFeed) -> Bool) -> [AppEffect] {
    unlessAllHeld(seenSources.filter(isMeant)[...]).flatMap { load(wish, of: $0.id) }
  }

  /// Those of the sources whose servers may be asked; where all want to be left alone, that is said.
  private mutating func unlessAllHeld(_ meant: ArraySlice<SourceFeed>) -> [SourceFeed] {
    let free = meant.filter { HoldWords.text(for: $0.loader) == nil }
    if free.isEmpty, let first = meant.first, let words = HoldWords.text(for: first.loader) {
      message = naming(first.id, words)
    }
    return free
  }

  mutating func loadMore() -> [AppEffect] {
    if seenSources.allSatisfy(\.isExhausted), case .noMoreData(let reason) = footerState {
      message = FooterWords.end(reason, count: waterfall.cards.count)
      return []
    }
    let next = sourcesToContinue
    return unlessHeld(.moreAsked) { $0.hasFailed || next.contains($0.id) }
  }

  var hasShownFailure: Bool { seenSources.contains { $0.loader.shownFailure != nil } }

  mutating func dismissFailures() -> [AppEffect] { seenSources.flatMap { load(.failureDismissed, of: $0.id) } }
}

extension SourceFeed {
  /// Whether a kept answer may stand for the page that was asked for with this ticket.
  fileprivate func cacheUse(for ticket: Ticket) -> CacheUse {
    loader.request(of: ticket)?.purpose == .replace ? refreshUse : .whileFresh
  }
}

extension FeedPage {
  func cards(of source: SourceID) -> [Card] { videos.map { Card(video: $0, source: source) } }
}
