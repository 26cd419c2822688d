import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText

extension Library {
  func sources(of content: TabContent) -> SourceStates {
    switch content {
    case .all, .view: joined.feeds(among: sources)
    case .group(let number): groups[number].sources.feeds(among: sources)
    case .source(let source): SourceStates(all: sources, numbers: [source.number])
    }
  }

  /// The names on the cards of a tab, by the numbers of the sources.
  func sourceNames(in content: TabContent) -> [String] {
    switch content {
    case .all, .view: joined.names
    case .group(let number): groups[number].sources.names
    case .source: []
    }
  }

  /// Whether a tab shows the videos of a source together with those of others.
  func mixes(_ source: SourceID, in content: TabContent) -> Bool {
    switch content {
    case .all, .view: source == .records || joined.contains(source)
    case .group(let number): groups[number].sources.contains(source)
    case .source: false
    }
  }

  func name(of content: TabContent) -> String {
    switch content {
    case .all: Words.allTab
    case .source(let source): self[source].name
    case .group(let number): groups[number].name
    case .view(let number): views[number].name
    }
  }

  func continuing(_ content: TabContent) -> [SourceID] {
    sources(of: content).ids { $0.hasMore && !$0.hasFailed }
  }

  func failedContinuing(_ content: TabContent) -> [SourceID] {
    sources(of: content).ids { $0.hasMore && $0.hasFailed }
  }

  func headerState(of content: TabContent) -> RefreshState {
    let sources = sources(of: content)
    // By index, because iterating copies each source.
    return .merged(sources.indices.lazy.map { sources[$0].loader.headerState })
  }

  /// The seconds since all sources were updated; nil if one never was.
  func age(of content: TabContent, at now: UnixTime) -> Int? {
    let sources = sources(of: content)
    let times = sources.indices.map { sources[$0].updatedAt }
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

  func loadedCount(of content: TabContent) -> Int {
    let sources = sources(of: content)
    return sources.indices.reduce(restoredSlots(of: content).count) { $0 + sources[$1].slots.count }
  }

  /// Hidden videos count only if the filter asks for them; a tab of several sources counts each video once. O(n) if any
  /// is hidden or has several cards.
  func candidateCount(of content: TabContent, for filter: Filter) -> Int {
    let countsHidden = !store.userData.hasValues(of: UserField(.hidden)) || filter.asksForHidden
    let hasTwins = content.isOfJoined && store.hasTwins
    if countsHidden, !hasTwins { return loadedCount(of: content) }
    let hasOwnFilters = requiredField(of: content) == nil
    var slots = countable(restoredSlots(of: content), withHidden: countsHidden)
    let feeds = sources(of: content)
    for index in feeds.indices {
      let isComplete = countsHidden || hasOwnFilters && feeds[index].settings.query.filter.asksForHidden
      slots += countable(feeds[index].slots, withHidden: isComplete)
    }
    return hasTwins ? Set(slots.lazy.map { self.store[$0].key }).count : slots.count
  }

  private func countable(_ slots: [CardSlot], withHidden: Bool) -> [CardSlot] {
    withHidden ? slots : slots.filter { !store.states(of: $0).contains(.hidden) }
  }

  func total(of content: TabContent) -> Int? { content.source.flatMap { self[$0].total } }

  func status(of content: TabContent) -> [String] {
    let feeds = sources(of: content)
    var words: [String] = []
    let skippedCount = feeds.indices.reduce(0) { $0 + feeds[$1].skippedCount }
    if skippedCount > 0 { words.append(Words.skipped(skippedCount)) }
    if let age = feeds.indices.lazy.compactMap({ feeds[$0].cached.age }).max() {
      words.append(Words.cached(age))
      if feeds.contains(where: { $0.isRefreshing }) { words.append(Words.refreshing) }
    }
    if case .holding(let time) = RefreshState.merged([headerState(of: content), footerState(of: content)]) {
      words.append(Words.waiting(time))
    }
    let held = feeds.indices.filter { feeds[$0].loader.hold != nil }
    if feeds.count > 1, let first = held.first, let hold = feeds[first].loader.hold {
      words.append(Words.waits(feeds[first].name, hold.duration, otherCount: held.count - 1))
    }
    return words
  }
}

extension Library {
  func arrival(of page: FeedPage, for ticket: Ticket) -> PageArrival? {
    guard let number = sourceNumber(of: ticket) else { return nil }
    if sources[number].cached.ticket == ticket {
      return PageArrival(source: SourceID(number), ticket: ticket, purpose: .cached, page: page)
    }
    guard let request = sources[number].loader.request(of: ticket) else { return nil }
    let purpose: PageArrival.Purpose =
      switch request.purpose {
      case .append: sources[number].isAtEnd ? .lastAgain : .append
      case .replace: .replace(isFirst: request.cursor == .start)
      }
    return PageArrival(source: SourceID(number), ticket: ticket, purpose: purpose, page: page)
  }

  /// The source whose list a page with this ticket replaces; nil if the page continues a list.
  func sourceOfFirstPage(for ticket: Ticket) -> SourceID? {
    guard let number = sourceNumber(of: ticket) else { return nil }
    let replacesList =
      sources[number].cached.ticket == ticket
      ? sources[number].slots.isEmpty : sources[number].loader.request(of: ticket)?.purpose == .replace
    return replacesList ? SourceID(number) : nil
  }

  /// Whether a page is pending and comes from a server rather than from this machine or the cache.
  func isFromServer(_ page: FeedPage, for ticket: Ticket) -> Bool {
    page.savedAt == nil && arrival(of: page, for: ticket).map { !self[$0.source].settings.isLocal } == true
  }
}

extension RefreshState {
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

extension Library {
  enum SourceNames {
    /// Returns for each source the part of its address that no other source of its name has: the host, or else the last
    /// such component of the path, or else a number. Nil where no other source has the name. O(n) without equal names.
    static func distinctions(of sources: [(name: String, address: String)]) -> [String?] {
      var result: [String?] = Array(repeating: nil, count: sources.count)
      for group in Dictionary(grouping: sources.indices, by: { sources[$0].name }).values where group.count > 1 {
        let texts = distinctParts(group.map { parts(of: sources[$0].address) }) ?? (1...group.count).map { String($0) }
        for (source, text) in zip(group, texts) { result[source] = text }
      }
      return result
    }

    private static let maximumLength = 40

    /// The first position at which all sources have different parts.
    private static func distinctParts(_ parts: [[String]]) -> [String]? {
      let count = parts.map(\.count).min() ?? 0
      return (0..<count).lazy.map { position in parts.map { $0[position] } }.first { texts in
        Set(texts).count == texts.count && !texts.contains("")
      }
    }

    /// The host, which is empty for a path, and the components of the path from its end.
    private static func parts(of address: String) -> [String] {
      let isPath = address.hasPrefix("/") || address.hasPrefix("~") || address.hasPrefix(".")
      let web = isPath ? nil : WebAddress(typed: address)
      let path = web.map { $0.pathSegments.map { String($0) } } ?? address.split(separator: "/").map { String($0) }
      return [web?.shownHost ?? ""] + path.reversed().map { cleanedLine($0, limit: maximumLength) }
    }
  }
}

extension Library {
  /// Nil for a feed without a description. The header of a group has the states of its sources.
  func collectionHeader(of content: TabContent, withPicture hasPicture: Bool) -> CollectionHeader? {
    switch content {
    case .all, .view: nil
    case .source(let source): self[source].collectionHeader(withPicture: hasPicture, store.widths)
    case .group where loadedCount(of: content) == 0: nil
    case .group(let number):
      CollectionHeader(
        title: groups[number].name, summary: Words.states(of: sources(of: content)), widths: store.widths)
    }
  }
}
