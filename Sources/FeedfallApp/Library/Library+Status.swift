import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText

extension Library {
  func sources(of content: TabContent) -> SourceStatuses {
    switch content {
    case .all, .view: joined.statuses(among: sources)
    case .group(let number): groups[number].sources.statuses(among: sources)
    case .source(let source): sources.only(source)
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

  var awaitedPageCount: Int { progress.pendingCount + recalled.count }

  var awaitsOtherRefreshes: Bool { waiting.hasRefreshes || sources.statuses.count(where: \.isRefreshing) > 1 }

  func headerState(of content: TabContent) -> RefreshState { sources(of: content).headerState }

  /// The seconds since all sources were updated; nil if one never was.
  func age(of content: TabContent, at now: UnixTime) -> Int? {
    guard let oldest = sources(of: content).updatedAt else { return nil }
    let (age, overflow) = now.seconds.subtractingReportingOverflow(oldest.seconds)
    return overflow ? nil : max(0, age)
  }

  func footerState(of content: TabContent) -> RefreshState {
    requiredField(of: content) == nil ? sources(of: content).footerState : .noMoreData
  }

  func hasShownFailure(in content: TabContent) -> Bool { sources(of: content).contains(where: \.hasShownFailure) }

  func loadedCount(of content: TabContent) -> Int {
    restoredSlots(of: content).count + sources(of: content).loadedCount
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
      let isComplete = countsHidden || hasOwnFilters && feeds[source: index].settings.query.filter.asksForHidden
      slots += countable(feeds[source: index].slots, withHidden: isComplete)
    }
    return hasTwins ? Set(slots.lazy.map { self.store[$0].key }).count : slots.count
  }

  private func countable(_ slots: [CardSlot], withHidden: Bool) -> [CardSlot] {
    withHidden ? slots : slots.filter { !store.states(of: $0).contains(.hidden) }
  }

  /// The time that a server asked to wait.
  private func holdingTime(of content: TabContent) -> Duration? {
    let states = [headerState(of: content), footerState(of: content)]
    if states.contains(.refreshing) || states.contains(.willRefresh) { return nil }
    return states.lazy.compactMap { if case .holding(let time) = $0 { time } else { nil } }.first
  }

  func total(of content: TabContent) -> Int? { content.source.flatMap { self[$0].total } }

  func status(of content: TabContent) -> [String] {
    let feeds = sources(of: content)
    var words: [String] = []
    let skippedCount = feeds.reduce(0) { $0 + Int($1.skippedCount) }
    if skippedCount > 0 { words.append(Words.skipped(skippedCount)) }
    if let age = feeds.lazy.compactMap(\.cachedAge).max() {
      words.append(Words.cached(Int(age)))
      if !progress.isShown, feeds.contains(where: \.isRefreshing) { words.append(Words.refreshing) }
    }
    if let time = holdingTime(of: content) {
      words.append(Words.waiting(time))
    }
    let held = feeds.ids(where: \.hasHold)
    if feeds.count > 1, let first = held.first.map({ self[$0] }), let hold = first.loader.hold {
      words.append(Words.waits(first.name, hold.duration, otherCount: held.count - 1))
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
    case .all, .view: return nil
    case .source(let source): return self[source].collectionHeader(withPicture: hasPicture, store.widths)
    case .group where loadedCount(of: content) == 0: return nil
    case .group(let number):
      let states = Words.states(of: sources(of: content))
      return CollectionHeader(
        title: groups[number].name, summary: states.summary, failures: states.failures, widths: store.widths)
    }
  }
}
