import FeedfallFeeds
import FeedfallFilters
import FeedfallScreen
import FeedfallUserData

/// A card's place in the store, which never changes.
struct CardSlot: Hashable, Sendable {
  fileprivate let number: Int32
}

/// The facts about a card that determine its size. A card in a list keeps them when its video changes.
struct CardShape: Equatable, Sendable {
  /// The title's width in cells on one line.
  var titleWidth: Int32
  /// The number of columns that the feed asks for; 0 for none.
  var span: Int32
  /// The card's height that the feed asks for, in rows; 0 for none.
  var rows: Int32
  /// The cover's width divided by its height.
  var aspect: Double

  init(of video: Video) {
    titleWidth = Int32(cellWidth(of: video.title))
    span = Int32(clamping: video.span ?? 0)
    rows = Int32(clamping: video.rows ?? 0)
    aspect = CardMetrics.aspect(of: video)
  }

  /// A card with a title of two lines and a cover of the usual proportion.
  static let usual: CardShape = {
    var shape = CardShape(of: Video(id: "", title: "", playback: .unknown))
    shape.titleWidth = .max
    return shape
  }()
}

/// All cards of the session. A card is listed while it is in its source's list.
struct CardStore: Sendable {
  /// The user's records of these and other videos.
  var userData = UserData() {
    didSet { revision += 1 }
  }
  private var cards: [Card] = [] {
    didSet { revision += 1 }
  }
  /// Increases with every change of the records and the cards.
  private(set) var revision = 0
  private var shapes: [CardShape] = []
  /// The facts for filters, while one is used.
  private var facts: [VideoFacts?] = []
  private var isListed: [Bool] = []
  private var slots: [CardID: Int32] = [:]
  /// The slots of removed cards, for reuse.
  private var free: [CardSlot] = []

  /// The number of cards, listed or not.
  var count: Int { slots.count }

  subscript(slot: CardSlot) -> Card {
    _read { yield cards[Int(slot.number)] }
  }

  func shape(of slot: CardSlot) -> CardShape { shapes[Int(slot.number)] }

  /// The facts for filters: the prepared ones, or else made anew.
  func facts(of slot: CardSlot) -> VideoFacts {
    let index = Int(slot.number)
    return (index < facts.count ? facts[index] : nil) ?? VideoFacts(cards[index].video)
  }

  /// Makes the facts for filters ahead. O(n) if they are prepared already.
  mutating func prepareFacts() {
    if facts.count < cards.count { facts += Array(repeating: nil, count: cards.count - facts.count) }
    for index in cards.indices where facts[index] == nil { facts[index] = VideoFacts(cards[index].video) }
  }

  mutating func releaseFacts() { facts = [] }

  private mutating func discardFacts(at index: Int) {
    if index < facts.count { facts[index] = nil }
  }

  func record(of slot: CardSlot) -> UserRecord { userData[self[slot].key] }

  /// The position at which playback of a card's video starts, in seconds; 0 for the beginning.
  func resumeSeconds(of card: Card) -> Int { userData.resumeSeconds(of: card.video, card.key) }

  /// The video of the first card with a key. O(n).
  func video(ofKey key: VideoKey) -> Video? { cards.first { $0.key == key }?.video }

  func slot(of id: CardID) -> CardSlot? { slots[id].map(CardSlot.init) }

  func isListed(_ id: CardID) -> Bool { slots[id].map { isListed[Int($0)] } ?? false }

  /// Lists the videos of a source that are not listed yet, each once, and returns their slots. Updates cards that are
  /// already in the store.
  mutating func list(_ videos: [Video], of source: SourceID) -> [CardSlot] {
    var listed: [CardSlot] = []
    listed.reserveCapacity(videos.count)
    for video in videos {
      let id = CardID(video, of: source)
      if let known = slot(of: id) {
        let index = Int(known.number)
        guard !isListed[index] else { continue }
        cards[index].update(from: video)
        discardFacts(at: index)
        shapes[index] = CardShape(of: video)
        isListed[index] = true
        listed.append(known)
      } else {
        listed.append(add(Card(video: video, source: source, key: userData.key(of: video)), id))
      }
    }
    return listed
  }

  /// Returns the card of a record whose video has left its feed, from the stored facts; nil if there are none.
  mutating func restore(_ key: VideoKey, of source: SourceID) -> CardSlot? {
    let id = CardID(source: source, video: key.text)
    if let known = slot(of: id) { return known }
    guard var video = userData.storedVideo(key)?.video(key) else { return nil }
    // The player may have found the length later.
    video.duration = video.duration ?? userData[key].duration.flatMap { VideoDuration(seconds: Double($0)) }
    return add(Card(video: video, source: source, key: key), id)
  }

  private mutating func add(_ card: Card, _ id: CardID) -> CardSlot {
    let slot: CardSlot
    if let reused = free.popLast() {
      slot = reused
      let index = Int(slot.number)
      (cards[index], shapes[index], isListed[index]) = (card, CardShape(of: card.video), true)
      discardFacts(at: index)
    } else {
      slot = CardSlot(number: Int32(cards.count))
      cards.append(card)
      shapes.append(CardShape(of: card.video))
      isListed.append(true)
    }
    slots[id] = slot.number
    return slot
  }

  /// Removes cards from their source's list. They stay in the store for the tabs that still show them.
  mutating func unlist(_ slots: [CardSlot]) {
    for slot in slots { isListed[Int(slot.number)] = false }
  }

  /// Lists the cards that are not listed again, and returns them.
  mutating func relist(_ slots: [CardSlot]) -> [CardSlot] {
    let unlisted = slots.filter { !isListed[Int($0.number)] }
    for slot in unlisted { isListed[Int(slot.number)] = true }
    return unlisted
  }

  /// Removes the cards that are neither listed nor used.
  /// - Complexity: O(n) in the number of all cards.
  mutating func removeUnlisted(keeping used: Set<CardSlot>) {
    let unused = slots.filter { !isListed[Int($0.value)] && !used.contains(CardSlot(number: $0.value)) }
    for (id, number) in unused {
      slots[id] = nil
      free.append(CardSlot(number: number))
    }
  }

  /// Adds a duration to a card without one, and returns whether it has changed.
  mutating func addDuration(_ seconds: Double, to id: CardID) -> Bool {
    guard let slot = slot(of: id), self[slot].video.duration == nil, self[slot].video.live != .live,
      let duration = VideoDuration(seconds: seconds)
    else { return false }
    cards[Int(slot.number)].addDuration(duration)
    discardFacts(at: Int(slot.number))
    return true
  }

  /// Adds the details to a card; its title stays, so that the card keeps its height.
  mutating func complete(_ id: CardID, with video: Video) {
    guard let slot = slot(of: id) else { return }
    cards[Int(slot.number)].complete(with: video)
    discardFacts(at: Int(slot.number))
  }
}

/// Whether values differ, some of which may be unknown.
struct Variety<Value: Equatable & Sendable>: Equatable, Sendable {
  private var first: Value?
  private(set) var isVaried = false

  mutating func insert(_ value: Value?) {
    guard let value else { return }
    if let first { isVaried = isVaried || value != first } else { first = value }
  }

  mutating func merge(_ other: Variety) {
    insert(other.first)
    isVaried = isVaried || other.isVaried
  }
}

/// The cards of one tab in their order, each once, with the shapes that they are laid out with.
struct CardList: Sendable {
  private(set) var slots: [CardSlot] = []
  private(set) var shapes: [CardShape] = []
  /// The hues of covers without a picture, none of them like one beside it. They stay when cards are added.
  private(set) var hues: [PlaceholderHue] = []
  private(set) var channels = Variety<String>()
  private(set) var sources = Variety<SourceID>()
  private var indexes: [CardSlot: Int32] = [:]

  var count: Int { slots.count }
  var isEmpty: Bool { slots.isEmpty }

  subscript(index: Int) -> CardSlot { slots[index] }

  func index(of slot: CardSlot) -> Int? { indexes[slot].map(Int.init) }

  func contains(_ slot: CardSlot) -> Bool { indexes[slot] != nil }

  /// Appends the cards that are new and returns their number.
  mutating func append(_ added: [CardSlot], from store: CardStore) -> Int {
    let before = count
    for slot in added where indexes[slot] == nil {
      indexes[slot] = Int32(count)
      slots.append(slot)
      shapes.append(store.shape(of: slot))
      hues.append(PlaceholderHue(forID: store[slot].video.id, avoiding: hues.suffix(PlaceholderHue.nearbyCount)))
      channels.insert(store[slot].video.channel ?? store[slot].video.author)
      sources.insert(store[slot].source)
    }
    return count - before
  }

  /// Returns cards with those of each group together, in the order of the groups' first cards. O(n).
  static func gathered(_ slots: [CardSlot], by grouping: Grouping, in store: CardStore) -> [CardSlot] {
    var sections: [String?: Int] = [:]
    var members: [[CardSlot]] = []
    for slot in slots {
      let group = grouping.group(of: store[slot].video)
      let section = sections[group] ?? members.count
      if section == members.count {
        sections[group] = section
        members.append([])
      }
      members[section].append(slot)
    }
    return members.flatMap(\.self)
  }

  /// Adopts the shapes of updated cards and returns whether any differs. O(count).
  mutating func updateShapes(from store: CardStore) -> Bool {
    let current = slots.map(store.shape)
    guard current != shapes else { return false }
    shapes = current
    return true
  }

  /// Puts the cards that are new before all others and returns their number. O(count).
  mutating func prepend(_ added: [CardSlot], from store: CardStore) -> Int {
    var all = CardList()
    let count = all.append(added.filter { indexes[$0] == nil }, from: store)
    guard count > 0 else { return 0 }
    for (slot, shape) in zip(slots, shapes) {
      all.indexes[slot] = Int32(all.count)
      all.slots.append(slot)
      all.shapes.append(shape)
    }
    all.hues += hues
    all.channels.merge(channels)
    all.sources.merge(sources)
    for index in (0..<count).reversed() {
      all.hues[index] = PlaceholderHue(forID: store[all.slots[index]].video.id, avoiding: all.hues[(index + 1)...])
    }
    self = all
    return count
  }
}
