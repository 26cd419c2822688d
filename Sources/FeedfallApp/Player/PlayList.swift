import FeedfallFilters
import FeedfallRecords

/// The videos that playback goes through: those of a tab at the start, then later ones. Sorting or filtering the tab
/// does not change the list; moving a video in the queue does. Videos without a card, or removed from the tab by a
/// mark, are skipped, except played ones: playing changes their marks.
struct PlayList: Equatable, Sendable {
  /// The tab and its filter when the playback began.
  private let query: CardQuery
  /// The card of each video. Another card of the same video replaces one that is gone.
  private(set) var slots: [CardSlot]
  private(set) var place: Int
  private var (playedPlaces, played): (Set<Int>, Set<VideoKey>)
  private var shuffled: ShuffledOrder
  /// The queued videos to play next, in order.
  private(set) var requests: [CardSlot] = []
  /// The revision of the tab's cards up to which they have been added, and the number of those that wait for their places.
  private var (revision, lateCount): (Int, Int)
  /// Whether it is the queue, where playback continues without autoplay as well.
  let isQueue: Bool

  struct Order: Equatable, Sendable {
    var shuffles = false
    /// Whether the other end follows an end.
    var wraps = false
  }

  private static let batchCount = 64

  init(of tab: Tab, at place: Int, _ key: VideoKey, shuffledBy seed: UInt64) {
    query = CardQuery(tab.content, filter: tab.query.filter, order: .feed)
    (slots, self.place) = (tab.cards.cards.slots, place)
    (revision, lateCount) = (tab.cards.revision, 0)
    (playedPlaces, played) = ([place], [key])
    isQueue = tab.query.order == .other(.queue)
    shuffled = ShuffledOrder(seed: seed)
    shuffled.add(key)
  }

  var origin: TabContent { query.content }

  // MARK: - Neighbors

  /// O(1) unless many videos are skipped; O(n) at the end, in a shuffled order, and if cards are gone.
  mutating func move(by step: Int, _ order: Order, in browsing: Browsing) -> Card? {
    if step > 0, isQueue, !order.shuffles { followQueue(in: browsing) }
    guard let next = (step > 0 ? requestedNext(in: browsing) : nil) ?? next(by: step, order, in: browsing) else {
      return nil
    }
    slots[next.place] = next.slot
    let card = browsing.library.store[next.slot]
    place = next.place
    playedPlaces.insert(place)
    played.insert(card.key)
    shuffled.add(card.key)
    return card
  }

  private typealias Entry = (place: Int, slot: CardSlot)

  private mutating func next(by step: Int, _ order: Order, in browsing: Browsing) -> Entry? {
    if order.shuffles { return shuffledNext(by: step, order, in: browsing) }
    let known = Cards(of: self, in: browsing)
    let count = slots.count
    if let next = first(stride(from: place + step, to: step > 0 ? count : -1, by: step), known) { return next }
    if step > 0, addNew(in: browsing), let next = first(stride(from: count, to: slots.count, by: 1), known) {
      return next
    }
    guard order.wraps else { return nil }
    let others = step > 0 ? stride(from: 0, to: place, by: 1) : stride(from: slots.count - 1, to: place, by: -1)
    return first(others, known) ?? included([place], known).first
  }

  /// Drops the requests of these videos, because the queue has them at its head. O(n log n).
  private mutating func followQueue(in browsing: Browsing) {
    _ = addNew(in: browsing)
    let store = browsing.library.store
    let later = slots.indices.dropFirst(place + 1).compactMap {
      place -> (place: Int, slot: CardSlot, queued: Double)? in
      guard !playedPlaces.contains(place), let queued = store.record(of: slots[place]).queued else { return nil }
      return (place, slots[place], queued)
    }
    let sorted = later.sorted { ($0.queued, store[$0.slot].key.text) < ($1.queued, store[$1.slot].key.text) }
    for (old, new) in zip(later, sorted) { slots[old.place] = new.slot }
    let keys = Set(later.map { store[$0.slot].key })
    requests.removeAll { keys.contains(store[$0].key) }
  }

  // MARK: - Requests

  mutating func request(_ slot: CardSlot) { requests = [slot] + requests.filter { $0 != slot } }

  func hasRequest(in store: CardStore) -> Bool { requests.contains { store.record(of: $0).queued != nil } }

  private mutating func requestedNext(in browsing: Browsing) -> Entry? {
    guard !requests.isEmpty else { return nil }
    let (known, store) = (Cards(of: self, in: browsing), browsing.library.store)
    requests.sort { (store.record(of: $0).queued ?? 0) < (store.record(of: $1).queued ?? 0) }
    while !requests.isEmpty {
      let request = requests.removeFirst()
      guard store.record(of: request).queued != nil, let slot = known.current(request), store[slot].mayBePlayed else {
        continue
      }
      let target = place + 1
      slots.insert(slot, at: target)
      playedPlaces = Set(playedPlaces.map { $0 < target ? $0 : $0 + 1 })
      return (target, slot)
    }
    return nil
  }

  private mutating func shuffledNext(by step: Int, _ order: Order, in browsing: Browsing) -> Entry? {
    _ = addNew(in: browsing)
    let (known, store) = (Cards(of: self, in: browsing), browsing.library.store)
    let entries = included(Array(slots.indices), known)
    let keys = entries.map { store[$0.slot].key }
    let current = store[slots[place]].key
    let key =
      step > 0
      ? shuffled.next(after: current, among: keys, startsOver: order.wraps)
      : shuffled.previous(before: current, among: keys)
    return key.flatMap { key in zip(entries, keys).first { $0.1 == key }?.0 }
  }

  private func first(_ places: StrideTo<Int>, _ known: Cards) -> Entry? {
    var batch: [Int] = []
    for place in places {
      batch.append(place)
      guard batch.count == Self.batchCount else { continue }
      if let next = included(batch, known).first { return next }
      batch = []
    }
    return included(batch, known).first
  }

  private func included(_ places: [Int], _ known: Cards) -> [Entry] {
    let store = known.browsing.library.store
    let entries = places.compactMap { place -> Entry? in
      guard let slot = known.current(slots[place]), store[slot].mayBePlayed,
        playedPlaces.contains(place) || !played.contains(store[slot].key)
      else { return nil }
      return (place, slot)
    }
    let wanted = Set(query.includedIgnoringNewState(entries.map(\.slot), in: known.browsing.library))
    return entries.filter { entry in
      wanted.contains(entry.slot) || playedPlaces.contains(entry.place) && !store.record(of: entry.slot).has(.hidden)
    }
  }

  /// Whether there may be a previous or next video. Few places are examined, because this runs after each event.
  func mayMove(by step: Int, in browsing: Browsing) -> Bool {
    let store = browsing.library.store
    let places = stride(from: place + step, to: step > 0 ? slots.count : -1, by: step)
    for (number, place) in places.enumerated() {
      let slot = slots[place]
      if number >= Self.batchCount || store.isListed(store[slot].id) && store[slot].mayBePlayed { return true }
    }
    return step > 0 && (hasRequest(in: store) || mayHaveNew(in: browsing))
  }

  // MARK: - New cards

  private func mayHaveNew(in browsing: Browsing) -> Bool {
    guard let tab = browsing.tabs.index(of: origin) else { return false }
    let (late, cards) = (browsing.tabs[tab].query.late, browsing.tabs[tab].cards)
    return (cards.revision != revision || late.count != lateCount) && cards.cards.count + late.count > slots.count
  }

  /// Also adds cards that wait for their places. O(n) if the tab's cards have changed.
  private mutating func addNew(in browsing: Browsing) -> Bool {
    guard let tab = browsing.tabs.index(of: origin) else { return false }
    let (late, newRevision) = (browsing.tabs[tab].query.late, browsing.tabs[tab].cards.revision)
    guard newRevision != revision || late.count != lateCount else { return false }
    (revision, lateCount) = (newRevision, late.count)
    let store = browsing.library.store
    var keys = Set(slots.lazy.map { store[$0].key })
    let count = slots.count
    slots += (browsing.tabs[tab].cards.cards.slots + late).filter { keys.insert(store[$0].key).inserted }
    return slots.count > count
  }

  private final class Cards {
    let browsing: Browsing
    private let tab: Int?
    private lazy var twins: [VideoKey: CardSlot] = {
      guard let tab else { return [:] }
      let slots = browsing.tabs[tab].cards.cards.slots
      return Dictionary(slots.map { (browsing.library.store[$0].key, $0) }) { first, _ in first }
    }()

    init(of list: PlayList, in browsing: Browsing) {
      (self.browsing, tab) = (browsing, browsing.tabs.index(of: list.origin))
    }

    /// The slot, or that of another card of the same video in the tab; nil if both are gone.
    func current(_ slot: CardSlot) -> CardSlot? {
      if let tab, browsing.tabs[tab].cards.cards.contains(slot) { return slot }
      let card = browsing.library.store[slot]
      return twins[card.key] ?? (browsing.library.store.isListed(card.id) ? slot : nil)
    }
  }

  /// An order of videos that a seed determines, without repeats until each video has been played.
  struct ShuffledOrder: Equatable, Sendable {
    private let seed: UInt64
    /// Each round has an order of its own.
    private var round: UInt64 = 0
    private var played: [VideoKey] = []

    init(seed: UInt64) { self.seed = seed }

    /// Returns nil if all were played and the order does not start over. O(n).
    mutating func next(after current: VideoKey, among videos: [VideoKey], startsOver: Bool) -> VideoKey? {
      let (place, known) = (place(of: current), Set(videos))
      if let later = played[(place + 1)...].first(where: known.contains) { return later }
      if let next = first(of: videos) { return next }
      guard startsOver else { return nil }
      (round, played) = (round &+ 1, [current])
      return first(of: videos) ?? videos.first
    }

    mutating func previous(before current: VideoKey, among videos: [VideoKey]) -> VideoKey? {
      let (place, known) = (place(of: current), Set(videos))
      return played[..<place].last(where: known.contains)
    }

    mutating func add(_ video: VideoKey) { _ = place(of: video) }

    /// The index of a video among those played; one that is not there was played last.
    private mutating func place(of video: VideoKey) -> Int {
      if let place = played.lastIndex(of: video) { return place }
      played.append(video)
      return played.count - 1
    }

    private func first(of videos: [VideoKey]) -> VideoKey? {
      let played = Set(played)
      return videos.lazy.filter { !played.contains($0) }.map { (rank: rank(of: $0), video: $0) }.min {
        $0.rank < $1.rank
      }?.video
    }

    private func rank(of video: VideoKey) -> UInt64 {
      SortKeys.shuffledRank(of: video.text, seed: seed ^ (round &* 0x9E37_79B9_7F4A_7C15))
    }
  }
}

extension TabList {
  /// The tab with a content, which may be closed; nil if there never was one.
  func index(of content: TabContent) -> Int? {
    if let source = content.source, let index = index(of: source) { return index }
    return indices.first { self[$0].content == content }
  }
}
