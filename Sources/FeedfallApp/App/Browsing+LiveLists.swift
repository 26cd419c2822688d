import FeedfallFeeds
import FeedfallText

/// Live lists open and close sources while the program runs.
extension Browsing {
  /// Closed sources keep a little memory, so a list that changes constantly is bounded.
  private static let maximumSessionCount = 3 * LiveList.maximumCount

  /// Entries of a list that are the list itself or another live list are ignored.
  mutating func handle(_ answer: SubscriptionList, of id: SourceID) -> [AppEffect] {
    guard var list = lists[id] else { return [] }
    let addresses = Set(lists.keys.map { library[$0].settings.address.comparedAddress })
    list.handle(answer.feeds.filter { !addresses.contains($0.address.text) })
    if let question = list.question, lists[id]?.question == nil {
      announce(words.announced(question, of: library[id].name))
    }
    return replace(id, by: list)
  }

  /// The question stays until a key is pressed, unless another message does.
  private mutating func announce(_ question: String) {
    if toast.hasLasting { return toast.show(question) }
    toast.hide()
    toast.showUntilKey(question)
  }

  /// Reports the failure of a list that has no sources yet; its tab is not shown.
  mutating func pageFailed(_ failure: FeedFailure, for ticket: Ticket) -> [AppEffect] {
    if let source = library.sourceNumber(of: ticket).map(SourceID.init), lists[source]?.feeds.isEmpty == true,
      library[source].loader.request(of: ticket) != nil
    {
      toast.show(Words.listFailed(failure, of: library[source].name))
    }
    return library.pageFailed(failure, for: ticket)
  }

  mutating func follow(_ id: SourceID) -> [AppEffect] {
    guard var list = lists[id] else { return [] }
    list.follow()
    return replace(id, by: list)
  }

  private mutating func replace(_ id: SourceID, by list: LiveList) -> [AppEffect] {
    let (followed, parent) = (lists[id]?.followed, library[id].settings)
    lists[id] = list
    let open = library.listedSources
    let configured = Set(settings.subscriptions.map(\.address.comparedAddress))
    let (added, dropped) = list.difference(from: Set(open.keys), among: lists.values, configured: configured)
    var change = LiveListChange(name: parent.givenName ?? "", address: parent.address)
    change.followed = list.followed == followed ? nil : list.followed
    change.closed = dropped.compactMap { open[$0] }.sorted { $0.number < $1.number }
    let closing = closeSources(change.closed).effects
    tabs.close(Set(change.closed), settings: settings)
    let room = min(LiveList.maximumCount - library.openCount, Self.maximumSessionCount - library.sources.count)
    change.opened = self.open(distinguished(added.prefix(max(0, room))), like: parent)
    guard change != LiveListChange(name: change.name, address: change.address) else { return [] }
    return closing + [.changeList(change)] + completeDetails()
  }

  /// Names are distinct within an answer, but another list may have opened a source of the same name meanwhile.
  private func distinguished(_ feeds: ArraySlice<LiveList.Feed>) -> [LiveList.Feed] {
    guard !feeds.isEmpty else { return [] }
    var names = Set(settings.subscriptions.map(\.name))
    for index in library.sources.indices { library.sources[index].settings.givenName.map { _ = names.insert($0) } }
    return feeds.map { feed in
      var (distinguished, number) = (feed, 1)
      while !names.insert(distinguished.name).inserted {
        number += 1
        distinguished.name = "\(feed.name) \(number)"
      }
      return distinguished
    }
  }

  private mutating func open(_ feeds: [LiveList.Feed], like parent: SourceSettings) -> [SourceID: LiveList.Feed] {
    guard !feeds.isEmpty else { return [:] }
    let sources = feeds.map { feed in
      var source = SourceSettings(name: feed.name, isLocal: false)
      (source.address, source.givenName, source.tags) = (feed.address.text, feed.name, feed.tags)
      (source.query, source.refresh, source.listName) = (parent.query, settings.refresh, parent.givenName)
      source.isSubscription = true
      return source
    }
    let opened = library.openJoined(sources).map(SourceID.init)
    tabs.open(listed: opened, order: CardOrder(parent.query.order) ?? .feed, settings: settings)
    tabs.invalidateMixed()
    return Dictionary(uniqueKeysWithValues: zip(opened, feeds))
  }
}

extension String {
  /// The normalized form for comparisons.
  fileprivate var comparedAddress: String { WebAddress(typed: self)?.text ?? self }
}

extension Library {
  /// The open sources of live lists by their addresses. O(n).
  fileprivate var listedSources: [String: SourceID] {
    sources.indices.reduce(into: [:]) { listed, index in
      if sources[index].settings.listName != nil {
        listed[sources[index].settings.address.comparedAddress] = sources[index].id
      }
    }
  }
}
