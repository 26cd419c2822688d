import FeedfallScreen

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
  private(set) var channels = Variety<Int32>()
  private(set) var sources = Variety<SourceID>()
  /// For each card of the store its index plus 1; 0 for a card that is not in the list.
  private var places: [Int32] = []

  var count: Int { slots.count }
  var isEmpty: Bool { slots.isEmpty }

  subscript(index: Int) -> CardSlot { slots[index] }

  func index(of slot: CardSlot) -> Int? { contains(slot) ? Int(places[slot.index]) - 1 : nil }

  func contains(_ slot: CardSlot) -> Bool { slot.index < places.count && places[slot.index] > 0 }

  private mutating func reserveCapacity(_ count: Int, of store: CardStore) {
    slots.reserveCapacity(count)
    shapes.reserveCapacity(count)
    hues.reserveCapacity(count)
    places = [Int32](repeating: 0, count: store.slotCount)
  }

  /// Adds a card at the end unless it is in the list.
  private mutating func append(_ slot: CardSlot, _ shape: CardShape) -> Bool {
    if slot.index >= places.count {
      places += [Int32](repeating: 0, count: max(slot.index + 1 - places.count, places.count))
    }
    guard places[slot.index] == 0 else { return false }
    slots.append(slot)
    shapes.append(shape)
    places[slot.index] = Int32(slots.count)
    return true
  }

  /// Appends the cards that are new and returns their number.
  mutating func append(_ added: [CardSlot], from store: CardStore) -> Int {
    let before = count
    if isEmpty { reserveCapacity(added.count, of: store) }
    var nearby = HueSet(hues.suffix(PlaceholderHue.nearbyCount))
    for slot in added where append(slot, store.shape(of: slot)) {
      let brief = store.brief(of: slot)
      let hue = brief.hue.avoiding(nearby)
      hues.append(hue)
      nearby.insert(hue)
      // The nearby ones all differ.
      if hues.count > PlaceholderHue.nearbyCount { nearby.remove(hues[hues.count - 1 - PlaceholderHue.nearbyCount]) }
      channels.insert(brief.channel)
      sources.insert(brief.source)
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

  /// Whether a list of the same cards would have the same shapes and channels. O(count).
  func isCurrent(in store: CardStore) -> Bool {
    var channels = Variety<Int32>()
    for (slot, shape) in zip(slots, shapes) {
      if store.shape(of: slot) != shape { return false }
      channels.insert(store.brief(of: slot).channel)
    }
    return channels == self.channels
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
    let count = all.append(added.filter { !contains($0) }, from: store)
    guard count > 0 else { return 0 }
    for (slot, shape) in zip(slots, shapes) { _ = all.append(slot, shape) }
    all.hues += hues
    all.channels.merge(channels)
    all.sources.merge(sources)
    for index in (0..<count).reversed() {
      all.hues[index] = store.brief(of: all.slots[index]).hue.avoiding(HueSet(all.hues[(index + 1)...]))
    }
    self = all
    return count
  }
}
