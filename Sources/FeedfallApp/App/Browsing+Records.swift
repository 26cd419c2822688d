import FeedfallFeeds
import FeedfallFilters
import FeedfallRecords
import FeedfallText

/// The commands and events that change the user's records. Each change goes through `record`, which updates the tabs
/// that depend on it.
extension Browsing {
  mutating func toggle(_ mark: Mark, at now: Int) -> [AppEffect] {
    if let effects = toggleOfSeveral(mark, at: now) { return effects }
    guard let card = selectedCard, let index = tabs.selected.cards.selection else { return [] }
    let slot = library.store.slot(of: card.id)
    let isSet = !(slot.map { library.store.record(of: $0) } ?? library.store.userData[card.key]).has(mark)
    if let slot { _ = library.store.isChanged(by: Marking(mark, isSet), slot) }
    let records = library.store.userData
    let place = mark == .queued ? records.nextPlace : 0
    let value = UserValue(mark, isSet, at: UnixTime(seconds: now / 1_000), place: place)
    let hides = mark == .hidden && isSet
    let effects = change(
      card, [value] + (mark == .watched ? [.position(nil)] : []), at: now,
      name: Words.marked(mark, isSet, card.video.title), hides: hides)
    if hides {
      tabs.selected.cards.select(index + 1 < tabs.selected.cards.cards.count ? index + 1 : max(0, index - 1))
    }
    return effects
  }

  private mutating func change(
    _ card: Card, _ values: [UserValue], at now: Int, name: String, hides: Bool = false
  ) -> [AppEffect] {
    finish(record(values, of: card.key, at: now, name: name), of: card, at: now, name: name, hides: hides)
  }

  private mutating func finish(
    _ events: [UserEvent], of card: Card, at now: Int, name: String, hides: Bool = false
  ) -> [AppEffect] {
    toast.show(words.done(name, hides: hides))
    return [.saveEvents(events + describe(card, at: now))]
  }

  /// A downloaded file has the facts of its request.
  mutating func describe(_ card: Card, at now: Int) -> [UserEvent] {
    let isCopy = library.store.userData.original(of: card.video) != nil
    guard let video = isCopy ? downloads.request(of: card.key)?.video : card.video else { return [] }
    return library.store.userData.describe(card.key, video, of: isCopy ? nil : library[card.source].scope, at: now)
  }

  mutating func queueNext(at now: Int) -> [AppEffect] {
    if let effects = queueSeveralNext(at: now) { return effects }
    guard let card = selectedCard else { return [] }
    guard library.store.userData.queuedKeys.first != card.key else { return show(Words.isFirstOfQueue) }
    let name = Words.queuedNext(card.video.title)
    let events = library.store.userData.putFirst([card.key], at: now, name: name)
    tabs.invalidate(.queued)
    return finish(events, of: card, at: now, name: name)
  }

  mutating func moveInQueue(by step: Int, at now: Int) -> [AppEffect] {
    guard tabs.selected.query.order == .other(.queue), library.requiredField(of: content) == .queued,
      let selection = tabs.selected.cards.selection
    else { return show(Words.isNotQueueOrder) }
    var keys = tabs.selected.cards.cards.slots.map { library.store[$0].key }
    let target = selection + step
    guard keys.indices.contains(target) else { return show(step > 0 ? Words.isLastOfQueue : Words.isFirstOfQueue) }
    keys.swapAt(selection, target)
    let slot = tabs.selected.cards.cards[selection]
    let name = Words.moved(library.store[slot].video.title)
    let events = library.store.userData.moveInQueue(target, of: keys, at: now, name: name)
    tabs.invalidate(.queued)
    updateTab(tabs.selection)
    if let index = tabs.selected.cards.cards.index(of: slot) { tabs.selected.cards.select(index) }
    toast.show(words.done(name))
    return [.saveEvents(events)]
  }

  /// Undoes the change that the message offers to undo, or else the user's last one.
  mutating func undo(at now: Int) -> [AppEffect] {
    savingReport.cancel()
    if let offer = shownOffer {
      shownOffer = nil
      let values = offer.values(undoing: library.store.userData[offer.key])
      return undone(offer.name, library.store.userData.change(offer.key, values, at: now))
    }
    let requests = undoableSubscriptions.beginLast(after: library.store.userData.undoCount)
    if !requests.isEmpty { return requests.map { .changeSubscription($0) } }
    guard let (name, events) = library.store.userData.undo(at: now) else { return show(Words.nothingToUndo) }
    return undone(name, events)
  }

  private mutating func undone(_ name: String, _ events: [UserEvent]) -> [AppEffect] {
    let (before, keys) = (tabs.selected.cards.cards, Set(events.map(\.key)))
    recordsChanged(by: events)
    updateTab(tabs.selection)
    let returned = tabs.selected.cards.cards.slots.firstIndex {
      !before.contains($0) && keys.contains(library.store[$0].key)
    }
    if let returned { tabs.selected.cards.select(returned) }
    toast.show(Words.undone(name))
    return [.saveEvents(events)] + (returned == nil ? [] : showSelectedVideo())
  }

  mutating func merge(_ events: [UserEvent]) {
    var records = UserData()
    for event in events { records.apply(event) }
    merge(records)
  }

  mutating func merge(_ records: UserData) {
    guard library.store.userData.merge(records) else { return }
    if records.hasValues(of: .readBefore) { library.updateReadBefore() }
    recordsChanged(by: records.events)
  }

  mutating func recordsChanged(by events: some Sequence<UserEvent>) {
    tabs.invalidate(VideoStates(changedBy: events.lazy.map(\.value.field)))
    library.marksChanged(of: events.lazy.map(\.key))
  }

  /// Restores the cards of records whose facts have been read. The tabs of records show them.
  mutating func adopt(_ facts: UserData) {
    for key in facts.keys { library.store.readFacts[key] = facts.storedVideo(key) }
    tabs.invalidate(VideoStates(changedBy: UserField.allCases))
  }

  /// A watched video leaves the queue. Only the message about it offers to undo this: it is no step of the undo list.
  mutating func save(_ position: PlayPosition, at now: Int) -> [AppEffect] {
    let key = position.key
    let records = library.store.userData
    let isQueued = position.isWatched && records[key].queued != nil
    let values = position.values(at: now) + (isQueued ? [.queued(nil)] : [])
    let card = position.isWatched || records.storedVideo(key) == nil ? library.store.card(ofKey: key) : nil
    let before = records[key]
    var events = record(values, of: key, at: now, name: nil)
    if let card, !events.isEmpty { events += describe(card, at: now) }
    guard !events.isEmpty else { return [] }
    guard position.isWatched else { return [.saveEvents(events)] }
    let name = Words.marked(.watched, true, card?.video.title ?? key.text)
    let offer = UndoOffer(
      key: key, name: name,
      fields: values.map {
        .init(before: before.value(of: $0.field), after: library.store.userData[key].value(of: $0.field))
      })
    toast.show(words.done(name), offer: offer)
    return [.saveEvents(events)]
  }

  /// The stored title stays, because a later page may have another one than the card.
  mutating func storeFacts(of card: CardID, fromDetails isFromDetails: Bool, at now: Int) -> [AppEffect] {
    guard library.store.userData.count > 0, let slot = library.store.slot(of: card) else { return [] }
    let (source, openSources) = (library[card.source].scope, library.scopes)
    let origin: StoredVideo.Origin =
      isFromDetails ? .details(of: source, among: openSources) : .list(of: source, among: openSources)
    var (key, video) = (library.store[slot].key, library.store[slot].video)
    video.title = library.store.userData.storedVideo(key)?.video(key)?.title ?? video.title
    guard library.store.userData.changedFacts(key, video, from: origin, at: now) != nil else { return [] }
    return storeFacts(of: [(key, video)], from: origin, at: now)
  }

  /// A cached page may be older than the records.
  mutating func storeFacts(of arrival: PageArrival, at now: Int) -> [AppEffect] {
    guard arrival.purpose != .cached, arrival.page.savedAt == nil, library.store.userData.count > 0 else { return [] }
    let origin = StoredVideo.Origin.list(of: library[arrival.source].scope, among: library.scopes)
    // The first one of equal videos counts, as in the list of the source.
    var seen: Set<CardSlot> = []
    let changed = arrival.page.videos.compactMap { video -> (VideoKey, Video)? in
      guard let slot = library.store.slot(of: video, of: arrival.source), seen.insert(slot).inserted else {
        return nil
      }
      // A card that was in the list before the page shows its earlier video.
      var card = library.store[slot]
      card.update(from: video)
      let facts = library.store.userData.changedFacts(card.key, card.video, from: origin, at: now)
      return facts.map { _ in (card.key, card.video) }
    }
    return storeFacts(of: changed, from: origin, at: now)
  }

  /// - Parameter changed: only videos whose facts have changed, because each change makes the states of all cards
  ///   outdated.
  private mutating func storeFacts(
    of changed: [(VideoKey, Video)], from origin: StoredVideo.Origin, at now: Int
  ) -> [AppEffect] {
    let events = changed.flatMap { key, video in
      library.store.userData.updateDescription(key, video, from: origin, at: now)
    }
    return events.isEmpty ? [] : [.saveEvents(events)]
  }

  private mutating func record(_ values: [UserValue], of key: VideoKey, at now: Int, name: String?) -> [UserEvent] {
    let before = library.store.userData[key]
    let events = library.store.userData.change(key, values, at: now, name: name)
    let after = library.store.userData[key]
    var changed = VideoStates(before).symmetricDifference(VideoStates(after))
    // Another time or place changes the order of the tabs of records.
    if before.watched != after.watched { changed.insert(.watched) }
    if before.played != after.played { changed.insert(.played) }
    if before.queued != after.queued { changed.insert(.queued) }
    if !changed.isEmpty {
      tabs.invalidate(changed, of: key)
      library.marksChanged(of: [key])
    }
    return events
  }
}

/// A change of a record by the player that a message offers to undo.
struct UndoOffer: Equatable, Sendable {
  struct Field: Equatable, Sendable { let before, after: UserValue }

  let key: VideoKey
  let name: String
  let fields: [Field]

  /// Without those that have changed again since.
  func values(undoing record: UserRecord) -> [UserValue] {
    fields.filter { record.value(of: $0.after.field) == $0.after }.map(\.before)
  }
}
