import FeedfallScreen

extension CardList {
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
}

struct CardList: Equatable, Sendable {
  private(set) var slots: [CardSlot] = []
  private(set) var shapes: [CardShape] = []
  /// That of the store at which the shapes were those of the store; nil if some of them were not.
  private var shapeRevision: Int?
  /// That of the store when the channels were those of the store.
  private var channelRevision = 0
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

  mutating func append(_ added: [CardSlot], from store: CardStore) -> Int {
    let before = count
    if isEmpty {
      reserveCapacity(added.count, of: store)
      (shapeRevision, channelRevision) = (store.shapeRevision, store.channelRevision)
    }
    var nearby = PlaceholderHue.Neighbors(hues.suffix(PlaceholderHue.nearbyCount))
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
  static func gathered(_ slots: [CardSlot], by grouping: LayoutOptions.Grouping, in store: CardStore) -> [CardSlot] {
    var sections: [String?: Int] = [:]
    var members: [[CardSlot]] = []
    for slot in slots {
      let group = grouping.group(of: store[slot].video, in: store.zone)
      let section = sections[group] ?? members.count
      if section == members.count {
        sections[group] = section
        members.append([])
      }
      members[section].append(slot)
    }
    return members.flatMap(\.self)
  }

  /// Cards that stay keep their shapes and hues. O(cards behind the first change).
  mutating func apply(_ difference: Difference, to new: [CardSlot], from store: CardStore) {
    let keepsFacts = difference.removals.isEmpty && channelRevision == store.channelRevision
    if !keepsFacts { (channels, sources, channelRevision) = (Variety(), Variety(), store.channelRevision) }
    for slot in keepsFacts ? difference.insertions.flatMap({ new[$0] }) : new {
      if channels.isVaried, sources.isVaried { break }
      let brief = store.brief(of: slot)
      channels.insert(brief.channel)
      sources.insert(brief.source)
    }
    guard let start = difference.firstChange else { return }
    let old = (slots: slots[start...], shapes: shapes[start...], hues: hues[start...])
    for range in difference.removals {
      for slot in old.slots[range] { places[slot.index] = 0 }
    }
    slots.removeSubrange(start...)
    shapes.removeSubrange(start...)
    hues.removeSubrange(start...)
    if places.count < store.slotCount { places += [Int32](repeating: 0, count: store.slotCount - places.count) }
    var removals = difference.removals[...]
    var next = start
    func keepCards(until count: Int) {
      while slots.count < count {
        if removals.first?.lowerBound == next { next = removals.removeFirst().upperBound }
        let end = min(next + count - slots.count, removals.first?.lowerBound ?? .max)
        slots += old.slots[next..<end]
        shapes += old.shapes[next..<end]
        hues += old.hues[next..<end]
        next = end
      }
    }
    let beside = PlaceholderHue.nearbyCount / 2
    for range in difference.insertions {
      keepCards(until: range.lowerBound)
      if removals.first?.lowerBound == next { next = removals.removeFirst().upperBound }
      for slot in new[range] {
        let nearby = PlaceholderHue.Neighbors(hues.suffix(beside) + old.hues[next...].prefix(beside))
        slots.append(slot)
        shapes.append(store.shape(of: slot))
        hues.append(store.brief(of: slot).hue.avoiding(nearby))
      }
    }
    keepCards(until: new.count)
    for index in start..<count { places[slots[index].index] = Int32(index + 1) }
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

  /// Returns the indexes of the cards whose shapes have changed. O(count), or O(1) if no card of the store has another.
  mutating func updateShapes(from store: CardStore, except kept: Set<CardSlot> = []) -> [Int] {
    guard shapeRevision != store.shapeRevision else { return [] }
    shapeRevision = kept.isEmpty ? store.shapeRevision : nil
    var changed: [Int] = []
    for (index, slot) in slots.enumerated() where store.shape(of: slot) != shapes[index] {
      if kept.isEmpty || !kept.contains(slot) { changed.append(index) }
    }
    for index in changed { shapes[index] = store.shape(of: slots[index]) }
    return changed
  }

  mutating func setShapes(_ new: [(index: Int, shape: CardShape)]) {
    for (index, shape) in new { shapes[index] = shape }
  }

  /// Puts the cards that are new before all others and returns their number. O(count).
  mutating func prepend(_ added: [CardSlot], from store: CardStore) -> Int {
    var all = CardList()
    let count = all.append(added.filter { !contains($0) }, from: store)
    guard count > 0 else { return 0 }
    for (slot, shape) in zip(slots, shapes) { _ = all.append(slot, shape) }
    all.hues += hues
    (all.shapeRevision, all.channelRevision) = (shapeRevision, channelRevision)
    all.channels.merge(channels)
    all.sources.merge(sources)
    for index in (0..<count).reversed() {
      all.hues[index] = store.brief(of: all.slots[index]).hue.avoiding(.init(all.hues[(index + 1)...]))
    }
    self = all
    return count
  }
}

extension CardList {
  /// The cards to remove and to insert so that one list becomes another in which the common ones have the same order.
  struct Difference: Equatable, Sendable {
    /// By the old indexes, in ascending order.
    private(set) var removals: [Range<Int>] = []
    /// By the new indexes, in ascending order.
    private(set) var insertions: [Range<Int>] = []

    private static let maximumRunCount = 32

    /// Whether changing the layout takes less time than laying out the list anew.
    var isSmall: Bool { removals.count + insertions.count <= Self.maximumRunCount }

    var isEmpty: Bool { removals.isEmpty && insertions.isEmpty }

    func keepsCards(of old: CardList) -> Bool { removals.reduce(0) { $0 + $1.count } < old.count }

    var firstChange: Int? { [removals.first, insertions.first].compactMap { $0?.lowerBound }.min() }

    /// Nil if the common cards have another order, a new card is there twice, or most cards are new. O(count).
    init?(from old: CardList, to new: [CardSlot]) {
      if old.isEmpty { return nil }
      var added: Set<CardSlot> = []
      let common = min(old.count, new.count)
      let start = old.slots.commonPrefix(with: new)
      var end = 0
      while end < common - start, old.slots[old.count - 1 - end] == new[new.count - 1 - end] { end += 1 }
      let (oldEnd, newEnd) = (old.count - end, new.count - end)
      var (index, inserted) = (start, start)
      for (place, slot) in new[start..<newEnd].enumerated() {
        let target = start + place
        guard let known = old.index(of: slot) else {
          guard added.insert(slot).inserted else { return nil }
          continue
        }
        guard known >= index, known < oldEnd else { return nil }
        if known > index { removals.append(index..<known) }
        if target > inserted { insertions.append(inserted..<target) }
        (index, inserted) = (known + 1, target + 1)
      }
      if oldEnd > index { removals.append(index..<oldEnd) }
      if newEnd > inserted { insertions.append(inserted..<newEnd) }
      // Among mostly new cards, hardly any could stay in its place.
      if added.count > old.count { return nil }
    }
  }
}

extension [CardSlot] {
  fileprivate func commonPrefix(with other: [CardSlot]) -> Int {
    var length = 0
    while length < Swift.min(count, other.count), self[length] == other[length] { length += 1 }
    return length
  }
}
