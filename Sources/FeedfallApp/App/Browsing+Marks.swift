import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText

/// The commands for several videos: those that are selected together, or all that a tab shows.
extension Browsing {
  /// In bytes; terminals drop longer texts.
  private static let maximumCopyLength = 64 << 10
  /// A key pressed by mistake must not fill the disk.
  static let maximumDownloadCount = 200

  // MARK: - Selection

  /// The cards that can be selected together and marked: all but lists.
  private func markable(_ slots: some Sequence<CardSlot>) -> [CardSlot] {
    slots.filter { !library.store[$0].isList }
  }

  private func keys(of slots: [CardSlot]) -> [VideoKey] { slots.map { library.store[$0].key } }

  private var shownCards: [CardSlot] { markable(tabs.selected.cards.cards.slots) }

  /// The cards that are selected together, in the tab's order; nil if a command means one card.
  private var pickedCards: [CardSlot]? {
    guard subject == nil, !tabs.selected.cards.picks.isEmpty else { return nil }
    let picks = tabs.selected.cards.picks
    let picked = shownCards.filter { picks.contains(library.store[$0].key) }
    return picked.isEmpty ? nil : picked
  }

  /// The card that a command means, or the first of several.
  var firstMeantCard: Card? { pickedCards.map { library.store[$0[0]] } ?? selectedCard }

  mutating func pickAndGoOn() {
    guard let index = tabs.selected.cards.selection else { return }
    for slot in markable([tabs.selected.cards.cards[index]]) {
      tabs.selected.cards.picks.toggle(library.store[slot].key)
    }
    if index + 1 < tabs.selected.cards.cards.count { tabs.selected.cards.select(index + 1) }
  }

  mutating func pickAll() { tabs.selected.cards.picks.toggle(keys(of: shownCards)) }

  /// Selects the cards from the pressed one to this one, and closes the details that the press has opened. Nil before
  /// the drag has left the pressed card.
  mutating func pick(byDragTo index: Int) -> [AppEffect]? {
    let cards = tabs.selected.cards.cards
    guard let origin = tabs.selected.cards.picks.origin(ofDragTo: cards[index]).flatMap(cards.index(of:)) else {
      return nil
    }
    let dragged = cards.slots[min(origin, index)...max(origin, index)]
    tabs.selected.cards.picks.setDragged(keys(of: markable(dragged)))
    return tabs.selected.details == nil ? [] : closeDetails()
  }

  // MARK: - Marks

  /// Sets or removes a mark of all cards that are selected together: it removes it if all have it. Nil if a command
  /// means one card.
  mutating func toggleOfSeveral(_ mark: Mark, at now: Int) -> [AppEffect]? {
    guard let picked = pickedCards else { return nil }
    let isSet = !picked.allSatisfy { library.store.record(of: $0).has(mark) }
    return set(Marking(mark, isSet), of: picked, at: now)
  }

  /// Marks the cards that are shown when the key is pressed, not those that arrive before the marks are written.
  mutating func perform(_ order: MarkOrder, at now: Int) -> [AppEffect] {
    let cards: [CardSlot]
    switch order.scope {
    case .meant: cards = meantCards()
    case .above: cards = markable(tabs.selected.cards.cards.slots.prefix(tabs.selected.cards.selection ?? 0))
    case .below: cards = markable(tabs.selected.cards.cards.slots.dropFirst((tabs.selected.cards.selection ?? 0) + 1))
    case .matching(let query):
      cards = CardQuery.included(meantCards(), by: query.filter, in: library)
    }
    return set(order.marking, of: cards, clearing: order == .watched ? wholeSources : [], at: now)
  }

  /// The sources all of whose videos `M` means.
  private var wholeSources: [String] {
    let meant = meantTabs?.tabs ?? (pickedCards == nil ? [tabs.selection] : [])
    let sources = meant.filter { tabs[$0].query.filter.isEmpty }.flatMap { library.sources(of: tabs[$0].content).ids() }
    return sources.compactMap { library[$0].scope }
  }

  /// In the list of sources, the cards of the chosen tabs.
  private mutating func meantCards() -> [CardSlot] {
    guard let meantTabs else { return pickedCards ?? shownCards }
    return meantTabs.tabs.flatMap { tab in
      updateTab(tab)
      return markable(tabs[tab].cards.cards.slots)
    }
  }

  /// `scopes` are those of the sources whose missed videos are cleared.
  private mutating func set(
    _ marking: Marking, of cards: [CardSlot], clearing scopes: [String] = [], at now: Int
  ) -> [AppEffect] {
    let due = cards.filter { library.store.isChanged(by: marking, $0) }
    let marks = library.store.userData.changes(marking, of: keys(of: due), at: now)
    let cleared = library.store.userData.clearedMissed(ofSources: scopes)
    guard !marks.isEmpty || !cleared.isEmpty else {
      return show(Words.nothingToMark(marking, among: cards.count))
    }
    let name = marks.isEmpty ? Words.missedCleared : marking.text(count: marks.count)
    let events = library.store.userData.change(marks + cleared, at: now, name: name)
    return finish(events, marking.storesFacts ? due : [], at: now, name: name)
  }

  mutating func queueSeveralNext(at now: Int) -> [AppEffect]? {
    guard let picked = pickedCards else { return nil }
    let name = Words.queuedNext(count: picked.count)
    let events = library.store.userData.putFirst(keys(of: picked), at: now, name: name)
    return events.isEmpty ? show(Words.areFirstOfQueue) : finish(events, picked, at: now, name: name)
  }

  /// Reports the change once it is written. `described` are the cards whose facts are stored.
  private mutating func finish(
    _ events: [UserEvent], _ described: [CardSlot], at now: Int, name: String
  ) -> [AppEffect] {
    recordsChanged(by: events)
    savingReport.begin(words.doneToSeveral(name))
    return [.saveEvents(events + described.flatMap { describe(library.store[$0], at: now) })]
  }

  // MARK: - Downloads and addresses

  mutating func downloadSeveral(_ quality: DownloadQuality?) -> [AppEffect]? {
    guard let picked = pickedCards else { return nil }
    guard picked.count <= Self.maximumDownloadCount else { return show(Words.tooManyDownloads(picked.count)) }
    let cards = picked.map { library.store[$0] }.filter { downloads[$0.key]?.isStarted != true }
    let effects = cards.flatMap { download($0, quality) }
    toast.show(words.downloadsStarted(cards.count { downloads[$0.key]?.isStarted == true }, of: picked.count))
    return effects
  }

  mutating func removeSeveralDownloads() -> [AppEffect]? {
    guard let picked = pickedCards else { return nil }
    let keys = Set(keys(of: picked).filter { downloads[$0] != nil })
    guard !keys.isEmpty else { return show(words.nothingToRemove) }
    guard downloads.confirmsRemoval(of: keys) else { return show(words.confirmRemoval(ofCount: keys.count)) }
    return keys.sorted { $0.text < $1.text }.flatMap { removeDownload(of: $0) }
  }

  /// One address in each line, as far as they fit; those that must be requested first are left out.
  mutating func copySeveralAddresses(
    _ kind: Words.AddressKind, _ address: (Card) -> MediaAddress?
  ) -> [AppEffect]? {
    guard let picked = pickedCards else { return nil }
    guard hasClipboard else { return show(Words.noClipboardForSeveral) }
    var (text, count) = ("", 0)
    for slot in picked {
      guard let line = address(library.store[slot]).map({ $0.text + "\n" }) else { continue }
      guard text.utf8.count + line.utf8.count <= Self.maximumCopyLength else { break }
      text += line
      count += 1
    }
    toast.show(Words.copied(kind, count: count, of: picked.count))
    return count == 0 ? [] : [.copy(String(text.dropLast()))]
  }

  // MARK: - Unwatched videos

  /// Selects the next or the previous unwatched video, also in other tabs, once round.
  mutating func selectUnwatched(forward: Bool) -> [AppEffect] {
    let (places, origin) = (tabs.visible, Tab.Origin(tab: tabs.selection, card: selectedCard?.id))
    guard let here = places.firstIndex(of: tabs.selection) else { return [] }
    let selection = tabs.selected.cards.selection
    for step in 0...places.count {
      let index = places[(here + (forward ? step : places.count - step)) % places.count]
      if step > 0 { updateTab(index) }
      let cards = tabs[index].cards.cards
      let middle = min(selection ?? 0, cards.count)
      let (before, after) = (0..<middle, min(middle + 1, cards.count)..<cards.count)
      let range =
        switch step {
        case 0: forward ? after : before
        // Finally, the rest of the tab in which the search began.
        case places.count: forward ? before : after
        default: 0..<cards.count
        }
      let isUnwatched = { [library] in
        !library.store.record(of: cards[$0]).has(.watched) && library.store[cards[$0]].video.list == nil
      }
      guard let found = forward ? range.first(where: isUnwatched) : range.last(where: isUnwatched) else { continue }
      // Backspace returns to the origin.
      if index != origin.tab { tabs[index].origin = origin }
      let effects = selectTab(index)
      tabs.selected.cards.select(found)
      return effects + (step % places.count == 0 ? [] : showSelectedVideo())
    }
    return show(Words.noUnwatched)
  }
}

/// A mark that `:mark` sets or removes, and the videos to which it applies.
struct MarkOrder: Equatable, Sendable {
  enum Scope: Equatable, Sendable {
    /// The videos that are selected together, or else all shown ones.
    case meant
    /// The videos before or after the selected one.
    case above, below
    case matching(FilterQuery)
  }

  var marking: Marking
  var scope = Scope.meant

  static let watched = MarkOrder(marking: Marking(.watched, true))
}

extension DownloadState {
  /// Whether it is complete, running or waiting.
  fileprivate var isStarted: Bool {
    switch self {
    case .waiting, .running, .done: true
    case .stalled, .failed: false
    }
  }
}
