import FeedfallFilters
import FeedfallText

extension Browsing {
  mutating func changeSubscription(
    _ change: SubscriptionRequest.Change, _ adapt: (inout SubscriptionRequest) -> Void = { _ in }
  ) -> [AppEffect] {
    let meant: [Int]
    switch meantTabs {
    case .group: return show(words.chooseSource)
    case .chosen(let chosen): meant = chosen
    case nil: meant = [tabs.selection]
    }
    // A live list may have closed some since the command was begun.
    let sources = meant.compactMap { tabs[$0].content.source }.filter { !library[$0].isClosed }
    if case .rename = change, sources.count > 1 { return show(Words.renameNeedsOne) }
    guard sources.count <= Self.maximumChangeCount else { return show(Words.tooManySources(sources.count)) }
    let fixed = sources.first { ["", "-"].contains(library[$0].settings.address) }
    guard !sources.isEmpty, fixed == nil else {
      return show(Words.cannotSubscribe(fixed.map { library[$0].name } ?? library.name(of: content)))
    }
    let batch = sources.count > 1 ? undoableSubscriptions.beginBatch(of: sources.count) : nil
    return sources.map { source in
      var request = SubscriptionRequest(
        change, name: library[source].ownName, address: library[source].settings.address)
      request.isNameConfigured = library[source].settings.givenName != nil
      request.batch = batch
      adapt(&request)
      return .changeSubscription(request)
    }
  }

  /// Each change writes a file.
  static let maximumChangeCount = 200

  mutating func updateSubscriptions(
    _ outcome: SubscriptionRequest.Outcome, _ request: SubscriptionRequest, at now: Int
  ) -> [AppEffect] {
    var effects: [AppEffect] = []
    switch outcome {
    case .added(let source):
      settings.subscriptions.append(source)
      if let tab = opened(at: request.address, named: request.name) {
        effects = setSubscription(of: tab, to: source.name)
        recordSubscription(to: tab, at: UnixTime(seconds: now / 1_000))
      }
    case .removed(let name, _):
      settings.subscriptions.removeAll { $0.name == name }
      if let tab = opened(at: request.address, named: name), library[tab].settings.listName == nil {
        effects = setSubscription(of: tab, to: nil)
      }
    case .alreadyConfigured(let name):
      if let tab = opened(at: request.address, named: request.name) { effects = setSubscription(of: tab, to: name) }
    case .changed(let before, let after): update(before, to: after, at: request.address)
    case .nameInUse, .notConfigured, .failed: break
    }
    if request.isUndo { undoableSubscriptions.end(request, outcome) }
    if let undo = request.undo(after: outcome) {
      undoableSubscriptions.add(undo, after: library.store.userData.undoCount)
    }
    return effects
  }

  /// Falls back to the only tab with the address: a source that is no longer saved has the title of its feed.
  private func opened(at address: String, named name: String) -> SourceID? {
    let opened = library.sources.filter { $0.settings.address == address && tabs.isOpened($0.id) }
    return (opened.last { $0.ownName == name } ?? (opened.count == 1 ? opened[0] : nil))?.id
  }

  private mutating func update(_ before: Subscription, to after: Subscription, at address: String) {
    if let index = settings.subscriptions.firstIndex(where: { $0.name == before.name }) {
      settings.subscriptions[index] = after
    }
    let changed = library.sources.filter { $0.settings.address == address && $0.settings.givenName == before.name }
    for source in changed.map(\.id) {
      library.setTags(after.tags, of: source)
      if after.name != before.name { library.setConfiguredName(after.name, of: source) }
    }
    if settings.sourcesAllowingHTTP.contains(before.name) { settings.sourcesAllowingHTTP.insert(after.name) }
    tabs.invalidateMixed()
  }

  private mutating func setSubscription(of source: SourceID, to name: String?) -> [AppEffect] {
    library.setConfiguredName(name, of: source)
    tabs.invalidateMixed()
    let own = name.flatMap { name in settings.subscriptions.first { $0.name == name } }?.refresh
    return library.setRefresh(name == nil ? .start : own ?? settings.refresh, of: source)
  }

  mutating func save() -> [AppEffect] {
    guard !changedOptions.isEmpty else { return show(Words.nothingToSave) }
    return [.saveSettings(.options(changedOptions))]
  }

  mutating func optionChanged(_ name: String, to value: String) {
    if let other = SavedSettings.alternatives[name] { changedOptions[other] = nil }
    changedOptions[name] = value
  }

  private static let longestViewName = 80

  private static func isReserved(_ name: String) -> Bool {
    let names = [Words.allTab] + [ViewSettings.queue, .history, .downloads].map(\.name)
    return names.contains { $0.lowercased() == name.lowercased() }
  }

  mutating func saveView(named name: String) -> [AppEffect] {
    guard cleanedLine(name, limit: Self.longestViewName) == name, !Self.isReserved(name) else {
      return show(Words.invalidViewName(name))
    }
    if case .view(let number) = content, library.views[number].field == .download {
      return show(Words.noViewOfDownloads)
    }
    guard let queries = shownQueries else { return show(Words.notInViews(library.name(of: content))) }
    guard let query = FilterQuery.joining(queries, sortedBy: tabs.selected.shownOrder) else {
      return show(Words.viewTooLong)
    }
    let order = tabs.selected.query.order
    guard order.videoOrder != nil, CardOrder(of: query).videoOrder == order.videoOrder else {
      return show(words.noViewInOrder(order.name(isSource: content.source == nil)))
    }
    return [.saveSettings(.view(ViewSettings(name: name, query: query, layout: tabs.layout)))]
  }

  /// The queries that together include what the selected tab shows; nil if a view cannot show it.
  private var shownQueries: [FilterQuery]? {
    let typed = tabs.selected.filter.query
    switch content {
    case .all: return [typed]
    case .group: return nil
    case .view(let number): return [library.views[number].query, typed]
    case .source(let source):
      guard library.joined.contains(source), let name = library[source].settings.givenName,
        let own = FilterQuery.source(named: name)
      else { return nil }
      return [own, typed]
    }
  }

  mutating func settingsSaved(_ saved: SavedSettings) -> [AppEffect] {
    switch saved {
    case .options(let options):
      // One may have changed again meanwhile.
      changedOptions = changedOptions.filter { options[$0.key] != $0.value }
      if let layout = options["layout"].flatMap({ LayoutKind(rawValue: $0) }) { settings.layout = layout }
      return []
    case .view(let view):
      let number = library.setView(view)
      return selectTab(tabs.show(view, number: number, settings: settings))
    }
  }
}

extension Browsing {
  struct UndoableSubscriptions: Equatable, Sendable {
    private var entries: [Entry] = []
    private var batchCount = 0

    private struct Entry: Equatable, Sendable {
      var undo: SubscriptionRequest
      /// The number of undoable changes of records before the change.
      var recordCount: Int
      var isPending = false
    }

    private static let maximumCount = 400

    mutating func beginBatch(of count: Int) -> SubscriptionRequest.Batch {
      batchCount += 1
      return SubscriptionRequest.Batch(number: batchCount, sourceCount: count)
    }

    mutating func add(_ undo: SubscriptionRequest, after recordCount: Int) {
      entries.append(Entry(undo: undo, recordCount: recordCount))
      if entries.count > Self.maximumCount { entries.removeFirst() }
    }

    /// Returns the requests for the last change whose undo has not begun, the last one first, unless a record has been
    /// changed after it.
    mutating func beginLast(after recordCount: Int) -> [SubscriptionRequest] {
      guard let last = entries.lastIndex(where: { !$0.isPending }), entries[last].recordCount >= recordCount else {
        return []
      }
      let batch = entries[last].undo.batch
      let due = entries.indices.reversed().filter { index in
        index == last || batch != nil && !entries[index].isPending && entries[index].undo.batch == batch
      }
      for index in due { entries[index].isPending = true }
      return due.map { entries[$0].undo }
    }

    mutating func end(_ undo: SubscriptionRequest, _ outcome: SubscriptionRequest.Outcome) {
      guard let index = entries.lastIndex(where: { $0.isPending && $0.undo == undo }) else { return }
      if case .failed = outcome { entries[index].isPending = false } else { entries.remove(at: index) }
    }
  }
}

extension SubscriptionRequest {
  func undo(after outcome: SubscriptionRequest.Outcome) -> SubscriptionRequest? {
    guard !isUndo else { return nil }
    var undo: SubscriptionRequest
    switch outcome {
    case .added(let source): undo = SubscriptionRequest(.remove, name: source.name, address: source.address)
    case .removed(let name, _): undo = SubscriptionRequest(.add, name: name, address: address)
    case .changed(let before, let after):
      let change: Change = before.name == after.name ? .tag(before.tags) : .rename(before.name)
      undo = SubscriptionRequest(change, name: after.name, address: address)
    case .nameInUse, .alreadyConfigured, .notConfigured, .failed: return nil
    }
    (undo.isUndo, undo.batch) = (true, batch)
    return undo
  }
}
